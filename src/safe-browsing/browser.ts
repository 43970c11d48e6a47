import { BACKSLASH, SLASH } from '../bytes/code-points.ts';
import { Failure } from '../url/failure.ts';
import { parseUrl } from '../url/parser.ts';
import { asciiText } from './bytes.ts';
import { failure, type SafeBrowsingFailure } from './failure.ts';
import { schemeColon } from './scheme.ts';

/**
 * What a browser visits for bytes [start, end), by the URL Standard, without userinfo, port and fragment, in
 * which the page's steps would look for delimiters. An input without a scheme gets http, as in the pages'
 * examples; `//host` and `\\host` do not: they mean nothing outside of another page.
 */
export function browserUrl(bytes: Uint8Array, start: number, end: number): string | SafeBrowsingFailure {
  const text = escapedText(bytes, start, end);
  const first = start < end ? bytes[start] : SLASH;
  const lacksScheme = first !== SLASH && first !== BACKSLASH && schemeColon(bytes, start, end) === -1;
  const record = parseUrl(lacksScheme ? `http://${text}` : text, undefined);
  if (record instanceof Failure) return record;
  if (!record.isSpecial || record.scheme === 'file') return failure('scheme-unusable');
  return `${record.scheme}://${record.host}${record.path}${record.query === null ? '' : `?${record.query}`}`;
}

/**
 * With bytes >= 0x80 as escapes: in path and query the parser would write them so, and in a host it decodes
 * them. So what is not UTF-8 is kept as it is, where a decoder would have put U+FFFD in its place.
 */
function escapedText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let copied = start;
  for (let at = start; at < end; at++) {
    if (bytes[at]! < 0x80) continue;
    text += `${asciiText(bytes, copied, at)}%${bytes[at]!.toString(16)}`;
    copied = at + 1;
  }
  return text + asciiText(bytes, copied, end);
}
