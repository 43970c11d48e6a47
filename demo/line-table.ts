import { canonicalize, UrlHasher } from '../src/index.ts';
import { copyButton } from './copy.ts';
import { element } from './element.ts';
import { code, count } from './text.ts';

/** Rows that are shown; all lines are hashed. */
const SHOWN_LINES = 200;
const SHOWN_DIGITS = 16;

/** Several lines at once: what became of each, and a button that shows it below. */
export function lineTable(lines: readonly string[], selected: number, select: (line: number) => void): HTMLElement[] {
  const column = new UrlHasher().hashMany(lines);
  const head = element(
    'thead',
    {},
    element('tr', {}, ...['Line', 'Canonical form', 'SHA-256'].map((name) => element('th', { scope: 'col' }, name))),
  );
  const body = element('tbody');
  for (const [row, line] of lines.slice(0, SHOWN_LINES).entries()) {
    const error = column.errorAt(row);
    const canonical =
      error === undefined ? code(canonicalize(line)) : element('span', { class: 'reason' }, error.reason);
    const digits = column.hex(row)?.slice(0, SHOWN_DIGITS);
    const cells = [
      element('th', { scope: 'row' }, lineButton(row, row === selected, select)),
      element('td', {}, canonical),
      element('td', {}, digits === undefined ? '' : code(`${digits}…`)),
    ];
    body.append(element('tr', row === selected ? { class: 'is-selected' } : {}, ...cells));
  }
  const table = element('table', {}, element('caption', { class: 'visually-hidden' }, 'The lines'), head, body);
  const hex = lines.map((_, row) => `${column.hex(row) ?? ''}\n`).join('');
  const summary = element(
    'p',
    { class: 'figures' },
    summaryOf(lines.length, column.invalid.length),
    copyButton(`SHA-256 of all ${lines.length} lines`, hex),
  );
  return [element('div', { class: 'lines', tabindex: '0', role: 'group', 'aria-label': 'The lines' }, table), summary];
}

function lineButton(row: number, isSelected: boolean, select: (line: number) => void): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', 'aria-label': `Show line ${row + 1}`, 'aria-pressed': String(isSelected) },
    String(row + 1),
  );
  button.addEventListener('click', () => select(row));
  return button;
}

function summaryOf(lineCount: number, invalidCount: number): string {
  const shown = lineCount > SHOWN_LINES ? `, the first ${SHOWN_LINES} shown` : '';
  return `${count(lineCount, 'line')}${shown}; ${invalidCount === 0 ? 'all are URLs' : `${count(invalidCount, 'is no URL', 'are no URLs')}`}`;
}
