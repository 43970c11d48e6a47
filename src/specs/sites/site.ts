import { asciiText, writeAscii } from '../../core/bytes/text.ts';
import { canonicalize } from '../../core/url/canonicalize.ts';
import type { Options } from '../../core/url/options.ts';
import { BUNDLED_LIST } from '../safe-browsing/suffix-list.ts';
import type { SuffixLookup } from '../safe-browsing/suffix-lookup.ts';
import { HOST_KEY, NO_GROUP_KEY, SITE_KEY, SURT_KEY, writeKeyOfKind } from './group-key.ts';

/**
 * The host of a URL: in ASCII, lower case, without its port; an IPv6 address in brackets.
 *
 * @param url a string or a `URL`
 * @param options as those of `canonicalize`: the host is that of the form which they choose
 * @returns null where the URL has no host, or an empty one
 * @throws {UrlError} where `url`, or the base, is not a URL
 * @throws {TypeError} where `url` is neither a string nor a `URL`, and on options of the wrong kind
 * @throws {RangeError} on an option that does not exist
 * @see https://url.spec.whatwg.org/#concept-url-host
 * @example
 * hostOf('https://user@Forum.Example.co.uk:8080/'); //=> 'forum.example.co.uk'
 */
export function hostOf(url: string | URL, options?: Options): string | null {
  return keyOfKind(HOST_KEY, canonicalize(url, options), null);
}

/**
 * The site of a URL: the registrable domain of its host, by the Public Suffix List with its private section, in the
 * edition that PUBLIC_SUFFIX_LIST names.
 *
 * @param url a string or a `URL`
 * @param options as those of `canonicalize`
 * @returns null where the host is an address, a public suffix or not a domain, and where there is none
 * @throws as `hostOf`
 * @see https://url.spec.whatwg.org/#host-registrable-domain
 * @example
 * siteOf('https://forum.example.co.uk/'); //=> 'example.co.uk'
 * siteOf('https://user.github.io/'); //=> 'user.github.io'
 */
export function siteOf(url: string | URL, options?: Options): string | null {
  return keyOfKind(SITE_KEY, canonicalize(url, options), BUNDLED_LIST.lookup);
}

/**
 * The Sort-friendly URI of a URL: its host from the last label to the first, then its port, path and query, so that the
 * pages of a domain and of its subdomains sort next to each other. docs/sites.md defines it; SURT names the definition.
 *
 * @param url a string or a `URL`
 * @param options as those of `canonicalize`
 * @throws as `hostOf`
 * @example
 * surtOf('https://www.example.com:8080/a?b#c'); //=> 'com,example,www:8080)/a?b'
 */
export function surtOf(url: string | URL, options?: Options): string {
  return keyOfKind(SURT_KEY, canonicalize(url, options), null)!;
}

/** The keys that group and sort pages by where they are: the host, the site and the Sort-friendly URI. */
export const GROUP_KEYS = ['host', 'site', 'surt'] as const;

export type GroupKey = (typeof GROUP_KEYS)[number];

/** The name of the definition of the Sort-friendly URI: it changes whenever the SURT of any URL could. */
export const SURT = 'surt/1';

const KINDS = { host: HOST_KEY, site: SITE_KEY, surt: SURT_KEY } as const;

/** Returns the host, site or SURT of a canonical form, or null if it has none. */
export function groupKeyOf(name: GroupKey, canonical: string): string | null {
  return keyOfKind(KINDS[name], canonical, suffixesFor(name));
}

/** @param suffixes an argument, so that bundles with `hostOf` and `surtOf` alone have no Public Suffix List */
function keyOfKind(kind: number, canonical: string, suffixes: SuffixLookup | null): string | null {
  if (scratch.length < 2 * canonical.length) scratch = new Uint8Array(4 * canonical.length);
  writeAscii(scratch, 0, canonical);
  const to = scratch.subarray(canonical.length);
  const length = writeKeyOfKind(kind, scratch, 0, canonical.length, to, suffixes);
  return length === NO_GROUP_KEY ? null : asciiText(to.subarray(0, length));
}

let scratch = new Uint8Array(1024);

/**
 * Writes the host, site or SURT of the canonical form [start, end) to the beginning of `to`, which has room for as many
 * bytes as the form, and returns its length, or NO_GROUP_KEY.
 */
export function writeGroupKey(name: GroupKey, bytes: Uint8Array, start: number, end: number, to: Uint8Array): number {
  return writeKeyOfKind(KINDS[name], bytes, start, end, to, suffixesFor(name));
}

function suffixesFor(name: GroupKey): SuffixLookup | null {
  return name === 'site' ? BUNDLED_LIST.lookup : null;
}
