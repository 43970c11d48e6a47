import { Failure } from '../../src/core/url/failure.ts';
import type { Span } from '../../src/entries/explain.ts';
import { hash, type Variant } from '../../src/entries/hashed-uri.ts';
import { canonicalizer } from '../../src/specs/hashed-uri/canonicalize.ts';
import type { UriFailure } from '../../src/specs/hashed-uri/failure.ts';
import type { State } from '../state.ts';
import { element } from '../widgets/element.ts';
import { rows, value } from '../widgets/value.ts';
import { failureView } from './failure-view.ts';

const VARIANTS: readonly (readonly [Variant, string])[] = [
  ['N', 'prefers to keep URIs apart'],
  ['P', 'prefers to match them'],
];

/** Shows the canonical form and the two hashed URIs of either variant. */
export function hashedUriView(uri: string, { keep, excluded }: Pick<State, 'keep' | 'excluded'>): HTMLElement[] {
  const columns: HTMLElement[] = [];
  for (const [variant, meaning] of VARIANTS) {
    const options = { variant, keep, readings: { excluded } } as const;
    const form = canonicalizer(options)(uri);
    // a URI that one variant refuses, the other refuses too
    if (form instanceof Failure) return [failureView(uri, { ...form, span: spanOf(uri, form) })];
    const hashed = (algorithm: string) =>
      value(`hashed URI, ${variant}, ${algorithm}`, hash(uri, { ...options, algorithm }).toString());
    columns.push(
      element(
        'div',
        {},
        element('h3', {}, `Variant ${variant}`, element('span', { class: 'meaning' }, ` ${meaning}`)),
        rows(
          ['canonical', value(`canonical form, ${variant}`, form.text)],
          ['sha1', hashed('sha1')],
          ['md5', hashed('md5')],
        ),
      ),
    );
  }
  return [element('div', { class: 'columns' }, ...columns)];
}

/** Returns the span of the character at fault, or of the scheme; undefined where neither is to blame. */
function spanOf(uri: string, { reason, place, position }: UriFailure): Span | undefined {
  if (position !== undefined) return [position, position + String.fromCodePoint(uri.codePointAt(position)!).length];
  if (place === 'scheme') return [0, reason === 'scheme-malformed' ? uri.indexOf(':') : 0];
  return undefined;
}
