import { isSpecialScheme } from './scheme.ts';
import type { Trace, UrlSteps } from './trace.ts';
import type { UnicodeVersion } from './unicode.ts';

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
