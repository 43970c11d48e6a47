import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import type { RowVisitor } from './framing.ts';

/** Calls `visit` with the bounds of each line, without its LF or CR LF, or other `lineEnd`, until it returns false. */
export function eachLine(block: Uint8Array, visit: RowVisitor, lineEnd = LINE_FEED): void {
  for (let at = 0, row = 0; at < block.length; row++) {
    const found = block.indexOf(lineEnd, at);
    const next = found === -1 ? block.length + 1 : found + 1;
    const hasReturn = lineEnd === LINE_FEED && next - 1 > at && found !== -1 && block[found - 1] === CARRIAGE_RETURN;
    if (visit(at, hasReturn ? next - 2 : next - 1, row) === false) return;
    at = next;
  }
}
