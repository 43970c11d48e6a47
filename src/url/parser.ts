import { authorityEnd, parseAuthority } from './authority.ts';
import { asciiLowercase, BACKSLASH, NUMBER_SIGN, QUESTION_MARK, SLASH, SPACE } from './code-points.ts';
import { isDriveLetter, isNormalizedDriveLetter, startsWithDriveLetter } from './drive-letter.ts';
import { Failure, failure } from './failure.ts';
import { parseHost } from './host.ts';
import { parseOpaquePath, parsePath, shortenedPath } from './path.ts';
import { FRAGMENT, percentEncode, QUERY, SPECIAL_QUERY } from './percent.ts';
import { emptyRecord, type UrlRecord } from './record.ts';
import { isSpecialScheme, schemeEnd } from './scheme.ts';

/**
 * The basic URL parser, without encodings or state override: one function a state, each going forward
 * from the position it is given. https://url.spec.whatwg.org/#concept-basic-url-parser
 */
export function parseUrl(text: string, base: UrlRecord | undefined): UrlRecord | Failure {
  const input = withoutTabsAndNewlines(withoutC0ControlsAround(text));
  const colon = schemeEnd(input);
  if (colon === -1) return noScheme(input, base);
  const scheme = asciiLowercase(input.slice(0, colon));
  return afterScheme(input, colon + 1, scheme, base);
}

// Not a regular expression: /[\0- ]+$/ takes quadratic time on a long inner run of spaces.
function withoutC0ControlsAround(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= SPACE) start++;
  while (end > start && text.charCodeAt(end - 1) <= SPACE) end--;
  return text.slice(start, end);
}

const TAB_OR_NEWLINE = /[\t\n\r]/;
const TABS_AND_NEWLINES = /[\t\n\r]+/g;

function withoutTabsAndNewlines(text: string): string {
  return TAB_OR_NEWLINE.test(text) ? text.replace(TABS_AND_NEWLINES, '') : text;
}

// https://url.spec.whatwg.org/#scheme-state, what follows its colon
function afterScheme(input: string, at: number, scheme: string, base: UrlRecord | undefined): UrlRecord | Failure {
  const url = emptyRecord(scheme);
  if (scheme === 'file') return fileState(input, at, url, base?.scheme === 'file' ? base : undefined);
  if (isSpecialScheme(scheme)) {
    const isRelative = base?.scheme === scheme && !input.startsWith('//', at);
    return isRelative ? relativeState(input, at, url, base) : specialAuthority(input, at, url);
  }
  if (input.startsWith('//', at)) return authorityState(input, at + 2, url);
  if (input.charCodeAt(at) === SLASH) return pathState(input, at + 1, url, '');
  return opaquePathState(input, at, url);
}

// https://url.spec.whatwg.org/#no-scheme-state
function noScheme(input: string, base: UrlRecord | undefined): UrlRecord | Failure {
  if (base === undefined) return failure('missing-scheme-non-relative-URL');
  const url = emptyRecord(base.scheme);
  if (base.scheme === 'file') return fileState(input, 0, url, base);
  if (!base.hasOpaquePath) return relativeState(input, 0, url, base);
  if (input.charCodeAt(0) !== NUMBER_SIGN) return failure('missing-scheme-non-relative-URL');
  return queryAndFragment(input, 0, Object.assign(url, base, { fragment: null }));
}

// https://url.spec.whatwg.org/#relative-state and #relative-slash-state
function relativeState(input: string, at: number, url: UrlRecord, base: UrlRecord): UrlRecord | Failure {
  const isSpecial = isSpecialScheme(url.scheme);
  if (isSlash(input, at, isSpecial)) {
    if (isSpecial && isSlash(input, at + 1, true)) return specialAuthority(input, at + 2, url);
    if (!isSpecial && input.charCodeAt(at + 1) === SLASH) return authorityState(input, at + 2, url);
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
}

/** What follows the base's path, or its query, or takes the place of its last segment. */
function relativePath(input: string, at: number, url: UrlRecord, base: UrlRecord): UrlRecord {
  const code = input.charCodeAt(at);
  if (at < input.length && code !== QUESTION_MARK && code !== NUMBER_SIGN) {
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

function isSlash(input: string, at: number, isSpecial: boolean): boolean {
  const code = input.charCodeAt(at);
  return code === SLASH || (isSpecial && code === BACKSLASH);
}

function authorityState(input: string, at: number, url: UrlRecord): UrlRecord | Failure {
  const isSpecial = isSpecialScheme(url.scheme);
  const end = authorityEnd(input, at, isSpecial);
  return parseAuthority(input.slice(at, end), url, isSpecial) ?? pathStart(input, end, url);
}

// https://url.spec.whatwg.org/#path-start-state
function pathStart(input: string, at: number, url: UrlRecord): UrlRecord {
  const isSpecial = isSpecialScheme(url.scheme);
  if (isSlash(input, at, isSpecial)) return pathState(input, at + 1, url, '');
  const code = input.charCodeAt(at);
  const isEmpty = at === input.length || code === QUESTION_MARK || code === NUMBER_SIGN;
  if (isEmpty && !isSpecial) return queryAndFragment(input, at, url);
  return pathState(input, at, url, '');
}

/** `at` is behind the slash that opens the path; `basePath` is what its segments are resolved against. */
function pathState(input: string, at: number, url: UrlRecord, basePath: string): UrlRecord {
  const end = pathEnd(input, at);
  url.path = parsePath(input.slice(at, end), url.scheme, basePath);
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
  for (; end < input.length; end++) {
    const code = input.charCodeAt(end);
    if (code === QUESTION_MARK || code === NUMBER_SIGN) break;
  }
  return end;
}

// https://url.spec.whatwg.org/#query-state and #fragment-state; `at` is at the end of the input, a '?' or a '#'
function queryAndFragment(input: string, at: number, url: UrlRecord): UrlRecord {
  const hash = input.indexOf('#', at);
  const queryEnd = hash === -1 ? input.length : hash;
  if (input.charCodeAt(at) === QUESTION_MARK) {
    url.query = percentEncode(input.slice(at + 1, queryEnd), isSpecialScheme(url.scheme) ? SPECIAL_QUERY : QUERY);
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
  url.host = base.host;
  return startsWithDriveLetter(input, at) ? pathState(input, at, url, '') : relativePath(input, at, url, base);
}

// https://url.spec.whatwg.org/#file-slash-state
function fileSlash(input: string, at: number, url: UrlRecord, base: UrlRecord | undefined): UrlRecord {
  if (base === undefined) return pathState(input, at, url, '');
  url.host = base.host;
  const drive = base.path.slice(0, 3);
  const keepsDrive =
    !startsWithDriveLetter(input, at) && isNormalizedDriveLetter(drive.slice(1)) && (base.path.length === 3 || base.path[3] === '/');
  return pathState(input, at, url, keepsDrive ? drive : '');
}

// https://url.spec.whatwg.org/#file-host-state
function fileHost(input: string, at: number, url: UrlRecord): UrlRecord | Failure {
  const end = authorityEnd(input, at, true);
  const text = input.slice(at, end);
  if (isDriveLetter(text)) return pathState(input, at, url, '');
  if (text !== '') {
    const host = parseHost(text, false);
    if (host instanceof Failure) return host;
    url.host = host === 'localhost' ? '' : host;
  }
  return pathStart(input, end, url);
}
