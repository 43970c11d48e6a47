import { escapeExcluded, excludedCharacter, unescapeUnreserved } from './characters.ts';
import { Failure } from './failure.ts';
import { type HierarchicalUri, kept, recompose, STEPS } from './hierarchical.ts';
import type { KeepFlag, Readings, Variant } from './options.ts';
import { type AbsoluteUri, isAbsolute, parseReference, resolve } from './reference.ts';

/** The text that is hashed, and what of `keep` was there to be retained: the flags of the hashed URI. */
export interface CanonicalForm {
  readonly text: string;
  readonly keep: readonly KeepFlag[];
}

/**
 * The absolute URI that `text` stands for, its characters checked or escaped. It is resolved before a query
 * is removed, although section 4.3 numbers them the other way: without its query, `?y` would become the base
 * itself, the base's own query included.
 */
export function absoluteUri(
  text: string,
  base: AbsoluteUri | undefined,
  readings: Required<Readings>,
  tell?: Tell,
): AbsoluteUri | Failure {
  const excluded = readings.excluded === 'reject' ? excludedCharacter(text) : undefined;
  if (excluded !== undefined) return excluded;
  const escaped = readings.excluded === 'escape' ? escapeExcluded(text) : text;
  tell?.('escaped', escaped);
  const reference = parseReference(escaped, readings.opaqueQuery);
  if (reference instanceof Failure || isAbsolute(reference)) return reference;
  return base === undefined ? new Failure('scheme-missing') : resolve(reference, base);
}

/**
 * Is called with each step that is taken and the URI after it, for `urlsum/explain`. A number is a step of appendix A,
 * 2 what it has split after section 4.3 (1) and (2).
 */
export type Tell = (step: 'escaped' | 'absolute' | 'retained' | number, uri: string) => void;

/** Sections 4.3 (1) and (2), with appendix A for hierarchical URIs. */
export function canonicalForm(
  uri: AbsoluteUri,
  variant: Variant,
  keep: readonly KeepFlag[],
  readings: Required<Readings>,
  tell?: Tell,
): CanonicalForm {
  const fragment = keep.includes('frag') ? uri.fragment : undefined;
  const query = keep.includes('query') ? uri.query : undefined;
  tell?.('absolute', recompose(uri));
  tell?.('retained', recompose({ ...uri, query, fragment }));
  const retained: KeepFlag[] = [];
  if (fragment) retained.push('frag');
  if (query) retained.push('query');
  const text = uri.isOpaque
    ? opaqueText(uri, query, fragment)
    : hierarchicalText({ ...uri, query, fragment }, variant, readings, tell);
  return { text, keep: retained };
}

function opaqueText({ scheme, path }: AbsoluteUri, query: string | undefined, fragment: string | undefined): string {
  return `${scheme}:${path}${kept('?', query)}${kept('#', fragment)}`;
}

function hierarchicalText(
  uri: AbsoluteUri,
  variant: Variant,
  readings: Required<Readings>,
  tell: Tell | undefined,
): string {
  const parts = decompose(uri);
  if (readings.unescapedSchemes.includes(uri.scheme)) unescapeParts(parts, readings);
  tell?.(2, recompose(parts));
  for (const { number, variants, apply } of STEPS) {
    if (!variants.includes(variant)) continue;
    apply(parts, variant, readings);
    tell?.(number, recompose(parts));
  }
  return recompose(parts);
}

/** Step 2. */
function decompose({ scheme, authority, path, query, fragment }: AbsoluteUri): HierarchicalUri {
  return { scheme, authority, path, query, fragment };
}

/** What section 4.3 (2) leaves to the scheme, on the path and the user: no host has escapes in RFC 2396. */
function unescapeParts(uri: HierarchicalUri, { unescapeKept }: Required<Readings>): void {
  uri.path = unescapeUnreserved(uri.path);
  if (uri.authority?.isTriple && uri.authority.user !== '')
    uri.authority = { ...uri.authority, user: unescapeUnreserved(uri.authority.user) };
  if (!unescapeKept) return;
  uri.query &&= unescapeUnreserved(uri.query);
  uri.fragment &&= unescapeUnreserved(uri.fragment);
}
