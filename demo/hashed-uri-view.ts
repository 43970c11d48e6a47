import { canonicalizer } from '../src/hashed-uri/canonicalize.ts';
import { Failure } from '../src/hashed-uri/failure.ts';
import { canonicalize, explain, hash, type Part, type Variant } from '../src/hashed-uri/index.ts';
import { element } from './element.ts';
import { failureView } from './failure-view.ts';
import { chained, stepList } from './step-list.ts';
import { rows, value } from './value.ts';

export interface HashedUriChoice {
  readonly keep: readonly Part[];
  readonly excluded: 'reject' | 'escape';
}

/** The steps of appendix A in words; 2 stands for section 4.3 (1) and (2) as well. */
const STEP_NAMES: Readonly<Record<number, string>> = {
  2: 'what is not kept removed, escapes decoded',
  3: 'the default port deleted',
  4: 'lower-cased',
  5: 'leading zeroes removed',
  6: 'empty segments removed',
  7: 'suffix shortened',
  8: 'index file removed',
};

const VARIANTS: readonly (readonly [Variant, string])[] = [
  ['N', 'rather keeps URIs apart'],
  ['P', 'rather takes them for the same'],
];

/** Both variants: the draft's steps, the canonical form, and its two hashed URIs. */
export function hashedUriView(uri: string, choice: HashedUriChoice): HTMLElement[] {
  const failed = VARIANTS.map(([variant]) => canonicalizer({ variant, ...optionsOf(choice) })(uri)).find(
    (form) => form instanceof Failure,
  );
  if (failed instanceof Failure)
    return [failureView({ input: uri, span: spanOf(uri, failed), sentence: failed.sentence, reason: failed.reason })];
  return [
    element(
      'div',
      { class: 'columns' },
      ...VARIANTS.map(([variant, meaning]) => variantView(uri, variant, meaning, choice)),
    ),
  ];
}

function optionsOf({ keep, excluded }: HashedUriChoice) {
  return { keep, readings: { excluded } };
}

/** The character a failure lies at, or the start, where a scheme is missing. */
function spanOf(uri: string, { position }: Failure): readonly [number, number] {
  return position === undefined ? [0, 0] : [position, position + characterLength(uri, position)];
}

function characterLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function variantView(uri: string, variant: Variant, meaning: string, choice: HashedUriChoice): HTMLElement {
  const options = { variant, ...optionsOf(choice) };
  const steps = explain(uri, options).map(({ step, text }) => ({ text, note: `step ${step}: ${STEP_NAMES[step]}` }));
  const hashed = (algorithm: string) =>
    value(`hashed URI, ${variant}, ${algorithm}`, hash(uri, { ...options, algorithm }).toString());
  return element(
    'div',
    {},
    element('h3', {}, `Variant ${variant}`, element('span', { class: 'meaning' }, ` ${meaning}`)),
    stepList(chained(uri, steps)),
    rows(
      ['canonical', value(`canonical form, ${variant}`, canonicalize(uri, options))],
      ['sha1', hashed('sha1')],
      ['md5', hashed('md5')],
    ),
  );
}
