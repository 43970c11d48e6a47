import type { Cutter } from '../../bulk/line-blocks.ts';

/** How a table's records and fields are told apart. Its structure is ASCII, so it is read a character a byte. */
export interface Table {
  /** Between two fields. */
  readonly delimiter: string;
  /** For one input. */
  cutter(): Cutter;
  /** Calls `visit` with each record of a block of whole ones, given as one character a byte, until it returns false. */
  eachRecord(block: string, visit: (record: TableRecord) => boolean | void): void;
}

export interface TableRecord {
  /** Where it lies in the block, its end included: [start, end). */
  readonly start: number;
  readonly end: number;
  /** The values of its fields, one character a byte. */
  readonly fields: readonly string[];
  /** What is wrong with it. */
  readonly problem: string | undefined;
}

/** The table, or the header of one, is not as the options say. */
export class TableError extends Error {}
