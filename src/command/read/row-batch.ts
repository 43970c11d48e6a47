import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import type { Cutter } from '../../core/bulk/hash-stream.ts';
import { rowIn, type Spans } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import type { UnicodeVersion } from '../../core/url/unicode.ts';

/** The kinds of rows. A header and captions stay as they are, and gain the names of the added fields. */
export const VALUE = 0;
export const MALFORMED = 1;
/** A line that is the header of the rows after it. */
export const CAPTION = 2;
/** The header of a table, and the header of a later input, which is not written. */
export const HEADER = 3;
export const LATER_HEADER = 4;
export const BLANK = 5;
/** A row whose value is null: it has no result, and is not bad. */
export const NULL = 6;

/** Marks a row without a JSON object: the closing brace of an object is never at place 0. */
export const NO_BRACE = 0;

/** The reason why a row has no result. */
export interface RowProblem {
  readonly row: number;
  readonly reason: string;
  readonly message: string;
  /** Says what the input lacks if none of its records has a value. */
  lack?(): Lack;
}

export interface Lack {
  readonly sentence: string;
  /** Whether it says what a record has instead: a line that is no record says less. */
  readonly isOfRecord: boolean;
}

/** Returns the first that is of a record, or else the first. */
export function betterLack(one: Lack | undefined, other: Lack | undefined): Lack | undefined {
  return one === undefined || (!one.isOfRecord && other?.isOfRecord === true) ? other : one;
}

/** The reason of MALFORMED rows. */
export const MALFORMED_RECORD = 'malformed-record';

/** Makes its message when it is asked for: that takes some 4 µs, and few are shown. */
export class DeferredProblem implements RowProblem {
  readonly row: number;
  readonly reason: string;
  readonly #messageOf: () => string;

  constructor(row: number, reason: string, messageOf: () => string) {
    this.row = row;
    this.reason = reason;
    this.#messageOf = messageOf;
  }

  get message(): string {
    return this.#messageOf();
  }
}

/**
 * At most ROW_CAPACITY rows of a block. Every record of the input is a row, so row r is the record `firstNumber + r` of
 * the block. Valid until the next batch is asked for.
 */
export interface RowBatch {
  readonly length: number;
  readonly firstNumber: number;
  /** The records as they are, without line ends. */
  readonly rows: Spans;
  /**
   * The texts that the stage works on: `rows` itself if each row is its own value. After each comes a byte that no URL
   * has. Together they have at most BATCH_BYTES, or there is only one.
   */
  readonly values: Spans;
  /** The kind of each row, such as VALUE. Rows of other kinds have no value, or an empty one. */
  readonly kinds: Uint8Array;
  /** The place in `rows` of the closing brace of each row's JSON object, or NO_BRACE. */
  readonly closingBraces: Uint32Array;
  /** The problems of the MALFORMED rows, ascending. */
  readonly problems: readonly RowProblem[];
  /** Of the first rows of a block, where they are checked: the version of Unicode that the tag before them names. */
  readonly unicode?: UnicodeVersion | undefined;
}

/** A block of whole rows, with the framing's state for it. */
export interface Block {
  readonly block: Uint8Array;
  readonly state: unknown;
}

/** The rules by which an input is cut into rows: lines, text between NULs, records of a table, JSON lines, CDX. */
export interface Framing {
  /** Yields the blocks of a named file that is read in a way of its own; `count` is told of bytes that were read. */
  blocksOf?(path: string, count: (byteLength: number) => void): AsyncIterable<Block>;
  /** Returns the cutter of one input. */
  cutter(): Cutter;
  /**
   * Returns the state that `batches` needs with a block: plain data, for threads that have not seen the blocks before.
   * `before` is the state of the block before it in the same input.
   *
   * @throws where the first block does not fit
   */
  stateOf?(block: Uint8Array, before: unknown): unknown;
  /** Yields the rows of a block of whole rows, the last of which may lack its line end. */
  batches(block: Uint8Array, state: unknown): Iterable<RowBatch>;
}

/** For rows that all have a value, and no JSON object. */
export const ALL_VALUES = new Uint8Array(ROW_CAPACITY);
export const NO_BRACES = new Uint32Array(ROW_CAPACITY);
export const NO_PROBLEMS: readonly RowProblem[] = [];

/** Whether rows of this kind are headers, which are not counted. */
export function isHeader(kind: number): boolean {
  return kind === HEADER || kind === LATER_HEADER;
}

/** Returns the spans with the given text of a row: its value, or all of a malformed row. */
export function givenSpans({ rows, values, kinds }: RowBatch, row: number): Spans {
  return kinds[row] === MALFORMED ? rows : values;
}

/** Returns the given text of a row, as a view. */
export function givenIn(batch: RowBatch, row: number): Uint8Array {
  return rowIn(givenSpans(batch, row), row);
}

/** Returns the value of a row as text, or undefined if the row has none. */
export function valueText({ values, kinds }: RowBatch, row: number): string | undefined {
  return kinds[row] === VALUE ? decodeLine(rowIn(values, row)) : undefined;
}
