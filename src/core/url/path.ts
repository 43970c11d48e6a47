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
import { isAuthorityEnd } from './authority.ts';
import { C0_CONTROL, PATH, percentEncode } from './percent.ts';
import type { UrlRecord } from './record.ts';

const SINGLE_DOT = /^(?:\.|%2e)$/i;
const DOUBLE_DOT = /^(?:\.|%2e){2}$/i;

/**
 * Escapes `input`, resolves its segments against those of `base` ('' or '/' before each) and returns the serialized
 * path. `input` begins after the slash that opens the path. https://url.spec.whatwg.org/#path-state
 */
export function parsePath(input: string, { scheme, isSpecial, trace }: UrlRecord, base: string): string {
  const isResolved = scheme !== 'file' && !mayNeedResolving(input);
  const slashed = isSpecial && !isResolved ? input.replaceAll('\\', '/') : input;
  const encoded = percentEncode(slashed, PATH);
  trace?.('path', base, slashed, encoded);
  return isResolved ? `${base}/${encoded}` : resolveSegments(encoded, scheme, base);
}

/** Looks for what may be a dot segment, which begins with a dot, spelled either way; a backslash may open a segment. */
function mayNeedResolving(input: string): boolean {
  let before = SLASH;
  for (let at = 0; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (code === BACKSLASH || (before === SLASH && (code === FULL_STOP || code === PERCENT))) return true;
    before = code;
  }
  return false;
}

/** Escaping changes no segment's meaning: neither dot, percent sign nor vertical bar is in the set. */
export function resolveSegments(text: string, scheme: string, base: string): string {
  const path = base === '' ? [] : base.slice(1).split('/');
  const segments = text.split('/');
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index]!;
    const isLast = index === segments.length - 1;
    if (isDoubleDot(segment)) {
      shorten(path, scheme);
      if (isLast) path.push('');
    } else if (!isSingleDot(segment)) {
      path.push(scheme === 'file' && path.length === 0 ? normalizeDriveLetter(segment) : segment);
    } else if (isLast) {
      path.push('');
    }
  }
  return `/${path.join('/')}`;
}

// https://url.spec.whatwg.org/#single-dot-path-segment
function isSingleDot(segment: string): boolean {
  return segment.length <= 3 && SINGLE_DOT.test(segment);
}

// https://url.spec.whatwg.org/#double-dot-path-segment
function isDoubleDot(segment: string): boolean {
  return segment.length <= 6 && DOUBLE_DOT.test(segment);
}

function normalizeDriveLetter(segment: string): string {
  return isDriveLetter(segment) ? `${segment[0]}:` : segment;
}

// https://url.spec.whatwg.org/#shorten-a-urls-path
function shorten(path: string[], scheme: string): void {
  const isDriveAlone = scheme === 'file' && path.length === 1 && isNormalizedDriveLetter(path[0]!);
  if (!isDriveAlone) path.pop();
}

/** Returns a base path without its last segment: what a relative path is resolved against. */
export function shortenedPath(path: string, scheme: string): string {
  const isDriveAlone = scheme === 'file' && path.length === 3 && isNormalizedDriveLetter(path.slice(1));
  return isDriveAlone ? path : path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/**
 * Escapes an opaque path, including a space that ends it before a query or fragment.
 * https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state
 */
export function parseOpaquePath(input: string, isFollowed: boolean): string {
  const path = percentEncode(input, C0_CONTROL);
  return isFollowed && path.endsWith(' ') ? `${path.slice(0, -1)}%20` : path;
}

// https://url.spec.whatwg.org/#windows-drive-letter
export function isDriveLetter(text: string): boolean {
  return text.length === 2 && hasDriveLetterAt(text, 0);
}

// https://url.spec.whatwg.org/#normalized-windows-drive-letter
export function isNormalizedDriveLetter(text: string): boolean {
  return isDriveLetter(text) && codeAt(text, 1) === COLON;
}

// https://url.spec.whatwg.org/#start-with-a-windows-drive-letter
export function startsWithDriveLetter(text: string, at: number): boolean {
  return hasDriveLetterAt(text, at) && isAuthorityEnd(text, at + 2, true);
}

function hasDriveLetterAt(text: string, at: number): boolean {
  const second = codeAt(text, at + 1);
  return isAsciiAlpha(codeAt(text, at)) && (second === COLON || second === VERTICAL_BAR);
}
