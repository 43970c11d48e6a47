import { openBenchmarkPanel } from './benchmark/panel.ts';
import { EXAMPLES } from './examples.ts';
import { openFilePanel } from './files/panel.ts';
import { fragmentOf, type State, stateOf } from './state.ts';
import { showFacts } from './views/facts.ts';
import { LineTable } from './views/line-table.ts';
import { showLine, showNothing } from './views/line-view.ts';
import { announceLater } from './widgets/announcer.ts';
import { copyButton } from './widgets/copy.ts';
import { byId, element } from './widgets/element.ts';
import { count } from './widgets/text.ts';

const text = byId('text', HTMLTextAreaElement);
const safeBrowsing = byId('safe-browsing-options', HTMLFormElement);
const hashedUri = byId('hashed-uri-options', HTMLFormElement);
const table = new LineTable(selectLine);
let state = stateOf(location.hash);

/** Browsers refuse to replace the address more than some hundred times in half a minute. */
const ADDRESS_PAUSE_MS = 300;
let addressTimer: number | undefined;

function linesOf(whole: string): string[] {
  return whole.replace(/\n$/, '').split('\n');
}

function change(changes: Partial<State>): void {
  state = { ...state, ...changes };
  show();
  clearTimeout(addressTimer);
  addressTimer = setTimeout(
    () => history.replaceState(null, '', fragmentOf(state) ?? location.pathname + location.search),
    ADDRESS_PAUSE_MS,
  ) as unknown as number;
}

/** The whole page, from the state. */
function show(): void {
  const lines = linesOf(state.text);
  const line = Math.min(state.line, lines.length - 1);
  showLines(lines, line);
  const said = state.text === '' ? showNothing() : showLine(lines[line]!, state);
  announceLater(lines.length > 1 ? `Line ${line + 1} of ${count(lines.length, 'line')}: ${said}` : said);
  fitText();
  showLink();
}

function showLines(lines: readonly string[], selected: number): void {
  const place = byId('lines', HTMLDivElement);
  place.hidden = lines.length === 1;
  if (lines.length === 1) return;
  if (place.childElementCount === 0) place.append(...table.elements);
  table.show(lines, selected);
}

function selectLine(line: number): void {
  moveCaret(line);
  change({ line });
  table.focus(line);
}

/** The line that is shown and the line with the caret are the same. */
function moveCaret(line: number): void {
  const at = state.text.split('\n', line).join('\n').length + (line > 0 ? 1 : 0);
  text.setSelectionRange(at, at);
}

/** Laying out thousands of lines to measure them takes longer than a key may. */
const MEASURED_UNITS = 5000;

/** As high as its text, up to what the style sheet allows. */
function fitText(): void {
  const isLong = text.value.length > MEASURED_UNITS;
  text.classList.toggle('is-long', isLong);
  text.style.height = isLong ? '' : 'auto';
  if (isLong) return;
  text.style.height = `${text.scrollHeight + text.offsetHeight - text.clientHeight}px`;
}

function showLink(): void {
  const fragment = fragmentOf(state);
  const address = `${location.origin}${location.pathname}${fragment ?? ''}`;
  byId('link', HTMLDivElement).replaceChildren(
    ...(fragment === undefined
      ? ['Too long to be linked']
      : ['Link to this view ', copyButton('link to this view', address)]),
  );
}

/** Puts the state into the controls. */
function fill(): void {
  text.value = state.text;
  moveCaret(state.line);
  const boxes: readonly (readonly [HTMLFormElement, string, readonly string[]])[] = [
    [safeBrowsing, 'profile', [state.profile]],
    [safeBrowsing, 'mode', [state.mode]],
    [hashedUri, 'keep', state.keep],
    [hashedUri, 'excluded', [state.excluded]],
  ];
  for (const [form, name, values] of boxes) {
    for (const box of form.querySelectorAll<HTMLInputElement>(`input[name=${name}]`))
      box.checked = values.includes(box.value);
  }
}

function listen(): void {
  text.addEventListener('input', () => change({ text: text.value, line: caretLine() }));
  document.addEventListener('selectionchange', followCaret);
  safeBrowsing.addEventListener('change', readOptions);
  hashedUri.addEventListener('change', readOptions);
  addEventListener('resize', fitText);
  addEventListener('hashchange', () => {
    state = stateOf(location.hash);
    fill();
    show();
  });
  document.addEventListener('click', goTo);
}

function followCaret(): void {
  if (document.activeElement === text && caretLine() !== state.line && linesOf(state.text).length > 1)
    change({ line: caretLine() });
}

function caretLine(): number {
  return text.value.slice(0, text.selectionStart).split('\n').length - 1;
}

function readOptions(): void {
  const [forSafeBrowsing, forHashedUri] = [new FormData(safeBrowsing), new FormData(hashedUri)];
  change({
    profile: forSafeBrowsing.get('profile') as State['profile'],
    mode: forSafeBrowsing.get('mode') as State['mode'],
    keep: forHashedUri.getAll('keep') as State['keep'][number][],
    excluded: forHashedUri.get('excluded') as State['excluded'],
  });
}

/** Links within the page: the fragment of the address is the state's. */
function goTo(event: MouseEvent): void {
  const id =
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-goto]')?.dataset['goto'] : undefined;
  if (id === undefined) return;
  event.preventDefault();
  const target = document.getElementById(id);
  target?.focus({ preventScroll: true });
  target?.scrollIntoView();
}

function showExamples(): void {
  const buttons = EXAMPLES.map(([name, example]) => {
    const button = element('button', { type: 'button' }, name);
    button.addEventListener('click', () => {
      change({ text: example, line: 0 });
      fill();
      fitText();
    });
    return button;
  });
  byId('examples', HTMLDivElement).append(...buttons);
}

showFacts();
showExamples();
fill();
listen();
show();
openFilePanel();
openBenchmarkPanel();
