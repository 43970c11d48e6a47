import { hexOfBytes } from '../src/bytes/hex.ts';
import {
  canonicalize,
  type ExplainedStep,
  type ExpressionOptions,
  explain,
  expressions,
  hashes,
  READINGS,
  type Reading,
  readingsOfExpressions,
  SafeBrowsingUrlError,
} from '../src/safe-browsing/index.ts';
import { partsOf } from '../src/url/parts.ts';
import { type Child, element } from './element.ts';
import { failureView } from './failure-view.ts';
import { type ShownStep, stepList } from './step-list.ts';
import { count } from './text.ts';
import { rows, value } from './value.ts';

/** Hex digits of a prefix of four bytes, the shortest that the lists hold. */
const PREFIX_DIGITS = 8;

const PROFILE_NAMES = { 'web-risk': 'Web Risk', v5: 'v5' } as const;

/** The page's steps, the canonical form and the expressions under the chosen readings, and where the others differ. */
export function safeBrowsingView(url: string, options: ExpressionOptions): HTMLElement[] {
  const chosen = READINGS.filter(
    ({ profile, mode }) => profile === options.profile && (mode === options.mode || options.mode === 'union'),
  );
  return [
    ...chosen.flatMap((reading) => readingView(url, reading, chosen.length > 1)),
    ...formsView(url),
    ...expressionsView(url, options),
  ];
}

function readingView(url: string, reading: Reading, isNamed: boolean): HTMLElement[] {
  const { given, steps, failure } = explain(url, reading);
  const heading = element('h3', {}, isNamed ? `Steps, ${reading.mode} reading` : 'Steps');
  const list = stepList([{ text: given, note: 'as given' }, ...shownSteps(given, steps)]);
  if (failure === undefined) return [heading, list];
  return [
    heading,
    list,
    failureView({ input: url, span: spanOf(url, failure.place), sentence: failure.sentence, reason: failure.reason }),
  ];
}

/** Where the part that failed lies, if the URL Standard sees one there too. */
function spanOf(url: string, place: string): readonly [number, number] | undefined {
  const part = partsOf(url).find(({ name }) => name === place);
  return part === undefined ? undefined : [part.start, part.end];
}

/** Steps that look at a part of the URL, and the last, which puts it together, have nothing before them. */
const BEGINNINGS = ['host', 'path', 'canonical'];

/** The steps, without those that left everything as it was. */
function shownSteps(given: string, steps: readonly ExplainedStep[]): ShownStep[] {
  return steps.flatMap(({ step, text }, index) => {
    const before = BEGINNINGS.includes(step) ? undefined : (steps[index - 1]?.text ?? given);
    return text === before ? [] : [{ text, note: step, before }];
  });
}

function canonicalOf(url: string, reading: Reading): string | SafeBrowsingUrlError {
  try {
    return canonicalize(url, reading);
  } catch (error) {
    if (error instanceof SafeBrowsingUrlError) return error;
    throw error;
  }
}

/** The canonical form, once where all four readings agree. */
function formsView(url: string): HTMLElement[] {
  const forms = READINGS.map((reading) => canonicalOf(url, reading));
  const heading = element('h3', {}, 'Canonical form');
  const texts = forms.map((form) => (typeof form === 'string' ? form : form.reason));
  const isOne = new Set(texts).size === 1;
  if (isOne) return [heading, rows(['all readings', formView('canonical form', forms[0]!)])];
  return [
    heading,
    element('p', { class: 'notice' }, 'The readings differ: look up the expressions of both.'),
    rows(
      ...forms.map((form, index): [Child, Child] => [
        nameOf(READINGS[index]!),
        formView(`canonical form, ${nameOf(READINGS[index]!)}`, form),
      ]),
    ),
  ];
}

function formView(name: string, form: string | SafeBrowsingUrlError): HTMLElement {
  return typeof form === 'string' ? value(name, form) : element('p', { class: 'nothing' }, `rejected: ${form.reason}`);
}

function nameOf({ profile, mode }: Reading): string {
  return `${PROFILE_NAMES[profile]}, ${mode}`;
}

function expressionsView(url: string, options: ExpressionOptions): HTMLElement[] {
  const list = expressionsOf(url, options);
  if (list === undefined) return [];
  const readings = readingsOfExpressions(url);
  const digests = hashes(url, options);
  const items = list.map((expression, index) =>
    expressionItem(expression, hexOfBytes(digests[index]!, 0, 32), readings.get(expression) ?? []),
  );
  const others = [...readings.keys()].filter((expression) => !list.includes(expression));
  return [
    element('h3', {}, `${count(list.length, 'expression')} to look up`),
    element('ol', { class: 'expressions' }, ...items),
    ...othersView(others, readings),
  ];
}

function expressionsOf(url: string, options: ExpressionOptions): string[] | undefined {
  try {
    return expressions(url, options);
  } catch (error) {
    if (error instanceof SafeBrowsingUrlError) return undefined;
    throw error;
  }
}

function expressionItem(expression: string, hex: string, readings: readonly Reading[]): HTMLElement {
  const prefix = hex.slice(0, PREFIX_DIGITS);
  const shown = element(
    'code',
    { class: 'hex' },
    element('span', { class: 'prefix' }, prefix),
    element('span', {}, hex.slice(PREFIX_DIGITS)),
  );
  const who =
    readings.length === READINGS.length
      ? undefined
      : element('p', { class: 'remark' }, `only ${readings.map(nameOf).join(' · ')}`);
  return element(
    'li',
    {},
    value('expression', expression),
    value(`SHA-256 of ${expression}`, hex, shown),
    element('div', { class: 'short' }, 'prefix ', value(`prefix of ${expression}`, prefix)),
    who,
  );
}

function othersView(others: readonly string[], readings: ReadonlyMap<string, readonly Reading[]>): HTMLElement[] {
  if (others.length === 0) return [];
  const entries = others.map((expression): [Child, Child] => [
    readings.get(expression)!.map(nameOf).join(' · '),
    value('expression', expression),
  ]);
  return [element('h3', {}, 'Only under other readings'), rows(...entries)];
}
