import { BACKSLASH, codeAt, FULL_STOP, isAsciiDigit, PERCENT, SLASH } from '../bytes/code-points.ts';
import { isAuthorityEnd } from './authority.ts';
import { endsInNumber } from './ip-address.ts';
import { isMember, PATH } from './percent.ts';

// Texts that are canonical as they are. Most components are, and one pass over them says so: half the parser's time.

/** A path without `/.` or `/%` has no dot segment; a letter after the host's last dot: it is not an IPv4 address. */
const PROVEN =
  /^https?:\/\/(?:[-.a-z\d]*\.)?[a-z][-a-z\d]*\/(?![.%])[!$-.0-;=@-[\]_a-z|~]*(?:\/(?![.%])[!$-.0-;=@-[\]_a-z|~]*)*(?:\?[!$-&(-;=?-~]*)?(?:#[!#-;=?-_a-~]*)?$/;

/** The longest text that is matched, in UTF-16 units: the engine's stack grows with the number of segments. */
const MATCHED_LENGTH = 4096;

/**
 * Whether a text is a canonical http or https URL as it is, whatever the base. One regular expression takes a quarter
 * of the time of the parser and the serializer: engines read a string's units faster in it than one by one.
 */
export function isProven(text: string): boolean {
  return text.length <= MATCHED_LENGTH && PROVEN.test(text);
}

/** Returns the domain at `at` if it is all of the authority and no parser changes it; otherwise ''. */
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

/** Returns the end of the run at `at`, after a slash, with nothing to escape, no backslash and no dot segment. */
export function provenPathEnd(input: string, at: number): number {
  let before = SLASH;
  let end = at;
  for (; end < input.length; end++) {
    const code = input.charCodeAt(end);
    if (isMember(code, PATH) || code === BACKSLASH) break;
    if (before === SLASH && (code === FULL_STOP || code === PERCENT)) break;
    before = code;
  }
  return end;
}
