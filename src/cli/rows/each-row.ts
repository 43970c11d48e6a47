import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import { digestOfBytes } from '../../digest/digest.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Rows } from './framing.ts';

/** A row of a block's column beside the line it came from. */
export interface Row {
  readonly row: number;
  /** The line's bytes in the block, without its end: [start, end). */
  readonly start: number;
  readonly end: number;
  readonly isInvalid: boolean;
}

/** Calls `visit` with the bounds of each line, without its LF or CR LF, or other `lineEnd`, until it returns false. */
export function eachLine(
  block: Uint8Array,
  visit: (start: number, end: number, row: number) => boolean | void,
  lineEnd = LINE_FEED,
): void {
  for (let at = 0, row = 0; at < block.length; row++) {
    const found = block.indexOf(lineEnd, at);
    const next = found === -1 ? block.length + 1 : found + 1;
    const hasReturn = lineEnd === LINE_FEED && next - 1 > at && found !== -1 && block[found - 1] === CARRIAGE_RETURN;
    if (visit(at, hasReturn ? next - 2 : next - 1, row) === false) return;
    at = next;
  }
}

/** The same for the rows of a block beside their hashes; `visit` gets the same object each time. */
export function eachRow(rows: Rows, visit: (row: Row) => boolean | void): void {
  const current = { row: 0, start: 0, end: 0, isInvalid: false };
  const { invalid } = rows.column;
  let nextInvalid = 0;
  rows.eachLine((start, end, row) => {
    const isInvalid = invalid[nextInvalid] === row;
    if (isInvalid) nextInvalid++;
    return visit(Object.assign(current, { row, start, end, isInvalid }));
  });
}

/** Gives the invalid rows the hash of what is in place of their URL, as it stands: `--on-error keep`. */
export function keepInvalid(kernel: Kernel, rows: Rows): void {
  const { bytes, invalid, width } = rows.column;
  if (invalid.length === 0) return;
  eachRow(rows, ({ row, start, end, isInvalid }) => {
    if (isInvalid) bytes.set(digestOfBytes(kernel, rows.given(row, start, end), width), row * width);
  });
}
