import {
  BACKSLASH,
  codeAt,
  FULL_STOP,
  isAsciiDigit,
  LONE_SURROGATE,
  NUMBER_SIGN,
  PERCENT,
  QUESTION_MARK,
  SLASH,
  SPACE,
} from '../bytes/code-points.ts';
import { authorityEnd, isAuthorityEnd, isPathEnd, isSlash, parseAuthority, parseHost } from './authority.ts';
import { Failure, failure, type Trace, type UrlSteps } from './failure.ts';
import { DEFAULT_UNICODE } from './idna.ts';
import { endsInNumber } from './ip-address.ts';
import {
  isDriveLetter,
  isNormalizedDriveLetter,
  parseOpaquePath,
  parsePath,
  shortenedPath,
  startsWithDriveLetter,
} from './path.ts';
import { FRAGMENT, isMember, PATH, percentEncode, QUERY, SPECIAL_QUERY } from './percent.ts';
import { emptyRecord, schemeEnd, schemeOf, type UrlRecord } from './record.ts';
import type { UnicodeVersion } from './unicode.ts';

/** What a URL without a scheme may be read with. */
export const DEFAULT_SCHEMES = ['http', 'https'] as const;
/** A scheme that a URL without one may be read with. */
export type DefaultScheme = 'http' | 'https';

/** Neither a scheme nor what is relative to a URL; what would be a scheme is a host if it has a dot and a port follows. */
const LACKS_SCHEME =
  /^(?=[^/\\?#])(?:(?![a-z][-+.a-z\d]*:)|(?=(?:[a-z][-+a-z\d]*\.[-+.a-z\d]*|localhost):\d+(?:$|[/?#])))/i;

/** Puts the scheme and `//` before a text that lacks one. */
export function withDefaultScheme(input: string, scheme: DefaultScheme): string {
  return input.replace(LACKS_SCHEME, `${scheme}://`);
}

/** What a text without a scheme is read by: the URL that it is relative to, or the scheme that it gets. */
export type Base = UrlRecord | DefaultScheme;

/**
 * The basic URL parser, without encodings or state override: one function per state, each going forward from the
 * position it is given. https://url.spec.whatwg.org/#concept-basic-url-parser
 */
export function parseUrl(
  text: string,
  base: Base | undefined,
  unicode: UnicodeVersion = DEFAULT_UNICODE,
  trace?: Trace<UrlSteps>,
): UrlRecord | Failure {
  const input = withoutTabsAndNewlines(withoutC0ControlsAround(text));
  if (typeof base === 'string') return parseUrl(withDefaultScheme(input, base), undefined, unicode, trace);
  const colon = schemeEnd(input);
  if (colon === -1) return noScheme(input, base, unicode, trace);
  return afterScheme(input, colon + 1, emptyRecord(schemeOf(input, colon), unicode, trace), base);
}

// Not a regular expression: /[\0- ]+$/ takes quadratic time on a long inner run of spaces.
export function withoutC0ControlsAround(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && codeAt(text, start) <= SPACE) start++;
  while (end > start && codeAt(text, end - 1) <= SPACE) end--;
  return text.slice(start, end);
}

const TAB_OR_NEWLINE = /[\t\n\r]/;
const TABS_AND_NEWLINES = /[\t\n\r]+/g;

/** Lone surrogates become U+FFFD first, as in any USVString: two that a newline separates must not become a pair. */
export function withoutTabsAndNewlines(text: string): string {
  return TAB_OR_NEWLINE.test(text) ? text.replace(LONE_SURROGATE, '\ufffd').replace(TABS_AND_NEWLINES, '') : text;
}

// https://url.spec.whatwg.org/#scheme-state, after the colon
function afterScheme(input: string, at: number, url: UrlRecord, base: UrlRecord | undefined): UrlRecord | Failure {
  if (url.scheme === 'file') return fileState(input, at, url, base?.scheme === 'file' ? base : undefined);
  if (url.isSpecial) {
    const isRelative = base?.scheme === url.scheme && !input.startsWith('//', at);
    return isRelative ? relativeState(input, at, url, base) : specialAuthority(input, at, url);
  }
  if (input.startsWith('//', at)) return authorityState(input, at + 2, url);
  if (codeAt(input, at) === SLASH) return pathState(input, at + 1, url, '');
  return opaquePathState(input, at, url);
}

// https://url.spec.whatwg.org/#no-scheme-state
function noScheme(
  input: string,
  base: UrlRecord | undefined,
  unicode: UnicodeVersion,
  trace: Trace<UrlSteps> | undefined,
): UrlRecord | Failure {
  if (base === undefined) return failure('missing-scheme-non-relative-URL');
  const url = emptyRecord(base.scheme, unicode, trace);
  if (base.scheme === 'file') return fileState(input, 0, url, base);
  if (!base.hasOpaquePath) return relativeState(input, 0, url, base);
  if (codeAt(input, 0) !== NUMBER_SIGN) return failure('missing-scheme-non-relative-URL');
  return queryAndFragment(input, 0, Object.assign(url, base, { fragment: null, unicode, trace }));
}

// https://url.spec.whatwg.org/#relative-state and #relative-slash-state
function relativeState(input: string, at: number, url: UrlRecord, base: UrlRecord): UrlRecord | Failure {
  const { isSpecial } = url;
  if (isSlash(input, at, isSpecial)) {
    if (isSpecial && isSlash(input, at + 1, true)) return specialAuthority(input, at + 2, url);
    if (!isSpecial && codeAt(input, at + 1) === SLASH) return authorityState(input, at + 2, url);
    copyAuthority(url, base);
    return pathState(input, at + 1, url, '');
  }
  copyAuthority(url, base);
  return relativePath(input, at, url, base);
}

function copyAuthority(url: UrlRecord, base: UrlRecord): void {
  url.username = base.username;
  url.password = base.password;
  url.host = base.host;
  url.port = base.port;
  url.hasUnicodeHost = base.hasUnicodeHost;
}

/** Parses what follows the base's path, or its query, or replaces its last segment. */
function relativePath(input: string, at: number, url: UrlRecord, base: UrlRecord): UrlRecord {
  if (!isPathEnd(input, at)) {
    return pathState(input, at, url, shortenedPath(base.path, base.scheme));
  }
  url.path = base.path;
  url.query = base.query;
  return queryAndFragment(input, at, url);
}

// https://url.spec.whatwg.org/#special-authority-slashes-state and #special-authority-ignore-slashes-state
function specialAuthority(input: string, at: number, url: UrlRecord): UrlRecord | Failure {
  let start = at;
  while (isSlash(input, start, true)) start++;
  return authorityState(input, start, url);
}

function authorityState(input: string, at: number, url: UrlRecord): UrlRecord | Failure {
  url.trace?.('authority', at);
  const domain = url.isSpecial ? provenDomain(input, at) : '';
  if (domain !== '') {
    url.host = domain;
    return pathStart(input, at + domain.length, url);
  }
  const end = authorityEnd(input, at, url.isSpecial);
  return parseAuthority(input.slice(at, end), url) ?? pathStart(input, end, url);
}

// https://url.spec.whatwg.org/#path-start-state
function pathStart(input: string, at: number, url: UrlRecord): UrlRecord {
  if (isSlash(input, at, url.isSpecial)) return pathState(input, at + 1, url, '');
  if (isPathEnd(input, at) && !url.isSpecial) return queryAndFragment(input, at, url);
  return pathState(input, at, url, '');
}

/** `at` is after the slash that opens the path; `basePath` is what its segments are resolved against. */
function pathState(input: string, at: number, url: UrlRecord, basePath: string): UrlRecord {
  let end = provenPathEnd(input, at);
  if (isPathEnd(input, end) && !(url.scheme === 'file' && startsWithDriveLetter(input, at))) {
    url.path = `${basePath}/${input.slice(at, end)}`;
  } else {
    end = pathEnd(input, end);
    url.path = parsePath(input.slice(at, end), url, basePath);
  }
  return queryAndFragment(input, end, url);
}

// https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state
function opaquePathState(input: string, at: number, url: UrlRecord): UrlRecord {
  const end = pathEnd(input, at);
  url.path = parseOpaquePath(input.slice(at, end), end < input.length);
  url.hasOpaquePath = true;
  return queryAndFragment(input, end, url);
}

function pathEnd(input: string, at: number): number {
  let end = at;
  while (!isPathEnd(input, end)) end++;
  return end;
}

// https://url.spec.whatwg.org/#query-state and #fragment-state; `at` is at the end of the input, a '?' or a '#'
function queryAndFragment(input: string, at: number, url: UrlRecord): UrlRecord {
  const hash = input.indexOf('#', at);
  const queryEnd = hash === -1 ? input.length : hash;
  url.trace?.('pathEnd', at);
  if (codeAt(input, at) === QUESTION_MARK) {
    url.query = percentEncode(input.slice(at + 1, queryEnd), url.isSpecial ? SPECIAL_QUERY : QUERY);
  }
  if (hash !== -1) url.fragment = percentEncode(input.slice(hash + 1), FRAGMENT);
  return url;
}

// https://url.spec.whatwg.org/#file-state
function fileState(input: string, at: number, url: UrlRecord, base: UrlRecord | undefined): UrlRecord | Failure {
  url.host = '';
  if (isSlash(input, at, true)) {
    return isSlash(input, at + 1, true) ? fileHost(input, at + 2, url) : fileSlash(input, at + 1, url, base);
  }
  if (base === undefined) return pathState(input, at, url, '');
  copyAuthority(url, base);
  return startsWithDriveLetter(input, at) ? pathState(input, at, url, '') : relativePath(input, at, url, base);
}

// https://url.spec.whatwg.org/#file-slash-state
function fileSlash(input: string, at: number, url: UrlRecord, base: UrlRecord | undefined): UrlRecord {
  if (base === undefined) return pathState(input, at, url, '');
  copyAuthority(url, base);
  const drive = base.path.slice(0, 3);
  const keepsDrive =
    !startsWithDriveLetter(input, at) &&
    isNormalizedDriveLetter(drive.slice(1)) &&
    (base.path.length === 3 || base.path[3] === '/');
  return pathState(input, at, url, keepsDrive ? drive : '');
}

// https://url.spec.whatwg.org/#file-host-state
function fileHost(input: string, at: number, url: UrlRecord): UrlRecord | Failure {
  const end = authorityEnd(input, at, true);
  const text = input.slice(at, end);
  if (isDriveLetter(text)) return pathState(input, at, url, '');
  url.trace?.('authority', at);
  if (text !== '') {
    const host = parseHost(text, url);
    if (host instanceof Failure) return host;
    url.host = host === 'localhost' ? '' : host;
  }
  return pathStart(input, end, url);
}

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
