import { mustBeOneOf, mustBeOptions, mustBeUrl } from '../../core/argument.ts';
import { isAsciiDigit, RIGHT_BRACKET } from '../../core/bytes/code-points.ts';
import { Failure } from '../../core/url/failure.ts';
import { mustBeUri, type UriFailure } from './failure.ts';
import {
  type AbsoluteUri,
  type AllReadings,
  type Authority,
  absoluteUri,
  type KeepFlag,
  mustBeKeepFlags,
  readingsOf,
  type Variant,
  type VariantOptions,
} from './reference.ts';

/**
 * The canonical form of a URI in one of the draft's two variants: what a hashed URI is the hash of.
 *
 * A fragment and a query are removed unless kept. Appendix A applies to hierarchical URIs; of an opaque one,
 * as `mailto:`, only the scheme is lower-cased.
 *
 * @param uri a URI of RFC 2396, absolute unless there is a base, or a `URL`
 * @param options the variant, what is kept, the base, and how what the draft leaves open is read
 * @returns the canonical form, ASCII
 * @throws {HashedUriError} where `uri`, or `base`, is not a URI, or `uri` is relative without a base
 * @throws {TypeError} on a URI or options of the wrong kind
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @see draft-feather-hashed-uri-03, section 4.3 steps (1) and (2), and appendix A
 * @example
 * canonicalize('HTTP://Example.com:80/a#b', { variant: 'N' }); //=> 'http://example.com/a'
 */
export function canonicalize(uri: string | URL, options: VariantOptions): string {
  const text = mustBeUrl('uri', uri);
  return mustBeUri(text, canonicalizer(options)(text)).text;
}

/** Checks the options once, for many URIs. */
export function canonicalizer(options: VariantOptions): (uri: string) => CanonicalForm | UriFailure {
  const own = mustBeOptions('options', options, ['variant', 'keep', 'base', 'readings']);
  const variant = mustBeOneOf('variant', own.variant, ['N', 'P']);
  const keep = own.keep === undefined ? [] : mustBeKeepFlags(own.keep);
  const readings = readingsOf(own.readings);
  const base = own.base === undefined ? undefined : parseBase(own.base, readings);
  return (uri) => {
    const absolute = absoluteUri(uri, base, readings);
    return absolute instanceof Failure ? absolute : canonicalForm(absolute, variant, keep, readings);
  };
}

/** @throws {HashedUriError} where `base` is not an absolute URI */
export function parseBase(base: string | URL, readings: AllReadings): AbsoluteUri {
  const text = mustBeUrl('base', base);
  return mustBeUri(text, absoluteUri(text, undefined, readings));
}

/** The text that is hashed, and what of `keep` was present to be retained: the flags of the hashed URI. */
export interface CanonicalForm {
  readonly text: string;
  readonly keep: readonly KeepFlag[];
}

/** Sections 4.3 (1) and (2), with appendix A for hierarchical URIs. */
export function canonicalForm(
  uri: AbsoluteUri,
  variant: Variant,
  keep: readonly KeepFlag[],
  readings: AllReadings,
): CanonicalForm {
  // Those of a hierarchical URI are removed where they are empty (step 9). Appendix A does not apply to an opaque URI,
  // and section 4.3 has no such rule: its marks are hashed.
  const present = (part: string | undefined) => (uri.isOpaque ? part : part || undefined);
  const fragment = keep.includes('frag') ? present(uri.fragment) : undefined;
  const query = keep.includes('query') ? present(uri.query) : undefined;
  const parts = { ...uri, query, fragment };
  if (!uri.isOpaque) takeSteps(parts, variant, readings);
  const retained: KeepFlag[] = [];
  if (fragment !== undefined) retained.push('frag');
  if (query !== undefined) retained.push('query');
  return { text: recompose(parts), keep: retained };
}

/** Takes the steps of appendix A by their numbers. */
function takeSteps(uri: HierarchicalUri, variant: Variant, readings: AllReadings): void {
  if (readings.unescapedSchemes.includes(uri.scheme)) unescapeParts(uri, readings);
  uri.authority &&= canonicalAuthority(uri.authority, uri.scheme, variant, readings); // (3) to (5)
  if (variant === 'P') lowercase(uri, readings); // (4)
  if (variant === 'P') removeEmptySegments(uri); // (6)
  if (variant === 'P') shortenSuffix(uri); // (7)
  removeIndex(uri); // (8)
}

/** Does what section 4.3 (2) leaves to the scheme, on the path and the user: no host has escapes in RFC 2396. */
function unescapeParts(uri: HierarchicalUri, { unescapeKept }: AllReadings): void {
  uri.path = unescapeUnreserved(uri.path);
  if (uri.authority?.isTriple && uri.authority.user !== '')
    uri.authority = { ...uri.authority, user: unescapeUnreserved(uri.authority.user) };
  if (!unescapeKept) return;
  uri.query &&= unescapeUnreserved(uri.query);
  uri.fragment &&= unescapeUnreserved(uri.fragment);
}

/** The escapes of RFC 2396's unreserved characters, which are not those of RFC 3986: they include ! * ' ( ) */
const UNRESERVED_ESCAPES = /%(?:2[1789ADE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/** Decodes escapes once: those that an escaped percent sign begins stay. RFC 2396 section 2.4.2 */
function unescapeUnreserved(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(UNRESERVED_ESCAPES, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}

/** A URI in the parts of appendix A step 2, which the following steps change one after the other. */
interface HierarchicalUri {
  readonly scheme: string;
  authority: Authority | undefined;
  /**
   * RFC 2396's path_segments as step 9 writes them, '/' before each: '' is not a segment at all, and '/' is one empty
   * segment. Splitting and joining a list cost up to 1 µs per URI, as much as everything else.
   */
  path: string;
  /** The kept parts, undefined if absent. Appendix A forgets both; section 4.3 (1) lets them survive. */
  query: string | undefined;
  fragment: string | undefined;
}

/** Takes steps 3 to 5: the default port, lower case, and leading zeroes. The characters are ASCII. */
function canonicalAuthority(
  authority: Authority,
  scheme: string,
  variant: Variant,
  { defaultPort }: AllReadings,
): Authority {
  const lowercased = (text: string) => (variant === 'P' ? text.toLowerCase() : text);
  if (!authority.isTriple) return { isTriple: false, text: lowercased(authority.text) };
  const { user, host, port } = authority;
  const isDefault = isDefaultPort(scheme, defaultPort === 'number' ? withoutLeadingZeroes(port) : port);
  return {
    isTriple: true,
    user: lowercased(user),
    host: isIpAddress(host) ? withoutLeadingZeroes(lowercased(host)) : host.toLowerCase(),
    port: isDefault ? '' : withoutLeadingZeroes(port),
  };
}

/** Lower-cases what follows the authority. The scheme is in lower case already by section 4.3 (2). */
function lowercase(uri: HierarchicalUri, { lowercaseKept }: AllReadings): void {
  uri.path = uri.path.toLowerCase();
  if (!lowercaseKept) return;
  uri.query &&= uri.query.toLowerCase();
  uri.fragment &&= uri.fragment.toLowerCase();
}

/** Removes all empty segments, the last one too: `/test/` becomes `/test`. */
function removeEmptySegments(uri: HierarchicalUri): void {
  if (uri.path.includes('//')) uri.path = uri.path.replace(/\/+/g, '/');
  if (uri.path.endsWith('/')) uri.path = uri.path.slice(0, -1);
}

const SHORT_SUFFIXES: readonly (readonly [long: string, short: string])[] = [
  ['.html', '.htm'],
  ['.jpeg', '.jpg'],
  ['.text', '.txt'],
  ['.ram', '.ra'],
];

function shortenSuffix(uri: HierarchicalUri): void {
  const found = SHORT_SUFFIXES.find(([long]) => uri.path.endsWith(long));
  if (found !== undefined) uri.path = uri.path.slice(0, -found[0].length) + found[1];
}

/** Removes an index file but not its segment: the slash stays, as in the draft's first example. */
function removeIndex(uri: HierarchicalUri): void {
  const index = ['/index.htm', '/index.html'].find((each) => uri.path.endsWith(each));
  if (uri.scheme === 'http' && index !== undefined) uri.path = uri.path.slice(0, 1 - index.length);
}

/** Writes the parts, of empty ones only segments: the draft's second example keeps one. Step 9 */
function recompose({ scheme, authority, path, query, fragment }: HierarchicalUri): string {
  const net = authority === undefined ? '' : formatAuthority(authority);
  return `${scheme}:${net === '' ? '' : `//${net}`}${path}${marked('?', query)}${marked('#', fragment)}`;
}

function marked(mark: '?' | '#', part: string | undefined): string {
  return part === undefined ? '' : mark + part;
}

/** RFC 2396's IPv4address, in a dotted form of any range: what appendix A calls an IP address, and RFC 2732's. */
const IP_ADDRESS = /^(?:[0-9]+(?:\.[0-9]+){3}|\[.*)$/;

function isIpAddress(host: string): boolean {
  const last = host.charCodeAt(host.length - 1);
  return (isAsciiDigit(last) || last === RIGHT_BRACKET) && IP_ADDRESS.test(host);
}

/** Keeps the last digit of each number of an address: `0.0.0.0` stays itself. */
function withoutLeadingZeroes(numbers: string): string {
  return numbers.replace(/[0-9A-Fa-f]+/g, (number) => number.replace(/^0+(?=.)/, ''));
}

/**
 * The schemes of hierarchical URIs whose registrations name a default port; docs/hashed-uris.md has where. Not `sip`:
 * RFC 3261 section 19.1.4 keeps a URI apart from the same with the default port.
 */
const DEFAULT_PORTS =
  ' ftp:21 ssh:22 telnet:23 gopher:70 http:80 ws:80 pop:110 nntp:119 imap:143 wais:210 ldap:389 https:443 wss:443 ' +
  'rtsp:554 snews:563 ipp:631 ldaps:636 prospero:1525 nfs:2049 ';

function isDefaultPort(scheme: string, port: string): boolean {
  return DEFAULT_PORTS.includes(` ${scheme}:${port} `);
}

function formatAuthority(authority: Authority): string {
  if (!authority.isTriple) return authority.text;
  const { user, host, port } = authority;
  return `${user === '' ? '' : `${user}@`}${host}${port === '' ? '' : `:${port}`}`;
}
