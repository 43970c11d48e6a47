import { FOLDS } from '../src/core/url/page-rules.ts';
import { openBenchmarkPanel } from './benchmark/panel.ts';
import { fillControls, onControlChange, readControls } from './controls.ts';
import { FilePanel } from './files/panel.ts';
import { openExamples, showLesson } from './lesson.ts';
import { DEFAULT, fragmentOf, type State, stateOf } from './state.ts';
import { showFacts } from './views/facts.ts';
import { type LineOptions, showOptions } from './views/form.ts';
import { LineTable } from './views/line-table.ts';
import { showLine, showNothing } from './views/line-view.ts';
import { announceLater } from './widgets/announcer.ts';
import { copyButton } from './widgets/copy.ts';
import { byId, element } from './widgets/element.ts';
import { count } from './widgets/text.ts';

const text = byId('text', HTMLTextAreaElement);
const table = new LineTable(selectLine);
const files = new FilePanel(changeControls);
let state = stateOfAddress();
/** The line of the table that was chosen before; undefined once the text is another. */
let chosenBefore: string | undefined;

/** Browsers refuse to replace the address more than some hundred times in half a minute. */
const ADDRESS_PAUSE_MS = 300;
let addressTimer: number | undefined;

function stateOfAddress(): State {
  return stateOf(new URLSearchParams(location.hash.slice(1)));
}

function linesOf(whole: string): string[] {
  return whole.replace(/\n$/, '').split('\n');
}

function change(changes: Partial<State>): void {
  if (changes.text !== undefined && changes.text !== state.text) chosenBefore = undefined;
  state = { ...state, ...changes };
  show();
  clearTimeout(addressTimer);
  addressTimer = setTimeout(
    () => history.replaceState(null, '', fragmentOf(state) ?? location.pathname + location.search),
    ADDRESS_PAUSE_MS,
  ) as unknown as number;
}

/** The parts of the state that do not come from the controls themselves. */
function changeControls(changes: Partial<State>): void {
  change(changes);
  fill();
}

/** The whole page, from the state. */
function show(): void {
  const lines = linesOf(state.text);
  const line = Math.min(state.line, lines.length - 1);
  const options = showOptions(state);
  const lesson = showLesson(state);
  showLines(lines, line, options);
  const said =
    state.text === '' ? showNothing(state) : showLine(lines[line]!, options, state, replaceLine, chosenBefore);
  announceLater(`${lesson}${lines.length > 1 ? `Line ${line + 1} of ${count(lines.length, 'line')}: ` : ''}${said}`);
  fitText();
  showLink();
  files.show(state);
}

function showLines(lines: readonly string[], selected: number, options: LineOptions): void {
  const place = byId('lines', HTMLDivElement);
  place.hidden = lines.length === 1;
  if (lines.length === 1) return;
  if (place.childElementCount === 0) place.append(...table.elements);
  table.show(lines, selected, options);
}

function selectLine(line: number): void {
  if (line !== state.line) chosenBefore = linesOf(state.text)[state.line];
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

/** Puts another URL in the place of the line that is shown. */
function replaceLine(url: string): void {
  const lines = linesOf(state.text);
  changeControls({ text: lines.with(state.line, url).join('\n') });
  text.focus();
}

/** Makes the field as high as its text, up to what the style sheet allows. */
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

/** Puts the state into the text field and the controls. */
function fill(): void {
  if (text.value !== state.text) {
    text.value = state.text;
    moveCaret(state.line);
  }
  fillControls(state);
  // what is set is not to be overlooked
  const isSet = state.drop + state.only + state.rules !== '' || state.form.some((name) => name !== 'page-2026');
  if (isSet) byId('more', HTMLDetailsElement).open = true;
}

function listen(): void {
  text.addEventListener('input', () => change({ text: text.value, line: caretLine() }));
  document.addEventListener('selectionchange', followCaret);
  onControlChange(() => change(readControls()));
  addEventListener('resize', fitText);
  addEventListener('hashchange', () => {
    state = stateOfAddress();
    fill();
    show();
  });
}

function followCaret(): void {
  if (document.activeElement === text && caretLine() !== state.line && linesOf(state.text).length > 1)
    change({ line: caretLine() });
}

function caretLine(): number {
  return text.value.slice(0, text.selectionStart).split('\n').length - 1;
}

function openFolds(): void {
  const labels = FOLDS.map((fold) =>
    element('label', {}, element('input', { type: 'checkbox', name: 'fold', value: fold }), fold),
  );
  byId('folds', HTMLFieldSetElement).append(...labels);
}

/** An example sets what it is about, and leaves how a file is read alone. */
function showExample(changes: Partial<State>): void {
  const { base, mode, panel } = DEFAULT;
  changeControls({ base, mode, panel, line: 0, ...changes });
  fitText();
}

/** Below that, what is long stays closed until it is asked for; the style sheet has the same width. */
byId('steps', HTMLDetailsElement).open = matchMedia('(min-width: 40rem)').matches;
openFolds();
showFacts();
openExamples(({ state: changes }) => showExample(changes));
fill();
listen();
show();
openBenchmarkPanel();
