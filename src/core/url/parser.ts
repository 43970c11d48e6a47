import {
  asciiLowercase,
  BACKSLASH,
  CARRIAGE_RETURN,
  codeAt,
  FULL_STOP,
  isAsciiDigit,
  LINE_FEED,
  NUMBER_SIGN,
  PERCENT,
  QUESTION_MARK,
  SLASH,
  SPACE,
  TAB,
  toWellFormed,
} from '../bytes/code-points.ts';
import { TextWriter } from '../bytes/text-writer.ts';
import {
  authorityEnd,
  isAuthorityEnd,
  isDigitHyphenOrDot,
  isPathEnd,
  isSlash,
  parseAuthority,
  parseHost,
} from './authority.ts';
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
import { schemeEnd, schemeOf, UrlRecord } from './record.ts';
import { UrlTrace } from './trace.ts';

/** Puts the scheme and `//` before a text that lacks one. */
export function withDefaultScheme(input: string, scheme: string): string {
  return lacksScheme(input) ? `${scheme}://${input}` : input;
}

/** Neither a scheme nor what is relative to a URL; what would be a scheme is a host if it has a dot and a port follows. */
function lacksScheme(input: string): bool {
  if (isAuthorityEnd(input, 0, true)) return false;
  const colon = schemeEnd(input);
  if (colon === -1) return true;
  const host = asciiLowercase(input.slice(0, colon));
  if (host !== 'localhost' && !host.includes('.')) return false;
  let end = colon + 1;
  while (isAsciiDigit(codeAt(input, end))) end++;
  return end > colon + 1 && isAuthorityEnd(input, end, false);
}

/**
 * The basic URL parser, without encodings or state override: one function per state, each going forward from the
 * position it is given and returning whether the input is a URL. A text without a scheme is relative to `base`, or gets
 * `defaultScheme` unless that is ''. https://url.spec.whatwg.org/#concept-basic-url-parser
 */
export function parseUrl(
  text: string,
  base: UrlRecord | null,
  defaultScheme: string,
  unicode: i32,
  trace: UrlTrace | null,
): UrlRecord {
  let input = withoutTabsAndNewlines(withoutC0ControlsAround(text));
  if (defaultScheme !== '') input = withDefaultScheme(input, defaultScheme);
  const colon = schemeEnd(input);
  const scheme = colon !== -1 ? schemeOf(input, colon) : base !== null ? base.scheme : '';
  const url = new UrlRecord(scheme, unicode, trace);
  if (colon === -1) noScheme(input, url, base);
  else afterScheme(input, colon + 1, url, base);
  return url;
}

// Not a regular expression: /[\0- ]+$/ takes quadratic time on a long inner run of spaces.
export function withoutC0ControlsAround(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && codeAt(text, start) <= SPACE) start++;
  while (end > start && codeAt(text, end - 1) <= SPACE) end--;
  return text.slice(start, end);
}

/** Lone surrogates become U+FFFD first, as in any USVString: two that a newline separates must not become a pair. */
export function withoutTabsAndNewlines(text: string): string {
  return ASC_TARGET === 0 ? withoutTabsByPattern(text) : withoutTabUnits(toWellFormed(text));
}

/** Takes a fifth of the time of a loop, in which engines read a string's units one by one. */
function withoutTabsByPattern(text: string): string {
  return /[\t\n\r]/.test(text) ? toWellFormed(text).replace(/[\t\n\r]+/g, '') : text;
}

function withoutTabUnits(text: string): string {
  const kept = new TextWriter();
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== TAB && code !== LINE_FEED && code !== CARRIAGE_RETURN) kept.addUnit(code);
  }
  return kept.toString();
}

// https://url.spec.whatwg.org/#scheme-state, after the colon
function afterScheme(input: string, at: i32, url: UrlRecord, base: UrlRecord | null): bool {
  const sameBase = base !== null && base.scheme === url.scheme ? base : null;
  if (url.scheme === 'file') return fileState(input, at, url, sameBase);
  if (url.isSpecial) {
    if (sameBase === null || input.startsWith('//', at)) return specialAuthority(input, at, url);
    return relativeState(input, at, url, sameBase);
  }
  if (input.startsWith('//', at)) return authorityState(input, at + 2, url);
  if (codeAt(input, at) === SLASH) return pathState(input, at + 1, url, '');
  return opaquePathState(input, at, url);
}

// https://url.spec.whatwg.org/#no-scheme-state
function noScheme(input: string, url: UrlRecord, base: UrlRecord | null): bool {
  if (base === null) return url.fail('missing-scheme-non-relative-URL');
  if (base.scheme === 'file') return fileState(input, 0, url, base);
  if (!base.hasOpaquePath) return relativeState(input, 0, url, base);
  if (codeAt(input, 0) !== NUMBER_SIGN) return url.fail('missing-scheme-non-relative-URL');
  url.path = base.path;
  url.hasOpaquePath = true;
  url.query = base.query;
  return queryAndFragment(input, 0, url);
}

// https://url.spec.whatwg.org/#relative-state and #relative-slash-state
function relativeState(input: string, at: i32, url: UrlRecord, base: UrlRecord): bool {
  const isSpecial = url.isSpecial;
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
function relativePath(input: string, at: i32, url: UrlRecord, base: UrlRecord): bool {
  if (!isPathEnd(input, at)) {
    return pathState(input, at, url, shortenedPath(base.path, base.scheme));
  }
  url.path = base.path;
  url.query = base.query;
  return queryAndFragment(input, at, url);
}

// https://url.spec.whatwg.org/#special-authority-slashes-state and #special-authority-ignore-slashes-state
function specialAuthority(input: string, at: i32, url: UrlRecord): bool {
  let start = at;
  while (isSlash(input, start, true)) start++;
  return authorityState(input, start, url);
}

function authorityState(input: string, at: i32, url: UrlRecord): bool {
  const trace = url.trace;
  if (trace !== null) trace.authority(at);
  const domain = url.isSpecial ? provenDomain(input, at) : '';
  if (domain !== '') {
    url.host = domain;
    return pathStart(input, at + domain.length, url);
  }
  const end = authorityEnd(input, at, url.isSpecial);
  return parseAuthority(input.slice(at, end), url) && pathStart(input, end, url);
}

// https://url.spec.whatwg.org/#path-start-state
function pathStart(input: string, at: i32, url: UrlRecord): bool {
  if (isSlash(input, at, url.isSpecial)) return pathState(input, at + 1, url, '');
  if (isPathEnd(input, at) && !url.isSpecial) return queryAndFragment(input, at, url);
  return pathState(input, at, url, '');
}

/** `at` is after the slash that opens the path; `basePath` is what its segments are resolved against. */
function pathState(input: string, at: i32, url: UrlRecord, basePath: string): bool {
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
function opaquePathState(input: string, at: i32, url: UrlRecord): bool {
  const end = pathEnd(input, at);
  url.path = parseOpaquePath(input.slice(at, end), end < input.length);
  url.hasOpaquePath = true;
  return queryAndFragment(input, end, url);
}

function pathEnd(input: string, at: i32): i32 {
  let end = at;
  while (!isPathEnd(input, end)) end++;
  return end;
}

// https://url.spec.whatwg.org/#query-state and #fragment-state; `at` is at the end of the input, a '?' or a '#'
function queryAndFragment(input: string, at: i32, url: UrlRecord): bool {
  const hash = input.indexOf('#', at);
  const queryEnd = hash === -1 ? input.length : hash;
  const trace = url.trace;
  if (trace !== null) trace.pathEnd(at);
  if (codeAt(input, at) === QUESTION_MARK) {
    url.query = percentEncode(input.slice(at + 1, queryEnd), url.isSpecial ? SPECIAL_QUERY : QUERY);
  }
  if (hash !== -1) url.fragment = percentEncode(input.slice(hash + 1), FRAGMENT);
  return true;
}

// https://url.spec.whatwg.org/#file-state
function fileState(input: string, at: i32, url: UrlRecord, base: UrlRecord | null): bool {
  url.host = '';
  if (isSlash(input, at, true)) {
    return isSlash(input, at + 1, true) ? fileHost(input, at + 2, url) : fileSlash(input, at + 1, url, base);
  }
  if (base === null) return pathState(input, at, url, '');
  copyAuthority(url, base);
  return startsWithDriveLetter(input, at) ? pathState(input, at, url, '') : relativePath(input, at, url, base);
}

// https://url.spec.whatwg.org/#file-slash-state
function fileSlash(input: string, at: i32, url: UrlRecord, base: UrlRecord | null): bool {
  if (base === null) return pathState(input, at, url, '');
  copyAuthority(url, base);
  const drive = base.path.slice(0, 3);
  const keepsDrive =
    !startsWithDriveLetter(input, at) &&
    isNormalizedDriveLetter(drive.slice(1)) &&
    (base.path.length === 3 || codeAt(base.path, 3) === SLASH);
  return pathState(input, at, url, keepsDrive ? drive : '');
}

// https://url.spec.whatwg.org/#file-host-state
function fileHost(input: string, at: i32, url: UrlRecord): bool {
  const end = authorityEnd(input, at, true);
  const text = input.slice(at, end);
  if (isDriveLetter(text)) return pathState(input, at, url, '');
  const trace = url.trace;
  if (trace !== null) trace.authority(at);
  if (text !== '') {
    const host = parseHost(text, url);
    if (host === null) return false;
    url.host = host === 'localhost' ? '' : host;
  }
  return pathStart(input, end, url);
}

// Texts that are canonical as they are. Most components are, and one pass over them says so: half the parser's time.

/** Returns the domain at `at` if it is all of the authority and no parser changes it; otherwise ''. */
export function provenDomain(input: string, at: i32): string {
  let end = at;
  while (end < input.length && isProvenInDomain(input.charCodeAt(end))) end++;
  if (!isAuthorityEnd(input, end, true)) return '';
  const domain = input.slice(at, end);
  return endsInNumber(domain) ? '' : domain;
}

function isProvenInDomain(code: i32): bool {
  return (code >= 0x61 && code <= 0x7a) || isDigitHyphenOrDot(code);
}

/** Returns the end of the run at `at`, after a slash, with nothing to escape, no backslash and no dot segment. */
export function provenPathEnd(input: string, at: i32): i32 {
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
