import { domainToUnicode } from '../../src/core/url/idna.ts';
import type { Explanation, Span, Step } from '../../src/entries/explain.ts';
import { type Child, element } from '../widgets/element.ts';
import { code, folded } from '../widgets/text.ts';
import { rows, value } from '../widgets/value.ts';
import { changeNote, type ShownStep, stepList } from './step-list.ts';

type Part = Explanation['parts'][number];

/** Each part: what it became, and by which steps. */
export function urlView(explanation: Explanation): HTMLElement[] {
  const { canonical, failure, parts } = explanation;
  if (failure !== undefined) return [failedView(explanation)];
  const shown = parts.filter(({ name }) => name !== 'slashes' || stepsOf(explanation, name).length > 0);
  return [rows(wholeRow(explanation), ...shown.map((part) => partRow(part, canonical, explanation)))];
}

/** The parts up to the one to blame; the parser read no further. */
function failedView({ input, parts, failure }: Extract<Explanation, { canonical?: undefined }>): HTMLElement {
  const reason = () => element('p', { class: 'reason' }, `rejected: ${failure.sentence}`);
  const entries = parts
    .filter(({ name }) => name !== 'slashes')
    .map(({ name, given }): [Child, ...Child[]] => [
      partLabel(name),
      element('p', {}, shownText(textAt(input, given))),
      name === failure.place ? reason() : undefined,
    ]);
  const hasPlace = parts.some(({ name }) => name === failure.place);
  const rest = input.slice(Math.max(0, ...parts.map(({ given }) => given?.[1] ?? 0)));
  return rows(
    ...entries,
    hasPlace ? undefined : [partLabel(failure.place), reason()],
    hasPlace && rest.trim() !== '' ? ['not read', element('p', {}, code(rest))] : undefined,
  );
}

function textAt(text: string, span: Span | undefined): string {
  return span === undefined ? '' : text.slice(...span);
}

function partLabel(name: string): HTMLElement {
  return element('span', { class: 'part-name', 'data-part': name }, name);
}

function shownText(text: string): HTMLElement {
  return text === '' ? element('span', { class: 'nothing' }, 'empty') : code(text);
}

function stepsOf({ steps }: Explanation, name: string | undefined): Step[] {
  return steps.filter(({ part }) => part === name);
}

/** Shows what was done to the whole before its parts were told apart. */
function wholeRow(explanation: Explanation): [Child, Child] | undefined {
  const steps = stepsOf(explanation, undefined);
  if (steps.length === 0) return undefined;
  return ['input', stepList(chained(explanation.input, 'as given', steps, ({ text }) => text))];
}

function partRow(
  { name, given, canonical: span }: Part,
  canonical: string,
  explanation: Explanation,
): [Child, ...Child[]] {
  const text = textAt(canonical, span);
  const shown =
    span === undefined ? element('p', { class: 'nothing' }, 'left out') : value(name, text, shownText(text));
  const steps = stepsOf(explanation, name);
  const givenText = textAt(explanation.input, given);
  const list = chained(givenText, given === undefined ? 'not given' : 'as given', steps, (step) =>
    textAt(step.text, step.span),
  );
  return [
    partLabel(name),
    shown,
    name === 'host' ? unicodeNote(text) : undefined,
    steps.length === 0 ? undefined : stepList(list),
  ];
}

/** Steps of which each goes on from the text before it. */
function chained(given: string, note: string, steps: readonly Step[], textOf: (step: Step) => string): ShownStep[] {
  let before = given;
  const shown = steps.map((step) => {
    const text = textOf(step);
    const next = { text, note: changeNote(step.change, step.clause), before };
    before = text;
    return next;
  });
  return [{ text: given, note }, ...shown];
}

/** How people read a domain in Punycode. */
function unicodeNote(host: string): HTMLElement | undefined {
  const unicode = host.includes('xn--') ? domainToUnicode(host) : host;
  return unicode === host ? undefined : element('p', { class: 'remark' }, 'read as ', code(unicode));
}

/** The canonical form with each part underlined in its colour: the names stand below, in the list of parts. */
export function anatomy(canonical: string, parts: readonly Part[]): HTMLElement {
  const pieces: Child[] = [];
  let at = 0;
  for (const { name, canonical: span } of parts) {
    if (span === undefined || span[0] === span[1] || name === 'slashes') continue;
    pieces.push(
      canonical.slice(at, span[0]),
      element('span', { 'data-part': name }, ...folded(canonical.slice(...span))),
    );
    at = span[1];
  }
  return element('code', { class: 'anatomy' }, ...pieces, canonical.slice(at));
}
