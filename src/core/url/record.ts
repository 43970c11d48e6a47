import { COLON, codeAt, isAsciiAlpha, isAsciiDigit } from '../bytes/code-points.ts';
import type { Trace, UrlSteps } from './failure.ts';
import type { UnicodeVersion } from './unicode.ts';

// https://url.spec.whatwg.org/#special-scheme
const DEFAULT_PORTS: ReadonlyMap<string, number | null> = new Map([
  ['ftp', 21],
  ['file', null],
  ['http', 80],
  ['https', 443],
  ['ws', 80],
  ['wss', 443],
]);

export function isSpecialScheme(scheme: string): boolean {
  return DEFAULT_PORTS.has(scheme);
}

export function isDefaultPort(scheme: string, port: number): boolean {
  return DEFAULT_PORTS.get(scheme) === port;
}

/**
 * Returns the position of the colon that ends a scheme, or -1 if the input begins with none.
 * https://url.spec.whatwg.org/#scheme-start-state and #scheme-state
 */
export function schemeEnd(input: string): number {
  if (!isAsciiAlpha(codeAt(input, 0))) return -1;
  let at = 1;
  while (isSchemeCodePoint(codeAt(input, at))) at++;
  return codeAt(input, at) === COLON ? at : -1;
}

function isSchemeCodePoint(code: number): boolean {
  return isAsciiAlpha(code) || isAsciiDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e;
}

/** Returns the scheme that ends at `colon`, in lower case; for the two of nearly all URLs without making a string. */
export function schemeOf(input: string, colon: number): string {
  if (colon === 5 && input.startsWith('https')) return 'https';
  if (colon === 4 && input.startsWith('http')) return 'http';
  return input.slice(0, colon).toLowerCase();
}

/** A parsed URL, each part in its serialized form. https://url.spec.whatwg.org/#concept-url */
export interface UrlRecord {
  scheme: string;
  /** https://url.spec.whatwg.org/#is-special */
  isSpecial: boolean;
  username: string;
  password: string;
  /** null: no host at all; '': an empty host, as in `file:///`. */
  host: string | null;
  port: number | null;
  /** An opaque path, or '' or '/' before each segment. */
  path: string;
  hasOpaquePath: boolean;
  query: string | null;
  fragment: string | null;
  /** Whether the host, its escapes decoded, is beyond ASCII: it then depends on the version of Unicode. */
  hasUnicodeHost: boolean;
  /** The version of Unicode that domains are brought to ASCII with. */
  readonly unicode: UnicodeVersion;
  readonly trace: Trace<UrlSteps> | undefined;
}

export function emptyRecord(scheme: string, unicode: UnicodeVersion, trace: Trace<UrlSteps> | undefined): UrlRecord {
  return {
    scheme,
    isSpecial: isSpecialScheme(scheme),
    username: '',
    password: '',
    host: null,
    port: null,
    path: '',
    hasOpaquePath: false,
    query: null,
    fragment: null,
    hasUnicodeHost: false,
    unicode,
    trace,
  };
}

// https://url.spec.whatwg.org/#concept-url-serializer
export function serialize(url: UrlRecord, excludeFragment = false): string {
  let output = `${url.scheme}:${authority(url)}${url.path}`;
  if (url.query !== null) output += `?${url.query}`;
  if (url.fragment !== null && !excludeFragment) output += `#${url.fragment}`;
  return output;
}

/** Without a host, `/.` keeps a path that begins with `//` from being read as an authority. */
function authority(url: UrlRecord): string {
  if (url.host === null) return !url.hasOpaquePath && url.path.startsWith('//') ? '/.' : '';
  const port = url.port === null ? '' : `:${url.port}`;
  return `//${credentials(url)}${url.host}${port}`;
}

function credentials({ username, password }: UrlRecord): string {
  if (username === '' && password === '') return '';
  return password === '' ? `${username}@` : `${username}:${password}@`;
}
