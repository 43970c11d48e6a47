import { hashLines } from '../../bulk/lines.ts';
import { hashStrings } from '../../bulk/strings.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import type { HashColumn } from '../../digest/column.ts';
import type { Kernel, Width } from '../../kernel/kernel.ts';
import { eachLine } from './each-row.ts';
import type { Framing, Problem, Rows } from './framing.ts';

const NUL = 0x00;

/** Lines that end in LF or CR LF. */
export const LINES: Framing = {
  cutter: () => (chunk) => chunk.lastIndexOf(LINE_FEED) + 1 || -1,
  rows: (kernel, block, width) => new LineRows(block, hashLines(kernel, block, width), LINE_FEED),
};

/** Text that ends in NUL: it may hold line feeds. */
export const ZERO_LINES: Framing = {
  cutter: () => (chunk) => chunk.lastIndexOf(NUL) + 1 || -1,
  rows: (kernel, block, width) => new LineRows(block, hashZeroLines(kernel, block, width), NUL),
};

/** As lines, in a copy, where that is the same; the kernel splits at LF and takes a CR before it away. */
function hashZeroLines(kernel: Kernel, block: Uint8Array, width: Width): HashColumn {
  if (block.includes(LINE_FEED) || block.includes(CARRIAGE_RETURN)) return hashStrings(kernel, zeroLines(block), width);
  const lines = Uint8Array.from(block); // a Buffer's slice is no copy
  for (let at = 0; at < lines.length; at++) if (lines[at] === NUL) lines[at] = LINE_FEED;
  return hashLines(kernel, lines, width);
}

function zeroLines(block: Uint8Array): string[] {
  const texts: string[] = [];
  eachLine(block, (start, end) => void texts.push(decodeLine(block.subarray(start, end))), NUL);
  return texts;
}

/** A block beside a column of its lines that was made elsewhere. */
export function lineRows(bytes: Uint8Array, column: HashColumn, lineEnd: number): Rows {
  return new LineRows(bytes, column, lineEnd);
}

class LineRows implements Rows {
  readonly bytes: Uint8Array;
  readonly column: HashColumn;
  readonly #end: number;

  constructor(bytes: Uint8Array, column: HashColumn, end: number) {
    this.bytes = bytes;
    this.column = column;
    this.#end = end;
  }

  eachLine(visit: (start: number, end: number, row: number) => boolean | void): void {
    eachLine(this.bytes, visit, this.#end);
  }

  given(_row: number, start: number, end: number): Uint8Array {
    return this.bytes.subarray(start, end);
  }

  problem(row: number): Problem {
    return this.column.errorAt(row)!;
  }
}
