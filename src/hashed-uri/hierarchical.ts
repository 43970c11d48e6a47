import { type Authority, formatAuthority, isDefaultPort, isIpAddress, withoutLeadingZeroes } from './authority.ts';
import type { Readings, Variant } from './options.ts';

/** A hierarchical URI in the parts of appendix A step 2, which the steps that follow change one after the other. */
export interface HierarchicalUri {
  readonly scheme: string;
  authority: Authority | undefined;
  /**
   * RFC 2396's path_segments as step 9 writes them, '/' before each: '' is not a segment at all and '/' one empty
   * one. Splitting and joining a list cost up to 1 µs a URI, as much as all the rest.
   */
  path: string;
  /** What was kept, undefined where it is not there. Appendix A forgets both; section 4.3 (1) lets them survive. */
  query: string | undefined;
  fragment: string | undefined;
}

/** One step of appendix A. */
interface Step {
  readonly number: number;
  readonly variants: readonly Variant[];
  readonly apply: (uri: HierarchicalUri, variant: Variant, readings: Required<Readings>) => void;
}

export const STEPS: readonly Step[] = [
  { number: 3, variants: ['N', 'P'], apply: deleteDefaultPort },
  { number: 4, variants: ['N', 'P'], apply: lowercase },
  { number: 5, variants: ['N', 'P'], apply: removeLeadingZeroes },
  { number: 6, variants: ['P'], apply: removeEmptySegments },
  { number: 7, variants: ['P'], apply: shortenSuffix },
  { number: 8, variants: ['N', 'P'], apply: removeIndex },
];

function deleteDefaultPort(uri: HierarchicalUri, _variant: Variant, { defaultPort }: Required<Readings>): void {
  if (!uri.authority?.isTriple || uri.authority.port === '') return;
  const { port } = uri.authority;
  const number = defaultPort === 'number' ? withoutLeadingZeroes(port) : port;
  if (isDefaultPort(uri.scheme, number)) uri.authority = { ...uri.authority, port: '' };
}

/** The scheme is in lower case already, by section 4.3 (2); the characters are ASCII. */
function lowercase(uri: HierarchicalUri, variant: Variant, { lowercaseKept }: Required<Readings>): void {
  uri.authority &&= lowercaseAuthority(uri.authority, variant);
  if (variant === 'N') return;
  uri.path = uri.path.toLowerCase();
  if (!lowercaseKept) return;
  uri.query &&= uri.query.toLowerCase();
  uri.fragment &&= uri.fragment.toLowerCase();
}

function lowercaseAuthority(authority: Authority, variant: Variant): Authority {
  if (!authority.isTriple) return variant === 'P' ? { isTriple: false, text: authority.text.toLowerCase() } : authority;
  const { user, port } = authority;
  const host = variant === 'P' || !isIpAddress(authority.host) ? authority.host.toLowerCase() : authority.host;
  return { isTriple: true, user: variant === 'P' ? user.toLowerCase() : user, host, port };
}

function removeLeadingZeroes(uri: HierarchicalUri): void {
  if (!uri.authority?.isTriple) return;
  const { user, host, port } = uri.authority;
  if (port === '' && !isIpAddress(host)) return;
  uri.authority = {
    isTriple: true,
    user,
    host: isIpAddress(host) ? withoutLeadingZeroes(host) : host,
    port: withoutLeadingZeroes(port),
  };
}

/** All of them, the last one too: `/test/` becomes `/test`. */
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

/** The text goes and the segment stays, so that the slash before it does: the draft's first example. */
function removeIndex(uri: HierarchicalUri): void {
  const index = ['/index.htm', '/index.html'].find((each) => uri.path.endsWith(each));
  if (uri.scheme === 'http' && index !== undefined) uri.path = uri.path.slice(0, 1 - index.length);
}

/** Step 9. An empty segment is written, since the draft's second example keeps one; other empty parts are not. */
export function recompose({ scheme, authority, path, query, fragment }: HierarchicalUri): string {
  const net = authority === undefined ? '' : formatAuthority(authority);
  return `${scheme}:${net === '' ? '' : `//${net}`}${path}${kept('?', query)}${kept('#', fragment)}`;
}

/** A kept query or fragment with its mark; an empty one is not a component that remains. */
export function kept(mark: '?' | '#', part: string | undefined): string {
  return part ? mark + part : '';
}
