import type { Cutter } from '../../bulk/line-blocks.ts';

/** How a table's records and fields are told apart. */
export interface Table {
  /** Between two fields. */
  readonly delimiter: string;
  /** For one input. */
  cutter(): Cutter;
  /**
   * Calls `visit` with each record of a block of whole ones, the same object each time, until it returns false.
   *
   * @param column whose field's bounds are wanted, from 0
   */
  eachRecord(block: Uint8Array, column: number, visit: (record: TableRecord) => boolean | void): void;
  /** The values of the fields of a record that is not malformed. */
  valuesOf(record: Uint8Array): Uint8Array[];
  /** Writes the value of the field [start, end) of a block, which is no longer than the field, and returns its end. */
  writeValue(block: Uint8Array, start: number, end: number, into: Uint8Array, at: number): number;
}

export interface TableRecord {
  /** Where it lies in the block, its line end included: [start, end). */
  readonly start: number;
  readonly end: number;
  /** Why it is not a record: it has no fields then. */
  readonly malformation: string | undefined;
  readonly fieldCount: number;
  /** The field of the wanted column: [fieldStart, fieldEnd), where the record has so many. */
  readonly fieldStart: number;
  readonly fieldEnd: number;
}

/** The table, or the header of one, is not as the options say. */
export class TableError extends Error {}
