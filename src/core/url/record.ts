import { asciiLowercase, COLON, codeAt, isAsciiAlpha, isAsciiDigit } from '../bytes/code-points.ts';
import { UrlTrace } from './trace.ts';

/** A port that is not there, as in every `file` URL. */
export const NO_PORT: i32 = -1;
const NOT_SPECIAL: i32 = -2;

// https://url.spec.whatwg.org/#special-scheme
function defaultPort(scheme: string): i32 {
  if (scheme === 'https' || scheme === 'wss') return 443;
  if (scheme === 'http' || scheme === 'ws') return 80;
  if (scheme === 'ftp') return 21;
  return scheme === 'file' ? NO_PORT : NOT_SPECIAL;
}

export function isSpecialScheme(scheme: string): bool {
  return defaultPort(scheme) !== NOT_SPECIAL;
}

export function isDefaultPort(scheme: string, port: i32): bool {
  return defaultPort(scheme) === port;
}

/**
 * Returns the position of the colon that ends a scheme, or -1 if the input begins with none.
 * https://url.spec.whatwg.org/#scheme-start-state and #scheme-state
 */
export function schemeEnd(input: string): i32 {
  if (!isAsciiAlpha(codeAt(input, 0))) return -1;
  let at = 1;
  while (isSchemeCodePoint(codeAt(input, at))) at++;
  return codeAt(input, at) === COLON ? at : -1;
}

function isSchemeCodePoint(code: i32): bool {
  return isAsciiAlpha(code) || isAsciiDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e;
}

/** Returns the scheme that ends at `colon`, in lower case; for the two of nearly all URLs without making a string. */
export function schemeOf(input: string, colon: i32): string {
  if (colon === 5 && input.startsWith('https')) return 'https';
  if (colon === 4 && input.startsWith('http')) return 'http';
  return asciiLowercase(input.slice(0, colon));
}

/** A parsed URL, each part in its serialized form, or the reason why there is none. https://url.spec.whatwg.org/#concept-url */
export class UrlRecord {
  /** The standard's name for the validation error that ended the parser; '' for a URL. */
  reason: string;
  scheme: string;
  /** https://url.spec.whatwg.org/#is-special */
  isSpecial: bool;
  username: string;
  password: string;
  /** null: no host at all; '': an empty host, as in `file:///`. */
  host: string | null;
  port: i32;
  /** An opaque path, or '' or '/' before each segment. */
  path: string;
  hasOpaquePath: bool;
  query: string | null;
  fragment: string | null;
  /** Whether the host, its escapes decoded, is beyond ASCII: it then depends on the version of Unicode. */
  hasUnicodeHost: bool;
  /** The version of Unicode that domains are brought to ASCII with. */
  readonly unicode: i32;
  readonly trace: UrlTrace | null;

  constructor(scheme: string, unicode: i32, trace: UrlTrace | null) {
    this.reason = '';
    this.scheme = scheme;
    this.isSpecial = isSpecialScheme(scheme);
    this.username = '';
    this.password = '';
    this.host = null;
    this.port = NO_PORT;
    this.path = '';
    this.hasOpaquePath = false;
    this.query = null;
    this.fragment = null;
    this.hasUnicodeHost = false;
    this.unicode = unicode;
    this.trace = trace;
  }

  /** Records why the input is not a URL; returns false, for parsers that say whether it is. */
  fail(reason: string): bool {
    this.reason = reason;
    return false;
  }

  /** Records why the input is not a URL; returns null, for parsers that return a text. */
  failText(reason: string): string | null {
    this.reason = reason;
    return null;
  }
}

// https://url.spec.whatwg.org/#concept-url-serializer
export function serialize(url: UrlRecord, excludeFragment: bool = false): string {
  const query = url.query;
  const fragment = url.fragment;
  let output = `${url.scheme}:${authority(url)}${url.path}`;
  if (query !== null) output += `?${query}`;
  if (fragment !== null && !excludeFragment) output += `#${fragment}`;
  return output;
}

/** Without a host, `/.` keeps a path that begins with `//` from being read as an authority. */
function authority(url: UrlRecord): string {
  const host = url.host;
  if (host === null) return !url.hasOpaquePath && url.path.startsWith('//') ? '/.' : '';
  const port = url.port === NO_PORT ? '' : `:${url.port}`;
  return `//${credentials(url)}${host}${port}`;
}

function credentials(url: UrlRecord): string {
  if (url.username === '' && url.password === '') return '';
  return url.password === '' ? `${url.username}@` : `${url.username}:${url.password}@`;
}
