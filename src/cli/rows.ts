import type { HashColumn } from '../digest/column.ts';
import { digestOfBytes } from '../digest/digest.ts';
import type { Kernel } from '../kernel/kernel.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A row of a block's column beside the line it came from. */
export interface Row {
  readonly row: number;
  /** The line's bytes in the block, without its end: [start, end). */
  readonly start: number;
  readonly end: number;
  readonly isInvalid: boolean;
}

/** Calls `visit` with the bounds of each line, without its LF or CR LF, until it returns false. */
export function eachLine(block: Uint8Array, visit: (start: number, end: number, row: number) => boolean | void): void {
  for (let at = 0, row = 0; at < block.length; row++) {
    const feed = block.indexOf(LINE_FEED, at);
    const next = feed === -1 ? block.length + 1 : feed + 1;
    const end = next - 1 > at && feed !== -1 && block[feed - 1] === CARRIAGE_RETURN ? feed - 1 : next - 1;
    if (visit(at, end, row) === false) return;
    at = next;
  }
}

/** The same for the rows of the block's column; `visit` gets the same object each time. */
export function eachRow(block: Uint8Array, column: HashColumn, visit: (row: Row) => boolean | void): void {
  const current = { row: 0, start: 0, end: 0, isInvalid: false };
  let nextInvalid = 0;
  eachLine(block, (start, end, row) => {
    const isInvalid = column.invalid[nextInvalid] === row;
    if (isInvalid) nextInvalid++;
    return visit(Object.assign(current, { row, start, end, isInvalid }));
  });
}

/** Gives the invalid rows the hash of their line as it stands: `--on-error keep`. */
export function keepInvalid(kernel: Kernel, block: Uint8Array, column: HashColumn): void {
  if (column.invalid.length === 0) return;
  eachRow(block, column, ({ row, start, end, isInvalid }) => {
    if (isInvalid) column.bytes.set(digestOfBytes(kernel, block.subarray(start, end), column.width), row * column.width);
  });
}
