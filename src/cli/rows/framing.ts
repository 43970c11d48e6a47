import type { Cutter } from '../../bulk/line-blocks.ts';

/** How an input is cut into rows: lines, text between NULs, the records of a table, JSON lines, CDX. */
export interface Framing {
  /** For one input. */
  cutter(): Cutter;
  /** The rows of a block of whole ones, the last of which may lack its end. */
  rows(block: Uint8Array): Rows;
  /** Rows of each input that takeHeader takes off its first block. */
  readonly headerCount?: number;
  /** Takes the header off the first block of an input; that of the first comes out. @throws where it does not fit */
  takeHeader?(block: Uint8Array): { readonly header?: Uint8Array; readonly block: Uint8Array };
  /** What `rows` needs to know of an input besides this block of it, for a thread that has not seen the others. */
  stateFor?(block: Uint8Array): unknown;
  /** Takes the state that `stateFor` gave. */
  resume?(state: unknown): void;
}

/** Is given the bounds of a row's bytes, without its end, and returns false to see no more. */
export type RowVisitor = (start: number, end: number, row: number) => boolean | void;

/** Of a row without a JSON object: the first byte closes none. */
export const NO_BRACE = 0;

/** The rows of one block. They are counted from 0; their number in the block may differ where some are skipped. */
export interface Rows {
  readonly bytes: Uint8Array;
  /** What the stage works on: one value per row. */
  readonly values: Values;
  /** Rows without a value, and why: in their place the values have an empty one. */
  readonly malformed: ReadonlyMap<number, Problem>;
  /** The numbers in the block, ascending from 0, of what counts as a row but is skipped. */
  readonly skipped: readonly number[];
  /** Rows that head others: they stand as they are, with the name of what is added. */
  readonly captions?: ReadonlySet<number>;
  /** Where the closing brace of a row's JSON object is in `bytes`, or NO_BRACE. */
  closingBraceOf?(row: number): number;
  /** The bounds of each row in `bytes`. */
  eachRow(visit: RowVisitor): void;
}

/** The values of a block's rows: the lines of a text, or packed as Arrow does it. */
export type Values = LineValues | PackedValues;

/** Value r is line r: LF or CR LF ends it; the last may lack its end. */
export interface LineValues {
  readonly lines: Uint8Array;
}

/** Value r is bytes[offsets[r], offsets[r + 1]). */
export interface PackedValues {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

/** Why a row has no result. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}
