import { explain } from '../../src/entries/explain.ts';
import { type Options, profileOf } from '../../src/index.ts';
import { copyButton } from '../widgets/copy.ts';
import { element } from '../widgets/element.ts';
import { code, count } from '../widgets/text.ts';
import { LineTotals, type Totals } from './line-totals.ts';

const SHOWN_DIGITS = 16;
/** The units of a canonical form that are shown: wider than any row. */
const SHOWN_UNITS = 500;

/** Rows that are drawn above and below those that are seen, for the Tab key and fast scrolling. */
const SPARE_ROWS = 6;

/** Several lines at once: what became of each, and a button that shows it below. Only the rows in sight are drawn. */
export class LineTable {
  readonly elements: readonly HTMLElement[];
  readonly #select: (line: number) => void;
  readonly #box = element('div', { class: 'lines', tabindex: '0', role: 'group', 'aria-label': 'The lines' });
  readonly #table = element('table');
  readonly #summary = element('span');
  readonly #totals = new LineTotals((totals) => this.#showTotals(totals));
  /** Spacers for the rows above and below those that are drawn. */
  readonly #above = spacer();
  readonly #below = spacer();
  readonly #rows = new Map<number, HTMLTableRowElement>();
  #lines: readonly string[] = [];
  #options: Options = {};
  #selected = 0;
  /** Until a row can be measured. */
  #rowHeight = 32;

  constructor(select: (line: number) => void) {
    const names = ['Line', 'Canonical form', 'SHA-256'].map((name) => element('th', { scope: 'col' }, name));
    this.#select = select;
    this.#table.append(
      element('caption', { class: 'visually-hidden' }, 'The lines'),
      element('thead', {}, element('tr', {}, ...names)),
      element('tbody', {}, this.#above.row, this.#below.row),
    );
    this.#box.append(this.#table);
    this.#box.addEventListener('scroll', () => this.#draw());
    this.#box.addEventListener('scrollend', () => this.#alignScroll());
    const copy = copyButton('SHA-256 of all lines', () => this.#totals.hex());
    this.elements = [element('p', { class: 'total' }, this.#summary, copy), this.#box];
  }

  show(lines: readonly string[], selected: number, options: Options): void {
    const hasChanged =
      options.base !== this.#options.base ||
      profileOf(options) !== profileOf(this.#options) ||
      lines.length !== this.#lines.length ||
      lines.some((line, at) => line !== this.#lines[at]);
    this.#lines = lines;
    this.#options = options;
    this.#selected = selected;
    this.#table.setAttribute('aria-rowcount', String(lines.length + 1));
    if (hasChanged) this.#totals.count(lines, options);
    this.#redraw();
    if (this.#measure()) this.#redraw();
    this.#scrollTo(selected);
    this.#draw();
  }

  /** The button of a line that is in sight. */
  focus(line: number): void {
    this.#rows.get(line)?.querySelector('button')?.focus({ preventScroll: true });
  }

  #redraw(): void {
    const range = this.#range(); // before the rows go: without them there is less to scroll
    this.#keepOnly(0, 0);
    this.#draw(range);
  }

  /** The rows in sight and some more; what was drawn already stays, and with it the focus. */
  #draw([first, end] = this.#range()): void {
    this.#keepOnly(first, end);
    let next = this.#below.row;
    for (let row = end - 1; row >= first; row--) {
      const drawn = this.#rows.get(row) ?? this.#makeRow(row);
      if (!drawn.isConnected) next.before(drawn);
      this.#rows.set(row, drawn);
      next = drawn;
    }
    this.#above.setHeight(first * this.#rowHeight);
    this.#below.setHeight((this.#lines.length - end) * this.#rowHeight);
  }

  #keepOnly(first: number, end: number): void {
    for (const [row, drawn] of this.#rows) {
      if (row >= first && row < end) continue;
      drawn.remove();
      this.#rows.delete(row);
    }
  }

  #range(): readonly [first: number, end: number] {
    const { scrollTop, clientHeight } = this.#box;
    const first = Math.floor(scrollTop / this.#rowHeight) - SPARE_ROWS;
    const end = Math.ceil((scrollTop + clientHeight) / this.#rowHeight) + SPARE_ROWS;
    return [Math.max(0, first), Math.min(this.#lines.length, Math.max(end, 2 * SPARE_ROWS))];
  }

  #makeRow(row: number): HTMLTableRowElement {
    const { canonical, hash, failure } = explain(this.#lines[row]!, this.#options);
    const isSelected = row === this.#selected;
    const isRepeated = hash !== undefined && this.#totals.isRepeated(row, hash);
    const shown =
      failure === undefined
        ? code(canonical.slice(0, SHOWN_UNITS))
        : element('span', { class: 'reason' }, failure.sentence);
    return element(
      'tr',
      {
        class: `${isSelected ? 'is-selected' : ''} ${isRepeated ? 'is-repeated' : ''}`,
        'aria-rowindex': String(row + 2),
      },
      element('th', { scope: 'row' }, this.#button(row, isSelected)),
      element('td', {}, shown),
      element('td', {}, hash === undefined ? '' : code(`${hash.slice(0, SHOWN_DIGITS)}…`)),
    );
  }

  #button(row: number, isSelected: boolean): HTMLButtonElement {
    const button = element(
      'button',
      { type: 'button', 'aria-label': `Show line ${row + 1}`, 'aria-pressed': String(isSelected) },
      String(row + 1),
    );
    button.addEventListener('click', () => this.#select(row));
    return button;
  }

  /** Is a row of another height than was thought? */
  #measure(): boolean {
    const [row] = this.#rows.values();
    const height = row?.getBoundingClientRect().height ?? 0;
    if (height === 0 || height === this.#rowHeight) return false;
    this.#rowHeight = height;
    return true;
  }

  /** To the middle of the box, whole rows above it. */
  #scrollTo(row: number): void {
    const rowsAbove = Math.floor(this.#box.clientHeight / this.#rowHeight / 2) - 1;
    this.#box.scrollTop = Math.max(0, row - rowsAbove) * this.#rowHeight;
  }

  /** The first row in sight is a whole one. */
  #alignScroll(): void {
    this.#box.scrollTop = Math.round(this.#box.scrollTop / this.#rowHeight) * this.#rowHeight;
  }

  #showTotals({ countedLines, invalidLines, keyCount }: Totals): void {
    const total = count(this.#lines.length, 'line');
    const invalid = invalidLines === 0 ? '' : `; ${count(invalidLines, 'is not a URL', 'are not URLs')}`;
    const isDone = countedLines === this.#lines.length;
    this.#summary.textContent = isDone
      ? `${total}, ${count(keyCount, 'key')}${invalid}`
      : `${total}; ${count(countedLines, 'counted', 'counted')}`;
  }
}

interface Spacer {
  readonly row: HTMLTableRowElement;
  setHeight(height: number): void;
}

function spacer(): Spacer {
  const cell = element('td', { colspan: '3' });
  const row = element('tr', { class: 'space', 'aria-hidden': 'true' }, cell);
  const setHeight = (height: number) => {
    row.hidden = height === 0;
    cell.style.height = `${height}px`;
  };
  return { row, setHeight };
}
