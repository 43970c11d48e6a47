import { type Authority, parseAuthority } from './authority.ts';
import { Failure } from './failure.ts';

/** A URI reference in the parts of RFC 2396 appendix B; undefined is a part that is not there. */
interface Reference {
  /** In lower case. */
  readonly scheme: string | undefined;
  /** Undefined without `//`; an empty one is not a triple. */
  readonly authority: Authority | undefined;
  /** The path, or the whole opaque part: all that stands after the scheme of a URI like `mailto:a@b?c`. */
  readonly path: string;
  readonly isOpaque: boolean;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

/** A reference that has a scheme. */
export interface AbsoluteUri extends Reference {
  readonly scheme: string;
}

/** Up to the first of the characters that end a scheme, an authority, or what stands before a query. */
const BEFORE_COLON = /^[^:/?#]*(?=:)/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;

/** Reads a reference whose characters have been checked; `hasOpaqueQuery` splits an opaque part at its '?'. */
export function parseReference(text: string, hasOpaqueQuery: boolean): Reference | Failure {
  const scheme = BEFORE_COLON.exec(text)?.[0];
  if (scheme !== undefined && !SCHEME.test(scheme)) return new Failure('scheme-malformed', 0);
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

export function isAbsolute(reference: Reference): reference is AbsoluteUri {
  return reference.scheme !== undefined;
}

/** The absolute URI a reference stands for. RFC 2396 section 5.2, whose numbers these are */
export function resolve(reference: Reference, base: AbsoluteUri): AbsoluteUri | Failure {
  if (isAbsolute(reference)) return reference; // 3
  const isSameDocument = reference.path === '' && reference.authority === undefined && reference.query === undefined;
  if (isSameDocument) return { ...base, fragment: reference.fragment }; // 2
  if (base.isOpaque) return new Failure('base-opaque');
  const { scheme } = base;
  if (reference.authority !== undefined) return { ...reference, scheme }; // 4
  const path = reference.path.startsWith('/') ? reference.path : mergedPath(reference.path, base); // 5, 6
  return { ...reference, scheme, authority: base.authority, path };
}

/** A base without a path lacks the slash that would keep the two apart: RFC 3986 section 5.2.3 supplies it. */
function mergedPath(path: string, base: AbsoluteUri): string {
  if (base.path === '' && path === '') return '';
  return withoutDotSegments(base.path.slice(1, base.path.lastIndexOf('/') + 1) + path);
}

/** Steps 6 c to g; '..' segments that have nothing to climb stay, as RFC 2396 has them and RFC 3986 does not. */
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
