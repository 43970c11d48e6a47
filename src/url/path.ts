import { isDriveLetter, isNormalizedDriveLetter } from './drive-letter.ts';
import { C0_CONTROL, PATH, percentEncode } from './percent.ts';
import { isSpecialScheme } from './scheme.ts';

const SINGLE_DOT = /^(?:\.|%2e)$/i;
const DOUBLE_DOT = /^(?:\.|%2e){2}$/i;
/** A segment can only be a dot segment where one begins with a dot, spelled either way. */
const MAY_HAVE_DOT_SEGMENT = /(?:^|\/)(?:\.|%2e)/i;

/**
 * Resolves the segments of `input` against those of `base` ('' or '/' before each), escapes them and
 * gives the serialized path. `input` begins behind the slash that opens the path.
 * https://url.spec.whatwg.org/#path-state
 */
export function parsePath(input: string, scheme: string, base: string): string {
  const text = isSpecialScheme(scheme) ? input.replaceAll('\\', '/') : input;
  if (scheme === 'file' || MAY_HAVE_DOT_SEGMENT.test(text)) return resolveSegments(text, scheme, base);
  return `${base}/${percentEncode(text, PATH)}`;
}

function resolveSegments(text: string, scheme: string, base: string): string {
  const path = base === '' ? [] : base.slice(1).split('/');
  const segments = text.split('/');
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (DOUBLE_DOT.test(segment)) {
      shorten(path, scheme);
      if (isLast) path.push('');
    } else if (!SINGLE_DOT.test(segment)) {
      path.push(scheme === 'file' && path.length === 0 ? normalizeDriveLetter(segment) : percentEncode(segment, PATH));
    } else if (isLast) {
      path.push('');
    }
  }
  return `/${path.join('/')}`;
}

function normalizeDriveLetter(segment: string): string {
  return isDriveLetter(segment) ? `${segment[0]}:` : percentEncode(segment, PATH);
}

// https://url.spec.whatwg.org/#shorten-a-urls-path
function shorten(path: string[], scheme: string): void {
  const isDriveAlone = scheme === 'file' && path.length === 1 && isNormalizedDriveLetter(path[0]!);
  if (!isDriveAlone) path.pop();
}

/** A base path without its last segment: what a relative path is resolved against. */
export function shortenedPath(path: string, scheme: string): string {
  const isDriveAlone = scheme === 'file' && path.length === 3 && isNormalizedDriveLetter(path.slice(1));
  return isDriveAlone ? path : path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A space that ends the path before a query or fragment is escaped. https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state */
export function parseOpaquePath(input: string, isFollowed: boolean): string {
  const path = percentEncode(input, C0_CONTROL);
  return isFollowed && path.endsWith(' ') ? `${path.slice(0, -1)}%20` : path;
}
