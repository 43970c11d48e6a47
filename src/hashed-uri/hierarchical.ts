import { type Authority, formatAuthority, isDefaultPort, isIpAddress, withoutLeadingZeroes } from './authority.ts';
import type { Readings, Variant } from './options.ts';

/** A hierarchical URI in the parts of appendix A step 2, which the steps that follow change one after the other. */
export interface HierarchicalUri {
  readonly scheme: string;
  authority: Authority | undefined;
  /** RFC 2396's path_segments: none for no path at all, one empty segment for `/`. */
  segments: string[];
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
  if (!uri.authority?.isTriple) return;
  const { port } = uri.authority;
  const number = defaultPort === 'number' ? withoutLeadingZeroes(port) : port;
  if (isDefaultPort(uri.scheme, number)) uri.authority = { ...uri.authority, port: '' };
}

/** The scheme is in lower case already, by section 4.3 (2); the characters are ASCII. */
function lowercase(uri: HierarchicalUri, variant: Variant, { lowercaseKept }: Required<Readings>): void {
  uri.authority &&= lowercaseAuthority(uri.authority, variant);
  if (variant === 'N') return;
  uri.segments = uri.segments.map((segment) => segment.toLowerCase());
  if (!lowercaseKept) return;
  uri.query &&= uri.query.toLowerCase();
  uri.fragment &&= uri.fragment.toLowerCase();
}

function lowercaseAuthority(authority: Authority, variant: Variant): Authority {
  if (!authority.isTriple) return variant === 'P' ? { isTriple: false, text: authority.text.toLowerCase() } : authority;
  const { user, host, port } = authority;
  const isLowered = variant === 'P' || !isIpAddress(host);
  return { isTriple: true, user: variant === 'P' ? user.toLowerCase() : user, host: isLowered ? host.toLowerCase() : host, port };
}

function removeLeadingZeroes(uri: HierarchicalUri): void {
  if (!uri.authority?.isTriple) return;
  const { user, host, port } = uri.authority;
  uri.authority = { isTriple: true, user, host: isIpAddress(host) ? withoutLeadingZeroes(host) : host, port: withoutLeadingZeroes(port) };
}

/** All of them, the last one too: `/test/` becomes `/test`. */
function removeEmptySegments(uri: HierarchicalUri): void {
  uri.segments = uri.segments.filter((segment) => segment !== '');
}

const SHORT_SUFFIXES: readonly (readonly [long: string, short: string])[] = [
  ['.html', '.htm'],
  ['.jpeg', '.jpg'],
  ['.text', '.txt'],
  ['.ram', '.ra'],
];

function shortenSuffix({ segments }: HierarchicalUri): void {
  const last = segments.pop();
  if (last === undefined) return;
  const found = SHORT_SUFFIXES.find(([long]) => last.endsWith(long));
  segments.push(found === undefined ? last : last.slice(0, -found[0].length) + found[1]);
}

/** The text goes and the segment stays, so that the slash before it does: the draft's first example. */
function removeIndex({ scheme, segments }: HierarchicalUri): void {
  const last = segments[segments.length - 1];
  if (scheme === 'http' && (last === 'index.htm' || last === 'index.html')) segments[segments.length - 1] = '';
}

/** Step 9. An empty segment is written, since the draft's second example keeps one; other empty parts are not. */
export function recompose({ scheme, authority, segments, query, fragment }: HierarchicalUri): string {
  const net = authority === undefined ? '' : formatAuthority(authority);
  const path = segments.length === 0 ? '' : `/${segments.join('/')}`;
  return `${scheme}:${net === '' ? '' : `//${net}`}${path}${kept('?', query)}${kept('#', fragment)}`;
}

/** A kept query or fragment with its mark; an empty one is no component that remains. */
export function kept(mark: '?' | '#', part: string | undefined): string {
  return part ? mark + part : '';
}
