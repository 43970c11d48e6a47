// Names of parameters as options, profiles and site rules have them; docs/parameters.md defines how they are compared.

import { mustBeString } from '../argument.ts';
import { asciiText, textEncoder } from '../bytes/text.ts';
import { quote } from '../quote.ts';
import { TRACKING_2026 } from './parameters.ts';

/**
 * Lists of parameters that exist only to track. A list never changes: URLs hashed with it would get other hashes. A later
 * one has another name.
 */
export const TRACKING_LISTS: Readonly<Record<string, string>> = { 'tracking-2026': TRACKING_2026 };

/** Says what a name must and is not, or returns undefined for one that can be a name. */
export function nameProblem(name: string): string | undefined {
  if (!/^[^*]+\*?$/.test(name)) return "be a name, with '*' only at its end";
  return !/\p{Surrogate}/u.test(name) ? undefined : 'not hold a lone surrogate';
}

/** @throws {TypeError | RangeError} where an option's value is not a name */
export function mustBeName(argument: string, name: string): void {
  const problem = nameProblem(mustBeString(argument, name));
  if (problem !== undefined) throw new RangeError(`${argument} must ${problem}, got ${quote(name)}`);
}

/** Returns each name once, in the order of their UTF-8 bytes, which is the order of code points. */
export function sortedNames(names: readonly string[]): string[] {
  const bytesOf = (name: string) => asciiText(textEncoder().encode(name));
  return [...new Set(names)].sort((one, other) => (bytesOf(one) < bytesOf(other) ? -1 : 1));
}

/** Escapes a name: encodeURIComponent leaves `!'()` and any `*` besides letters, digits and `-._~`. */
export function escapedName(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()]|\*(?!$)/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Decodes a name; a malformed one becomes '', which is not a name. */
export function unescapedName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
