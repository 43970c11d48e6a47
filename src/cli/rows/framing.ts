import type { HashColumn } from '../../digest/column.ts';
import type { Kernel, Width } from '../../kernel/kernel.ts';

/** How an input is cut into rows: lines, text between NULs, or the records of a table. */
export interface Framing {
  /** For one input: given its chunks in order, says where the last row ends in each, behind its end, or -1. */
  cutter(): (chunk: Uint8Array) => number;
  /** Hashes a block of whole rows, the last of which may lack its end. */
  rows(kernel: Kernel, block: Uint8Array, width: Width): Rows;
  /** Rows of an input that takeHeader takes off its first block. */
  readonly headerCount?: number;
  /** Takes the header off the first block of an input; it comes out once. @throws where it does not fit */
  takeHeader?(block: Uint8Array): { readonly header?: Uint8Array; readonly block: Uint8Array };
}

/** One block's rows beside the column of their hashes. */
export interface Rows {
  readonly bytes: Uint8Array;
  readonly column: HashColumn;
  /** Calls `visit` with the bounds of each row in `bytes`, without its end, until it returns false. */
  eachLine(visit: (start: number, end: number, row: number) => boolean | void): void;
  /** What was hashed as a URL in the row with these bounds. */
  given(row: number, start: number, end: number): Uint8Array;
  /** Why an invalid row is none. */
  problem(row: number): Problem;
}

export interface Problem {
  readonly reason: string;
  readonly message: string;
}
