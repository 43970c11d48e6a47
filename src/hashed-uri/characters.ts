import { percentEncode, USERINFO } from '../url/percent.ts';
import { Failure } from './failure.ts';

// RFC 2396 section 2: unreserved and reserved characters, '#' and whole escapes; RFC 2732 adds the brackets.
const EXCLUDED = /[^A-Za-z0-9\-_.!~*'();/?:@&=+$,[\]#%]|%(?![0-9A-Fa-f]{2})/;
const ALL_EXCLUDED = new RegExp(EXCLUDED, 'gu');

/** A second '#' would stand in the fragment, where RFC 2396 section 2.4.3 has none. */
export function excludedCharacter(text: string): Failure | undefined {
  const at = text.search(EXCLUDED);
  if (at !== -1) return new Failure(text[at] === '%' ? 'escape-malformed' : 'character-excluded', at);
  const second = text.indexOf('#', text.indexOf('#') + 1);
  return second > text.indexOf('#') ? new Failure('character-excluded', second) : undefined;
}

/** Escapes what no URI may hold as UTF-8; whole escapes stay. A lone surrogate becomes U+FFFD. */
export function escapeExcluded(text: string): string {
  const fragment = text.indexOf('#') + 1 || text.length;
  return escapeCharacters(text.slice(0, fragment)) + escapeCharacters(text.slice(fragment)).replaceAll('#', '%23');
}

function escapeCharacters(text: string): string {
  return text.replace(ALL_EXCLUDED, (character) => (character === '%' ? '%25' : percentEncode(character, USERINFO)));
}

/** The escapes of RFC 2396's unreserved characters, which are not those of RFC 3986: ! * ' ( ) are among them. */
const UNRESERVED_ESCAPES = /%(?:2[1789ADE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/** Decodes them once: what an escaped percent sign begins stays as it is. RFC 2396 section 2.4.2 */
export function unescapeUnreserved(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(UNRESERVED_ESCAPES, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}
