import { BACKSLASH, codeAt, FULL_STOP, isAsciiDigit, PERCENT, SLASH } from '../bytes/code-points.ts';
import { isAuthorityEnd } from './authority.ts';
import { endsInNumber } from './ipv4.ts';
import { PATH, SETS } from './percent.ts';

// What is canonical as it stands. Most components are, and one pass over them says so: half the parser's time.

/** What has no `/.` or `/%` in its path holds no dot segment; after its last dot, a letter: no IPv4 address. */
const PROVEN =
  /^https?:\/\/(?:[-.a-z\d]*\.)?[a-z][-a-z\d]*\/(?![.%])[!$-.0-;=@-[\]_a-z|~]*(?:\/(?![.%])[!$-.0-;=@-[\]_a-z|~]*)*(?:\?[!$-&(-;=?-~]*)?(?:#[!#-;=?-_a-~]*)?$/;

/** UTF-16 units of a text that is matched: the engine's stack grows with the number of segments. */
const MATCHED_LENGTH = 4096;

/**
 * Is a text a canonical http or https URL as it stands, whatever the base? One regular expression takes a quarter of
 * the time of the parser and the serializer: engines read a string's units faster in it than one by one.
 */
export function isProven(text: string): boolean {
  return text.length <= MATCHED_LENGTH && PROVEN.test(text);
}

/** The domain at `at`, where it is all of the authority and no parser changes it; else ''. */
export function provenDomain(input: string, at: number): string {
  let end = at;
  while (isProvenInDomain(codeAt(input, end))) end++;
  if (!isAuthorityEnd(input, end, true)) return '';
  const domain = input.slice(at, end);
  return endsInNumber(domain) ? '' : domain;
}

function isProvenInDomain(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || isAsciiDigit(code) || code === 0x2d || code === FULL_STOP;
}

/** The end of the run at `at`, after a slash, with nothing to escape, no backslash and no dot segment. */
export function provenPathEnd(input: string, at: number): number {
  let before = SLASH;
  let end = at;
  for (; end < input.length; end++) {
    const code = input.charCodeAt(end);
    if (code > 0x7e || (SETS[code]! & PATH) !== 0 || code === BACKSLASH) break;
    if (before === SLASH && (code === FULL_STOP || code === PERCENT)) break;
    before = code;
  }
  return end;
}
