import { type Explanation, explain } from '../../src/entries/explain.ts';
import type { FormOptions } from '../../src/index.ts';
import type { State } from '../state.ts';
import { byId, element } from '../widgets/element.ts';
import { code, count, hasUnseen } from '../widgets/text.ts';
import { value } from '../widgets/value.ts';
import type { BaseOption } from './base.ts';
import { failureView } from './failure-view.ts';
import { hashUriView } from './hash-uri-view.ts';
import { hashView } from './hash-view.ts';
import { hashedUriView } from './hashed-uri-view.ts';
import { safeBrowsingView } from './safe-browsing-view.ts';
import { anatomy, urlView } from './url-view.ts';

/** Which form, and the base, of which only what was typed is one. */
export type LineOptions = FormOptions & BaseOption;

/** Fills every section for one line; gives the sentence that sums it up. */
export function showLine(url: string, { base, ...form }: LineOptions, state: State): string {
  const explanation = explain(url, { ...form, ...(base === undefined ? {} : { base }) });
  const full = explain(url, base === undefined ? {} : { base });
  const { failure, steps } = explanation;
  byId('text', HTMLTextAreaElement).setAttribute('aria-invalid', String(failure !== undefined));
  fill('result', resultView(explanation));
  fill('url-view', urlView(explanation, base, full.canonical));
  const [absolute, note] = absoluteOf(full);
  fill('safe-browsing-view', [...note(), ...safeBrowsingView(absolute, state)]);
  fill('hashed-uri-view', [...note(), ...hashedUriView(absolute, state)]);
  fill('hash-uri-view', [...note(), ...hashUriView(absolute)]);
  if (failure !== undefined) return `not a URL: ${failure.sentence}`;
  return `a URL; ${steps.length === 0 ? 'canonical as it is' : `canonical after ${count(steps.length, 'step')}`}`;
}

function resultView(explanation: Explanation): HTMLElement[] {
  const { input, canonical, failure, parts } = explanation;
  if (failure !== undefined) return [failureView(explanation, failure)];
  return [
    ...(hasUnseen(input) ? [element('p', { class: 'given' }, 'As given: ', code(input))] : []),
    element('h3', {}, 'Canonical form'),
    value('canonical form', canonical, anatomy(canonical, parts)),
    element('h3', {}, 'Hash'),
    hashView(canonical),
  ];
}

/** The other specifications know no base: they get what it made of a relative URL, and the reader hears of it. */
function absoluteOf({ input, canonical }: Explanation): readonly [url: string, note: () => HTMLElement[]] {
  if (canonical === undefined || explain(input).failure === undefined) return [input, () => []];
  const note = () => [element('p', { class: 'remark' }, 'With the base: ', code(canonical))];
  return [canonical, note];
}

/** For a field in which nothing stands yet: that is not a mistake. */
export function showNothing(): string {
  const sentence = 'Type or paste a URL, or choose an example.';
  byId('text', HTMLTextAreaElement).removeAttribute('aria-invalid');
  for (const id of ['url-view', 'safe-browsing-view', 'hashed-uri-view', 'hash-uri-view']) fill(id, []);
  fill('result', [element('p', { class: 'remark' }, sentence)]);
  return sentence;
}

function fill(id: string, contents: readonly HTMLElement[]): void {
  byId(id, HTMLDivElement).replaceChildren(...contents);
}
