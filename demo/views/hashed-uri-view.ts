import type { Explanation } from '../../src/entries/explain.ts';
import { explain } from '../../src/entries/explain.ts';
import { hash, type Variant } from '../../src/entries/hashed-uri.ts';
import type { ExplainHashedUriOptions } from '../../src/specs/explain/explain.ts';
import type { State } from '../state.ts';
import { element } from '../widgets/element.ts';
import { rows, value } from '../widgets/value.ts';
import { failureView } from './failure-view.ts';
import { wholeSteps } from './step-list.ts';

const VARIANTS: readonly (readonly [Variant, string])[] = [
  ['N', 'prefers to keep URIs apart'],
  ['P', 'prefers to match them'],
];

/** Both variants: the draft's steps, the canonical form, and its two hashed URIs. */
export function hashedUriView(uri: string, { keep, excluded }: Pick<State, 'keep' | 'excluded'>): HTMLElement[] {
  const columns: HTMLElement[] = [];
  for (const [variant, meaning] of VARIANTS) {
    const options = { specification: 'hashed-uri', variant, keep, readings: { excluded } } as const;
    const explanation = explain(uri, options);
    // what is not a URI is none in either variant
    if (explanation.failure !== undefined) return [failureView(explanation, explanation.failure)];
    columns.push(variantView(explanation, options, meaning));
  }
  return [element('div', { class: 'columns' }, ...columns)];
}

function variantView(
  explanation: Extract<Explanation, { canonical: string }>,
  options: ExplainHashedUriOptions,
  meaning: string,
): HTMLElement {
  const { specification: _, ...hashOptions } = options;
  const { variant } = options;
  const hashed = (algorithm: string) =>
    value(`hashed URI, ${variant}, ${algorithm}`, hash(explanation.input, { ...hashOptions, algorithm }).toString());
  return element(
    'div',
    {},
    element('h3', {}, `Variant ${variant}`, element('span', { class: 'meaning' }, ` ${meaning}`)),
    wholeSteps(explanation),
    rows(
      ['canonical', value(`canonical form, ${variant}`, explanation.canonical)],
      ['sha1', hashed('sha1')],
      ['md5', hashed('md5')],
    ),
  );
}
