import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import type { RowVisitor } from './framing.ts';

/** Calls `visit` with the bounds of each line, without its LF or CR LF, or other `lineEnd`, until it returns false. */
export function eachLine(block: Uint8Array, visit: RowVisitor, lineEnd = LINE_FEED): void {
  for (let at = 0, row = 0; at < block.length; row++) {
    const found = block.indexOf(lineEnd, at);
    const feed = found === -1 ? block.length : found;
    if (visit(at, lineEnd === LINE_FEED ? endOfLine(block, at, feed) : feed, row) === false) return;
    at = feed + 1;
  }
}

/** The end of a line without the CR before its line feed; without one, at the end of the block, a CR is part of it. */
export function endOfLine(block: Uint8Array, start: number, feed: number): number {
  return feed < block.length && feed > start && block[feed - 1] === CARRIAGE_RETURN ? feed - 1 : feed;
}
