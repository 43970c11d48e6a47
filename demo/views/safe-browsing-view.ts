import { type Explanation, explain } from '../../src/entries/explain.ts';
import type { ExplainedExpression } from '../../src/specs/explain/explanation.ts';
import { READINGS, type Reading } from '../../src/specs/safe-browsing/settings.ts';
import type { State } from '../state.ts';
import { type Child, element } from '../widgets/element.ts';
import { count } from '../widgets/text.ts';
import { rows, value } from '../widgets/value.ts';
import { failureView } from './failure-view.ts';
import { wholeSteps } from './step-list.ts';

/** Hex digits of a prefix of four bytes, the shortest that the lists hold. */
const PREFIX_DIGITS = 8;

const PROFILE_NAMES = { 'web-risk': 'Web Risk', v5: 'v5' } as const;

interface ReadUrl {
  readonly reading: Reading;
  readonly explanation: Explanation;
}

/** The page's steps, the canonical form and the expressions under the chosen readings, and where the others differ. */
export function safeBrowsingView(url: string, { profile, mode }: Pick<State, 'profile' | 'mode'>): HTMLElement[] {
  const all = READINGS.map((reading) => ({
    reading,
    explanation: explain(url, { specification: reading.profile, mode: reading.mode }),
  }));
  const chosen = all.filter(
    ({ reading }) => reading.profile === profile && (reading.mode === mode || mode === 'union'),
  );
  return [
    ...chosen.flatMap((read) => stepsView(read, chosen.length > 1)),
    ...formsView(all),
    ...expressionsView(chosen, all),
  ];
}

function stepsView({ reading, explanation }: ReadUrl, isNamed: boolean): HTMLElement[] {
  const { failure } = explanation;
  return [
    element('h3', {}, isNamed ? `Steps, ${reading.mode} reading` : 'Steps'),
    wholeSteps(explanation),
    ...(failure === undefined ? [] : [failureView(explanation.input, failure)]),
  ];
}

/** The canonical form, once where all four readings agree. */
function formsView(all: readonly ReadUrl[]): HTMLElement[] {
  const heading = element('h3', {}, 'Canonical form');
  const texts = all.map(({ explanation: { canonical, failure } }) => canonical ?? failure?.sentence);
  if (new Set(texts).size === 1)
    return [heading, rows(['all readings', formView('canonical form', all[0]!.explanation)])];
  return [
    heading,
    element('p', { class: 'notice' }, 'The readings differ: look up the expressions of both.'),
    rows(
      ...all.map(({ reading, explanation }): [Child, Child] => [
        nameOf(reading),
        formView(`canonical form, ${nameOf(reading)}`, explanation),
      ]),
    ),
  ];
}

function formView(name: string, { canonical, failure }: Explanation): HTMLElement {
  return failure === undefined
    ? value(name, canonical)
    : element('p', { class: 'nothing' }, `rejected: ${failure.sentence}`);
}

function nameOf({ profile, mode }: Reading): string {
  return `${PROFILE_NAMES[profile]}, ${mode}`;
}

function expressionsView(chosen: readonly ReadUrl[], all: readonly ReadUrl[]): HTMLElement[] {
  const list = expressionsOf(chosen);
  if (list.size === 0) return [];
  const items = Array.from(list.values(), expressionItem);
  const others = Array.from(expressionsOf(all).values()).filter(({ expression }) => !list.has(expression));
  return [
    element('h3', {}, `${count(list.size, 'expression')} to look up`),
    element('ol', { class: 'expressions' }, ...items),
    ...othersView(others),
  ];
}

/** Each once, in the order of the readings. */
function expressionsOf(read: readonly ReadUrl[]): Map<string, ExplainedExpression> {
  const list = read.flatMap(({ explanation }) => explanation.expressions ?? []);
  return new Map(list.map((each) => [each.expression, each]));
}

function expressionItem({ expression, hash, readings }: ExplainedExpression): HTMLElement {
  const prefix = hash.slice(0, PREFIX_DIGITS);
  const shown = element(
    'code',
    { class: 'hex' },
    element('span', { class: 'prefix' }, prefix),
    element('span', {}, hash.slice(PREFIX_DIGITS)),
  );
  const who =
    readings.length === READINGS.length
      ? undefined
      : element('p', { class: 'remark' }, `only ${readings.map(nameOf).join(' · ')}`);
  return element(
    'li',
    {},
    value('expression', expression),
    value(`SHA-256 of ${expression}`, hash, shown),
    element('div', { class: 'short' }, 'prefix ', value(`prefix of ${expression}`, prefix)),
    who,
  );
}

function othersView(others: readonly ExplainedExpression[]): HTMLElement[] {
  if (others.length === 0) return [];
  const entries = others.map(({ expression, readings }): [Child, Child] => [
    readings.map(nameOf).join(' · '),
    value('expression', expression),
  ]);
  return [element('h3', {}, 'Only under other readings'), rows(...entries)];
}
