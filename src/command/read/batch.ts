import { ROW_CAPACITY, TEXT } from '../../../assembly/layout.ts';
import { BATCH_BYTES } from '../../core/bulk/hash-rows.ts';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { rowIn, type Spans } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { escapeOf } from '../../core/url/percent.ts';

// The kinds of rows. Each row has a value, is bad, or is known to have no value, for one of NO_VALUE_REASONS.

/** A row with a value, which gets a result or a problem. */
export const VALUE = 0;
/** A bad row: a record without the field that is read, or a line that is not a record. It has a problem. */
export const MALFORMED = 1;
/** A value that is null: it has no result, and a problem where the row ought to have a value. */
export const NULL = 2;
/** A header of the rows after it: written as it is, with the names of the added fields. */
export const HEADING = 3;
/** A row that is not written: a blank row that is skipped, a comment, or the header of a later input. */
export const OMITTED = 4;

/** The reasons why a row is known to have no value. */
export const NO_VALUE_REASONS = ['null', 'blank', 'comment', 'header', 'heading'] as const;
type NoValueReason = (typeof NO_VALUE_REASONS)[number];

/** Marks a row without a JSON object: the closing brace of an object is never at place 0. */
export const NO_BRACE = 0;

/** The reason why a row has no result. */
export interface RowProblem {
  readonly row: number;
  readonly reason: string;
  /** A getter where it takes time to make, some 4 µs: few are shown. */
  readonly message: string;
  /** Whether the row may be of an input of another kind, which an option reads. */
  readonly isUnlike?: boolean;
}

/** Makes a problem whose message is made when it is shown. */
export function rowProblem(row: number, reason: string, message: () => string, isUnlike = false): RowProblem {
  return {
    row,
    reason,
    isUnlike,
    get message() {
      return message();
    },
  };
}

/** The reason of MALFORMED rows. */
export const MALFORMED_RECORD = 'malformed-record';

/**
 * At most ROW_CAPACITY rows of a block. Every record of the input is a row, so row r is the record `firstNumber + r` of
 * the block. ARCHITECTURE.md says how long a batch is valid, and draws the memory that it lies in.
 */
export interface Batch {
  readonly length: number;
  readonly firstNumber: number;
  /** The number of rows that are known to have no value, by the reason. */
  readonly withoutValue: Readonly<Record<NoValueReason, number>>;
  /** The separator of fields, if the input of the records names another than the options. */
  readonly delimiter?: string | undefined;
  /** The records as they are, without line ends. */
  readonly rows: Spans;
  /**
   * The texts that the stage works on, in the kernel's memory: `rows` itself if each row is its own value. After each
   * comes a byte that no URL has.
   */
  readonly values: Spans;
  /** Whether the batch is one row whose value has more than BATCH_BYTES, and so is outside the kernel's memory. */
  readonly isLong: boolean;
  /** The kind of each row, such as VALUE. Rows of other kinds have no value, or an empty one. */
  readonly kinds: Uint8Array;
  /** The place in `rows` of the closing brace of each row's JSON object, or NO_BRACE. */
  readonly closingBraces: Uint32Array;
  /** The problems of the MALFORMED rows, ascending. */
  readonly problems: readonly RowProblem[];
  /** The index of the column that says what the values of a table's records are. */
  readonly typeIndex?: number | undefined;
  /** The number of values with a scheme that their log does not name, and that lists do not need. */
  readonly withoutScheme?: number;
}

/** The kinds of rows that all have a value. */
const ALL_VALUES = new Uint8Array(ROW_CAPACITY);
const NO_BRACES = new Uint32Array(ROW_CAPACITY);
const NO_PROBLEMS: readonly RowProblem[] = [];
const NONE = { null: 0, blank: 0, comment: 0, header: 0, heading: 0 };

/** Copies rows to the kernel's memory, with a line feed after the last. A row that is too long for it stays where it is. */
export function copiedRows({ memory }: Kernel, rows: Spans, length: number): Spans {
  if (areLong(rows, length)) return rows;
  const { bytes, starts, ends } = rows;
  const { rowStarts, rowEnds } = memory;
  const start = starts[0]!;
  const byteLength = ends[length - 1]! - start;
  memory.bytes.set(bytes.subarray(start, start + byteLength), TEXT);
  memory.bytes[TEXT + byteLength] = LINE_FEED;
  memory.scannedEnd = TEXT + byteLength + 1;
  for (let row = 0; row < length; row++) {
    rowStarts[row] = starts[row]! + TEXT - start;
    rowEnds[row] = ends[row]! + TEXT - start;
  }
  return { bytes: memory.bytes, starts: rowStarts, ends: rowEnds };
}

/** Whether rows have more than BATCH_BYTES together: then there is only one. */
function areLong({ starts, ends }: Spans, length: number): boolean {
  return ends[length - 1]! - starts[0]! > BATCH_BYTES;
}

/** Returns the batch of rows that are their own values. `kinds` are VALUE, OMITTED where a row is blank, or NULL. */
export function plainBatch(firstNumber: number, length: number, rows: Spans, kinds: Uint8Array = ALL_VALUES): Batch {
  const areValues = kinds === ALL_VALUES;
  return {
    length,
    firstNumber,
    withoutValue: areValues ? NONE : { ...NONE, blank: countOf(OMITTED, kinds, length) },
    rows,
    values: rows,
    isLong: areLong(rows, length),
    kinds,
    closingBraces: NO_BRACES,
    problems: areValues ? NO_PROBLEMS : nullProblems(kinds, length),
  };
}

/** Returns the problem of each NULL row, which is bad as a JSON object with a null is. */
function nullProblems(kinds: Uint8Array, length: number): RowProblem[] {
  const problems: RowProblem[] = [];
  for (let row = 0; row < length; row++)
    if (kinds[row] === NULL)
      problems.push({ row, reason: MALFORMED_RECORD, message: `the column is null (${MALFORMED_RECORD})` });
  return problems;
}

function countOf(kind: number, kinds: Uint8Array, length: number): number {
  let count = 0;
  for (let row = 0; row < length; row++) if (kinds[row] === kind) count++;
  return count;
}

/** Counts the rows that count as lines: all but blank ones, comments and the headers of tables. */
export function lineCountOf({ length, withoutValue: { blank, comment, header } }: Batch): number {
  return length - blank - comment - header;
}

/** Counts the rows that have a value. */
export function valueCountOf({ length, withoutValue, problems }: Batch): number {
  return NO_VALUE_REASONS.reduce((count, reason) => count - withoutValue[reason], length - problems.length);
}

/** Returns the spans with the given text of a row: its value, or all of a malformed row. */
export function givenSpans({ rows, values, kinds }: Batch, row: number): Spans {
  return kinds[row] === MALFORMED ? rows : values;
}

/** Returns the given text of a row, as a view. */
export function givenIn(batch: Batch, row: number): Uint8Array {
  return rowIn(givenSpans(batch, row), row);
}

/** Returns the value of a row as text, or undefined if the row has none. */
export function valueText({ values, kinds }: Batch, row: number): string | undefined {
  return kinds[row] === VALUE ? decodeLine(rowIn(values, row)) : undefined;
}

/** Adjacent records that have a value, with one number in each column per record. */
export interface ScannedRecords {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly closingBraces: Uint32Array;
  /** The offset of the places above in the block. */
  readonly shift: number;
  /** The values, each with a line feed after it. */
  readonly values: Uint8Array;
  /** The end of each value, before its line feed. */
  readonly valueEnds: Uint32Array;
}

/** Collects the records of a block until they are a batch, whose values it copies to the kernel's memory. */
export class BatchBuilder {
  readonly #kernel: Kernel;
  readonly #starts = new Uint32Array(ROW_CAPACITY);
  readonly #ends = new Uint32Array(ROW_CAPACITY);
  readonly #valueStarts = new Uint32Array(ROW_CAPACITY);
  readonly #valueEnds = new Uint32Array(ROW_CAPACITY);
  readonly #kinds = new Uint8Array(ROW_CAPACITY);
  readonly #closingBraces = new Uint32Array(ROW_CAPACITY);
  readonly #values = new GrowingBytes();
  #block: Uint8Array = new Uint8Array(0);
  /** The memory from the start of the block on. */
  #view: DataView = new DataView(new ArrayBuffer(0));
  #delimiter: string | undefined;
  /** Values so far whose scheme the log does not tell. */
  withoutScheme = 0;
  #problems: RowProblem[] = [];
  #length = 0;
  #withoutValue = { ...NONE };
  #firstNumber = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  begin(block: Uint8Array, delimiter?: string): void {
    this.#block = block;
    this.#view = new DataView(block.buffer, block.byteOffset);
    this.#delimiter = delimiter;
    this.#length = 0;
    this.withoutScheme = 0;
    this.#firstNumber = 0;
  }

  get length(): number {
    return this.#length;
  }

  /** Whether `count` more records, with values of `byteLength` bytes together, fit. An empty batch has room for any. */
  hasRoom(count: number, byteLength: number): boolean {
    if (this.#length === 0) return true;
    return this.#length + count <= ROW_CAPACITY && this.#values.length + byteLength < BATCH_BYTES;
  }

  /** Returns the records so far; the next record begins another batch. */
  take(): Batch {
    const length = this.#length;
    const own = { bytes: this.#values.take(), starts: this.#valueStarts, ends: this.#valueEnds };
    const values = copiedRows(this.#kernel, own, length);
    const batch: Batch = {
      length,
      firstNumber: this.#firstNumber,
      withoutValue: this.#withoutValue,
      delimiter: this.#delimiter,
      rows: { bytes: this.#block, starts: this.#starts, ends: this.#ends },
      values,
      isLong: areLong(values, length),
      kinds: this.#kinds,
      closingBraces: this.#closingBraces,
      problems: this.#problems,
      withoutScheme: this.withoutScheme,
    };
    this.#firstNumber += length;
    this.#length = 0;
    this.withoutScheme = 0;
    this.#withoutValue = { ...NONE };
    this.#problems = [];
    return batch;
  }

  /** Adds a record whose value is bytes [valueStart, valueEnd) of the block. */
  add(start: number, end: number, valueStart: number, valueEnd: number): void {
    this.#beginValue();
    this.#values.run(this.#block, this.#view, valueStart, valueEnd);
    this.#endRow(start, end, VALUE, NO_BRACE);
  }

  /** Adds a record whose value is not, or not as it is, in the block. */
  addValue(start: number, end: number, value: string | Uint8Array, closingBrace = NO_BRACE): void {
    this.#beginValue();
    if (typeof value === 'string') this.#values.text(value);
    else this.#values.bytes(value);
    this.#endRow(start, end, VALUE, closingBrace);
  }

  /** Adds a record whose value is a URL of bytes, a unit each: those that are not visible ASCII are escaped. */
  addEscaped(start: number, end: number, url: string, closingBrace: number): void {
    const escaped = url.replace(/[^!-~]/g, (byte) => escapeOf(byte.charCodeAt(0)));
    this.addValue(start, end, escaped, closingBrace);
  }

  /** Adds a row that is known to have no value, for this reason. */
  addOther(start: number, end: number, reason: NoValueReason, kind = OMITTED, closingBrace = NO_BRACE): void {
    this.#withoutValue[reason]++;
    this.#beginValue();
    this.#endRow(start, end, kind, closingBrace);
  }

  /** @param message says why the row has no value; a function where that takes time */
  addMalformed(start: number, end: number, message: string | (() => string), closingBrace = NO_BRACE): void {
    const reason = MALFORMED_RECORD;
    const sentence = () => `${typeof message === 'string' ? message : message()} (${reason})`;
    this.addBad(start, end, reason, sentence, closingBrace);
  }

  /** Adds a row that is bad for a reason of its own, as a sentence says. */
  addBad(start: number, end: number, reason: string, sentence: () => string, closingBrace = NO_BRACE): void {
    this.#problems.push(rowProblem(this.#length, reason, sentence));
    this.#beginValue();
    this.#endRow(start, end, MALFORMED, closingBrace);
  }

  addScanned({ starts, ends, closingBraces, shift, values, valueEnds }: ScannedRecords): void {
    const valuesBefore = this.#values.length;
    this.#values.bytes(values);
    for (let index = 0, row = this.#length, valueStart = valuesBefore; index < starts.length; index++, row++) {
      this.#starts[row] = starts[index]! + shift;
      this.#ends[row] = ends[index]! + shift;
      this.#closingBraces[row] = closingBraces[index]! + shift;
      this.#valueStarts[row] = valueStart;
      this.#valueEnds[row] = valuesBefore + valueEnds[index]!;
      valueStart = this.#valueEnds[row]! + 1;
    }
    this.#kinds.fill(VALUE, this.#length, this.#length + starts.length);
    this.#length += starts.length;
  }

  #beginValue(): void {
    this.#valueStarts[this.#length] = this.#values.length;
  }

  #endRow(start: number, end: number, kind: number, closingBrace: number): void {
    const row = this.#length++;
    this.#valueEnds[row] = this.#values.length;
    this.#values.byte(LINE_FEED);
    this.#starts[row] = start;
    this.#ends[row] = end;
    this.#kinds[row] = kind;
    this.#closingBraces[row] = closingBrace;
  }
}
