import {
  BACKSLASH,
  COLON,
  codeAt,
  FULL_STOP,
  isAsciiAlpha,
  PERCENT,
  SLASH,
  VERTICAL_BAR,
} from '../bytes/code-points.ts';
import { TextWriter } from '../bytes/text-writer.ts';
import { isAuthorityEnd } from './authority.ts';
import { C0_CONTROL, escapedByte, PATH, percentEncode } from './percent.ts';
import { UrlRecord } from './record.ts';

/**
 * Escapes `input`, resolves its segments against those of `base` ('' or '/' before each) and returns the serialized
 * path. `input` begins after the slash that opens the path. https://url.spec.whatwg.org/#path-state
 */
export function parsePath(input: string, url: UrlRecord, base: string): string {
  const isResolved = url.scheme !== 'file' && !mayNeedResolving(input);
  const slashed = url.isSpecial && !isResolved ? input.replaceAll('\\', '/') : input;
  const encoded = percentEncode(slashed, PATH);
  const trace = url.trace;
  if (trace !== null) trace.path(base, slashed, encoded);
  return isResolved ? `${base}/${encoded}` : resolveSegments(encoded, url.scheme, base);
}

/** Looks for what may be a dot segment, which begins with a dot, spelled either way; a backslash may open a segment. */
function mayNeedResolving(input: string): bool {
  let before = SLASH;
  for (let at = 0; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (code === BACKSLASH || (before === SLASH && (code === FULL_STOP || code === PERCENT))) return true;
    before = code;
  }
  return false;
}

/**
 * Resolves the segments of a path against `base`, which has '' or '/' before each of its own. Escaping changes no
 * segment's meaning: neither dot, percent sign nor vertical bar is in the set.
 */
export function resolveSegments(text: string, scheme: string, base: string): string {
  let prefix = base;
  const starts: i32[] = [];
  const ends: i32[] = [];
  let dots = 0;
  for (let start = 0, end = 0; start <= text.length; start = end + 1) {
    end = segmentEnd(text, start);
    dots = dotsOf(text, start, end);
    if (dots === 2 && starts.length === 0) prefix = shortenedPath(prefix, scheme);
    else if (dots === 2) {
      starts.pop();
      ends.pop();
    } else if (dots === 0 && scheme === 'file' && prefix === '' && starts.length === 0 && isDrive(text, start, end)) {
      prefix = `/${text.charAt(start)}:`;
    } else if (dots === 0) {
      starts.push(start);
      ends.push(end);
    }
  }
  const path = new TextWriter();
  path.add(prefix);
  for (let index = 0; index < starts.length; index++) {
    path.add('/');
    path.addSlice(text, starts[index]!, ends[index]!);
  }
  if (dots !== 0) path.add('/');
  return path.toString();
}

function segmentEnd(text: string, start: i32): i32 {
  const slash = text.indexOf('/', start);
  return slash === -1 ? text.length : slash;
}

/**
 * Returns 1 for a single-dot segment, 2 for a double-dot one, and 0 for any other.
 * https://url.spec.whatwg.org/#single-dot-path-segment and #double-dot-path-segment
 */
function dotsOf(text: string, start: i32, end: i32): i32 {
  let dots = 0;
  for (let at = start; at < end; dots++) {
    if (text.charCodeAt(at) === FULL_STOP) at++;
    else if (escapedByte(text, at) === FULL_STOP) at += 3;
    else return 0;
    if (dots === 2) return 0;
  }
  return dots;
}

/** Returns a path without its last segment, but for a drive letter alone. https://url.spec.whatwg.org/#shorten-a-urls-path */
export function shortenedPath(path: string, scheme: string): string {
  const isDriveAlone = scheme === 'file' && path.length === 3 && isNormalizedDriveLetter(path.slice(1));
  return isDriveAlone || path.length === 0 ? path : path.slice(0, path.lastIndexOf('/'));
}

/**
 * Escapes an opaque path, including a space that ends it before a query or fragment.
 * https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state
 */
export function parseOpaquePath(input: string, isFollowed: bool): string {
  const path = percentEncode(input, C0_CONTROL);
  return isFollowed && path.endsWith(' ') ? `${path.slice(0, -1)}%20` : path;
}

// https://url.spec.whatwg.org/#windows-drive-letter
export function isDriveLetter(text: string): bool {
  return isDrive(text, 0, text.length);
}

function isDrive(text: string, start: i32, end: i32): bool {
  return end - start === 2 && hasDriveLetterAt(text, start);
}

// https://url.spec.whatwg.org/#normalized-windows-drive-letter
export function isNormalizedDriveLetter(text: string): bool {
  return isDriveLetter(text) && codeAt(text, 1) === COLON;
}

// https://url.spec.whatwg.org/#start-with-a-windows-drive-letter
export function startsWithDriveLetter(text: string, at: i32): bool {
  return hasDriveLetterAt(text, at) && isAuthorityEnd(text, at + 2, true);
}

function hasDriveLetterAt(text: string, at: i32): bool {
  const second = codeAt(text, at + 1);
  return isAsciiAlpha(codeAt(text, at)) && (second === COLON || second === VERTICAL_BAR);
}
