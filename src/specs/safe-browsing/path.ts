import { afterLast, BACKSLASH, FULL_STOP, positionOf, SLASH } from '../../core/bytes/code-points.ts';
import type { Trace } from './trace.ts';

/**
 * The path's two steps on bytes [start, end), in place: first `/./` and `/../`, then runs of slashes. The
 * order is the page's, so `/a//../b` is `/a/b`: the component before `/../` is the empty one. A final `/.`
 * or `/..` is resolved too, as in the page's `/blah/..`, and leaves no slash: the page is silent
 * there, and the service's own client turns `/a/b/..` into `/a`. Returns the new end; an empty path stays empty.
 */
export function canonicalizePath(bytes: Uint8Array, start: number, end: number, trace?: Trace): number {
  const resolvedEnd = resolveDots(bytes, start, end);
  trace?.('path without dot segments', bytes, start, resolvedEnd);
  return collapseSlashes(bytes, start, resolvedEnd);
}

/** Copies each component with the slash before it. Going back costs no more than the bytes that it removes. */
function resolveDots(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  for (let at = start; at < end; ) {
    const next = positionOf(SLASH, bytes, at + 1, end);
    if (isDoubleDot(bytes, at + 1, next)) to = Math.max(start, afterLast(SLASH, bytes, start, to) - 1);
    else if (!isSingleDot(bytes, at + 1, next)) to = moved(bytes, at, next, to);
    at = next;
  }
  return to;
}

function moved(bytes: Uint8Array, start: number, end: number, to: number): number {
  if (to !== start) bytes.copyWithin(to, start, end);
  return to + end - start;
}

function isSingleDot(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 1 && bytes[start] === FULL_STOP;
}

function isDoubleDot(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 2 && bytes[start] === FULL_STOP && bytes[start + 1] === FULL_STOP;
}

function collapseSlashes(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  for (let at = start; at < end; at++) {
    const isRepeated = bytes[at] === SLASH && to > start && bytes[to - 1] === SLASH;
    if (!isRepeated) bytes[to++] = bytes[at]!;
  }
  return to;
}

/** Turns backslashes into slashes. A browser has done so before; Chromium does it again after unescaping. */
export function slashBackslashes(bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    if (bytes[at] === BACKSLASH) bytes[at] = SLASH;
  }
}
