import type { Observer } from './observer.ts';
import { isSpecialScheme } from './scheme.ts';

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
  readonly observer: Observer | undefined;
}

export function emptyRecord(scheme: string, observer: Observer | undefined): UrlRecord {
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
    observer,
  };
}
