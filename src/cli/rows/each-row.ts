import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import type { Rows, RowVisitor } from './framing.ts';

/** A row of a block beside what a stage made of it. */
export interface Row {
  readonly row: number;
  /** The row's bytes in the block, without its end: [start, end). */
  readonly start: number;
  readonly end: number;
  readonly isInvalid: boolean;
}

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

/** The rows of a block beside those that are `invalid`, ascending; `visit` gets the same object each time. */
export function eachRow(rows: Rows, invalid: Uint32Array, visit: (row: Row) => boolean | void): void {
  const current = { row: 0, start: 0, end: 0, isInvalid: false };
  let nextInvalid = 0;
  rows.eachRow((start, end, row) => {
    const isInvalid = invalid[nextInvalid] === row;
    if (isInvalid) nextInvalid++;
    return visit(Object.assign(current, { row, start, end, isInvalid }));
  });
}
