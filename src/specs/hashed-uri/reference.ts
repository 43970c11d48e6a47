import { mustBeArray, mustBeBoolean, mustBeOneOf, mustBeOptions, mustBeString } from '../../core/argument.ts';
import { Failure } from '../../core/url/failure.ts';
import { parsedIpv6 } from '../../core/url/parsed-url.ts';
import { percentEncode, USERINFO } from '../../core/url/percent.ts';
import { failure, type UriFailure } from './failure.ts';

/** Appendix A: N tends towards false negatives, P towards false positives. */
export type Variant = 'N' | 'P';

/** A component that is removed unless it is kept, by the name of its flag: `+frag`, `+query`. */
export type KeepFlag = 'frag' | 'query';
export const KEEP_FLAGS: readonly KeepFlag[] = ['frag', 'query'];

/**
 * The choices that the draft leaves open. Both sides of a comparison must read it alike; the defaults are what is
 * proposed.
 */
export interface Readings {
  /** Schemes, in lower case, whose escapes of unreserved characters are decoded, once. Default: http and https. */
  readonly unescapedSchemes?: readonly string[] | undefined;
  /** Decode them in a kept query and fragment too. Default: false, section 4.3 (2) decodes nothing that it need not. */
  readonly unescapeKept?: boolean | undefined;
  /** Variant P lower-cases a kept query and fragment too. Default: true, section 4.3 (1) calls them components. */
  readonly lowercaseKept?: boolean | undefined;
  /** Whether `:0080` is the default port of http: 'number' (default): yes; 'text': no, step 3 comes before step 5. */
  readonly defaultPort?: 'number' | 'text' | undefined;
  /**
   * Whether '?' begins a query in an opaque URI like `mailto:a@b?subject=c`. Default: false, RFC 2396 has none there.
   */
  readonly opaqueQuery?: boolean | undefined;
  /**
   * The fate of characters that no URI may hold, such as spaces and all that are not ASCII: 'reject' (default), or
   * 'escape' as UTF-8.
   */
  readonly excluded?: 'reject' | 'escape' | undefined;
}

/** Options of `canonicalize`, and of `hash` as well. */
export interface VariantOptions {
  /** The variant of appendix A, one of two. */
  readonly variant: Variant;
  /** The parts that are not removed. Default: neither. */
  readonly keep?: readonly KeepFlag[] | undefined;
  /** An absolute URI that a relative one is resolved against. */
  readonly base?: string | URL | undefined;
  /** The choices that the draft leaves open. */
  readonly readings?: Readings | undefined;
}

/** Readings with their defaults. */
export type AllReadings = { readonly [Name in keyof Readings]-?: NonNullable<Readings[Name]> };

const DEFAULT_READINGS: AllReadings = {
  unescapedSchemes: ['http', 'https'],
  unescapeKept: false,
  lowercaseKept: true,
  defaultPort: 'number',
  opaqueQuery: false,
  excluded: 'reject',
};

/** @throws {TypeError} on a reading of the wrong kind @throws {RangeError} where one is not one of those above */
export function readingsOf(readings: Readings | undefined): AllReadings {
  if (readings === undefined) return DEFAULT_READINGS;
  const given = mustBeOptions('readings', readings, Object.keys(DEFAULT_READINGS)) as Partial<AllReadings>;
  const chosen = { ...DEFAULT_READINGS, ...given };
  const unescapedSchemes = [...mustBeArray('unescapedSchemes', chosen.unescapedSchemes)]; // the caller may change its own
  for (const scheme of unescapedSchemes) mustBeString('each of unescapedSchemes', scheme);
  for (const name of ['unescapeKept', 'lowercaseKept', 'opaqueQuery'] as const) mustBeBoolean(name, chosen[name]);
  mustBeOneOf('defaultPort', chosen.defaultPort, ['number', 'text']);
  mustBeOneOf('excluded', chosen.excluded, ['reject', 'escape']);
  return { ...chosen, unescapedSchemes };
}

/** @throws {TypeError} where `keep` is not an array @throws {RangeError} where it names anything else */
export function mustBeKeepFlags(keep: readonly KeepFlag[]): readonly KeepFlag[] {
  mustBeArray('keep', keep);
  for (const flag of keep) mustBeOneOf('keep', flag, KEEP_FLAGS);
  return keep;
}

/** A URI reference in the parts of RFC 2396 appendix B; undefined is a part that is absent. */
interface Reference {
  /** The scheme in lower case. */
  readonly scheme: string | undefined;
  /** Undefined without `//`; an empty one is not a triple. */
  readonly authority: Authority | undefined;
  /** The path, or the whole opaque part: everything after the scheme of a URI like `mailto:a@b?c`. */
  readonly path: string;
  readonly isOpaque: boolean;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

/** A reference that has a scheme. */
export interface AbsoluteUri extends Reference {
  readonly scheme: string;
}

/**
 * Returns the absolute URI that `text` stands for, its characters checked or escaped. It is resolved before a query is
 * removed, although section 4.3 numbers them the other way: without its query, `?y` would become the base itself,
 * including the base's own query.
 */
export function absoluteUri(
  text: string,
  base: AbsoluteUri | undefined,
  readings: AllReadings,
): AbsoluteUri | UriFailure {
  const excluded = readings.excluded === 'reject' ? excludedCharacter(text) : undefined;
  if (excluded !== undefined) return excluded;
  const escaped = readings.excluded === 'escape' ? escapeExcluded(text) : text;
  const reference = parseReference(escaped, readings.opaqueQuery);
  if (reference instanceof Failure || isAbsolute(reference)) return reference;
  return base === undefined ? failure('scheme-missing') : resolve(reference, base);
}

/** Up to the first of the characters that end a scheme, an authority, or what precedes a query. */
const BEFORE_COLON = /^[^:/?#]*(?=:)/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;

/** Reads a reference whose characters have been checked; `hasOpaqueQuery` splits an opaque part at its '?'. */
function parseReference(text: string, hasOpaqueQuery: boolean): Reference | UriFailure {
  const scheme = BEFORE_COLON.exec(text)?.[0];
  if (scheme !== undefined && !SCHEME.test(scheme)) return failure('scheme-malformed', 0);
  const [address, fragment] = cutAt(scheme === undefined ? text : text.slice(scheme.length + 1), '#');
  const isOpaque = scheme !== undefined && address !== '' && !address.startsWith('/');
  const [hierarchy, query] = isOpaque && !hasOpaqueQuery ? [address, undefined] : cutAt(address, '?');
  const [net, path] = cutAuthority(isOpaque, hierarchy);
  const authority = net === undefined ? undefined : parseAuthority(net);
  if (authority instanceof Failure) return authority;
  return { scheme: scheme?.toLowerCase(), authority, path, isOpaque, query, fragment };
}

function cutAt(text: string, mark: '#' | '?'): readonly [before: string, after: string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function cutAuthority(isOpaque: boolean, hierarchy: string): readonly [net: string | undefined, path: string] {
  if (isOpaque || !hierarchy.startsWith('//')) return [undefined, hierarchy];
  const slash = hierarchy.indexOf('/', 2);
  const end = slash === -1 ? hierarchy.length : slash;
  return [hierarchy.slice(2, end), hierarchy.slice(end)];
}

function isAbsolute(reference: Reference): reference is AbsoluteUri {
  return reference.scheme !== undefined;
}

/** Returns the absolute URI that a reference stands for. The numbers are those of RFC 2396 section 5.2. */
function resolve(reference: Reference, base: AbsoluteUri): AbsoluteUri | UriFailure {
  if (isAbsolute(reference)) return reference; // 3
  const isSameDocument = reference.path === '' && reference.authority === undefined && reference.query === undefined;
  if (isSameDocument) return { ...base, fragment: reference.fragment }; // 2
  if (base.isOpaque) return failure('base-opaque');
  const { scheme } = base;
  if (reference.authority !== undefined) return { ...reference, scheme }; // 4
  const path = reference.path.startsWith('/') ? reference.path : mergedPath(reference.path, base); // 5, 6
  return { ...reference, scheme, authority: base.authority, path };
}

/** Merges a path with the base's. Between them, a base without a path lacks a slash: RFC 3986 section 5.2.3 adds it. */
function mergedPath(path: string, base: AbsoluteUri): string {
  if (base.path === '' && path === '') return '';
  return withoutDotSegments(base.path.slice(1, base.path.lastIndexOf('/') + 1) + path);
}

/** Steps 6 c to g; '..' segments with nothing to climb stay, as RFC 2396 has them and RFC 3986 does not. */
function withoutDotSegments(relativePath: string): string {
  const kept: string[] = [];
  let isOpen = false;
  for (const segment of relativePath.split('/')) {
    const climbs = segment === '..' && kept.length > 0 && kept[kept.length - 1] !== '..';
    isOpen = climbs || segment === '.';
    if (climbs) kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}${isOpen && kept.length > 0 ? '/' : ''}`;
}

/** A user/host/port triple, with '' for an absent part, or another naming authority as it is. */
export type Authority =
  | { readonly isTriple: true; readonly user: string; readonly host: string; readonly port: string }
  | { readonly isTriple: false; text: string };

/** RFC 2396 section 3.2.2 with RFC 2732's brackets. The user is everything before '@', including a password. */
const TRIPLE = /^(?:([^@]*)@)?(\[[^@[\]]*\]|[^@:[\]]+)(?::([0-9]*))?$/;

function parseAuthority(text: string): Authority | UriFailure {
  const [triple, user = '', host = '', port = ''] = TRIPLE.exec(text) ?? [];
  if (triple === undefined) return /[[\]]/.test(text) ? failure('ipv6-malformed') : { isTriple: false, text };
  if (host.startsWith('[') && parsedIpv6(host.slice(1, -1)) === undefined) return failure('ipv6-malformed');
  return { isTriple: true, user, host, port };
}

// RFC 2396 section 2: unreserved and reserved characters, '#' and whole escapes; RFC 2732 adds the brackets.
const EXCLUDED = /[^A-Za-z0-9\-_.!~*'();/?:@&=+$,[\]#%]+|%(?![0-9A-Fa-f]{2})/;
const ALL_EXCLUDED = new RegExp(EXCLUDED, 'gu');

/** Finds a character that must not be there, such as a second '#' (RFC 2396 section 2.4.3 has none in a fragment). */
function excludedCharacter(text: string): UriFailure | undefined {
  const at = text.search(EXCLUDED);
  if (at !== -1) return failure(text[at] === '%' ? 'escape-malformed' : 'character-excluded', at);
  const second = text.indexOf('#', text.indexOf('#') + 1);
  return second > text.indexOf('#') ? failure('character-excluded', second) : undefined;
}

/** Escapes as UTF-8 what no URI may hold; whole escapes stay. A lone surrogate becomes U+FFFD. */
function escapeExcluded(text: string): string {
  const fragment = text.indexOf('#') + 1 || text.length;
  return escapeCharacters(text.slice(0, fragment)) + escapeCharacters(text.slice(fragment)).replaceAll('#', '%23');
}

function escapeCharacters(text: string): string {
  return text.replace(ALL_EXCLUDED, (run) => (run === '%' ? '%25' : percentEncode(run, USERINFO)));
}
