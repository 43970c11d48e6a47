import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import type { Cutter } from '../../bulk/index.ts';
import type { Spans } from '../../bytes/lines.ts';
import { decodeLine } from '../../bytes/utf8.ts';

/** What a row is. A header and captions stand as they are, with the name of what is added. */
export const VALUE = 0;
export const MALFORMED = 1;
/** It heads the rows after it. */
export const CAPTION = 2;
/** The header of a table, and that of a later input, which does not come out. */
export const HEADER = 3;
export const LATER_HEADER = 4;
export const BLANK = 5;

/** Of a row without a JSON object: no such row begins with its closing brace. */
export const NO_BRACE = 0;

/** Why a row has no result. Its message may be a getter: few are shown. */
export interface RowProblem {
  readonly row: number;
  readonly reason: string;
  readonly message: string;
}

/**
 * At most ROW_CAPACITY rows of a block: every record of the input is one, so row r is the record `firstNumber + r` of
 * the block. Valid until the next batch is asked for.
 */
export interface RowBatch {
  readonly length: number;
  readonly firstNumber: number;
  /** As they stand, without line ends. */
  readonly rows: Spans;
  /**
   * What the stage works on: `rows` itself where a row is its value. After each lies a byte that no URL has. They are
   * no more than BATCH_BYTES together, or one alone.
   */
  readonly values: Spans;
  /** Of each row: VALUE and so on. Other rows have no value, or an empty one. */
  readonly kinds: Uint8Array;
  /** The place in `rows` of the closing brace of each row's JSON object, or NO_BRACE. */
  readonly closingBraces: Uint32Array;
  /** Of the MALFORMED rows, ascending. */
  readonly problems: readonly RowProblem[];
}

/** How an input is cut into rows: lines, text between NULs, the records of a table, JSON lines, CDX. */
export interface Framing {
  /** For one input. */
  cutter(): Cutter;
  /**
   * What `batches` needs to know of a block besides its bytes: plain data, for threads that have not seen the blocks
   * before. `before`: that of the block before it in the same input.
   *
   * @throws where the first block does not fit
   */
  stateOf?(block: Uint8Array, before: unknown): unknown;
  /** The rows of a block of whole ones, the last of which may lack its end. */
  batches(block: Uint8Array, state: unknown): Iterable<RowBatch>;
}

/** Of rows that all have a value, and no JSON object. */
export const ALL_VALUES = new Uint8Array(ROW_CAPACITY);
export const NO_BRACES = new Uint32Array(ROW_CAPACITY);
export const NO_PROBLEMS: readonly RowProblem[] = [];

/** Rows of these kinds have no place in counts. */
export function isHeader(kind: number): boolean {
  return kind === HEADER || kind === LATER_HEADER;
}

/** What stands in place of a row's value: of a malformed row, all of it. */
export function givenSpans({ rows, values, kinds }: RowBatch, row: number): Spans {
  return kinds[row] === MALFORMED ? rows : values;
}

/** A view of it. */
export function givenIn(batch: RowBatch, row: number): Uint8Array {
  const { bytes, starts, ends } = givenSpans(batch, row);
  return bytes.subarray(starts[row], ends[row]);
}

/** The value of a row as text; undefined for a row that has none. */
export function valueText({ values, kinds }: RowBatch, row: number): string | undefined {
  return kinds[row] === VALUE ? decodeLine(values.bytes.subarray(values.starts[row], values.ends[row])) : undefined;
}
