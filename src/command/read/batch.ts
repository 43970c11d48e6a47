import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import { BATCH_BYTES } from '../../core/bulk/hash-rows.ts';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { GrowingBytes, SLACK_BYTES } from '../../core/bytes/growing-bytes.ts';
import { rowIn, type Spans } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import type { UnicodeVersion } from '../../core/url/unicode.ts';
import type { Remedy } from './file-kind.ts';

/** The kinds of rows. A row with a value gets a result, or a problem. */
export const VALUE = 0;
/** A record without the field that is read, or a line that is not a record: a problem. */
export const MALFORMED = 1;
/** A value that is null: it has no result, and is no problem. */
export const NULL = 2;
/** A header of the rows after it: written as it is, with the names of the added fields. */
export const HEADING = 3;
/** Not written: a blank row that is skipped, or the header of a later input. */
export const OMITTED = 4;

/** Marks a row without a JSON object: the closing brace of an object is never at place 0. */
export const NO_BRACE = 0;

/** The reason why a row has no result. */
export interface RowProblem {
  readonly row: number;
  readonly reason: string;
  readonly message: string;
  /** Says what the input lacks if none of its records has a value. */
  lack?(): Lack;
  /** The option that mends it. It is said once in a run. */
  remedy?(): string | undefined;
}

export interface Lack {
  readonly sentence: string;
  /** Whether it says what a record has instead: a line that is not a record says less. */
  readonly isOfRecord: boolean;
  readonly remedy?: Remedy;
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
  readonly remedy: () => string | undefined;
  readonly #messageOf: () => string;

  constructor(row: number, reason: string, messageOf: () => string, remedy = (): string | undefined => undefined) {
    this.row = row;
    this.reason = reason;
    this.remedy = remedy;
    this.#messageOf = messageOf;
  }

  get message(): string {
    return this.#messageOf();
  }
}

/**
 * At most ROW_CAPACITY rows of a block. Every record of the input is a row, so row r is the record `firstNumber + r` of
 * the block. ARCHITECTURE.md says how long a batch is valid, and draws the memory that it lies in.
 */
export interface Batch {
  readonly length: number;
  readonly firstNumber: number;
  /** The rows that count as lines: all but blank ones and the headers of tables. */
  readonly lineCount: number;
  readonly blankCount: number;
  /** Other rows that are counted, by name. */
  readonly counts?: Readonly<Record<string, number>>;
  /** What separates the fields of records, if their input names another separator than the options. */
  readonly delimiter?: string | undefined;
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
  /** Whether the rows are links of markup, of which a relative one lacks a base. */
  readonly areLinks?: boolean;
  /** Of rows that are checked: the version of Unicode that the tag before them names. */
  readonly unicode?: UnicodeVersion | undefined;
}

/** The kinds of rows that all have a value. */
export const ALL_VALUES = new Uint8Array(ROW_CAPACITY);
const NO_BRACES = new Uint32Array(ROW_CAPACITY);
const NO_PROBLEMS: readonly RowProblem[] = [];

/** Returns the batch of rows that are their own values. `kinds` are VALUE, NULL, or OMITTED where a row is blank. */
export function plainBatch(firstNumber: number, length: number, rows: Spans, kinds: Uint8Array = ALL_VALUES): Batch {
  const blankCount = kinds === ALL_VALUES ? 0 : countOf(OMITTED, kinds, length);
  return {
    length,
    firstNumber,
    lineCount: length - blankCount,
    blankCount,
    rows,
    values: rows,
    kinds,
    closingBraces: NO_BRACES,
    problems: NO_PROBLEMS,
  };
}

function countOf(kind: number, kinds: Uint8Array, length: number): number {
  let count = 0;
  for (let row = 0; row < length; row++) if (kinds[row] === kind) count++;
  return count;
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

/** Values of so many bytes are copied word by word, and longer ones by the engine. */
const SHORT_BYTES = 128;

/** Collects the records of a block until they are a batch, whose values are in memory of its own. */
export class BatchBuilder {
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
  #problems: RowProblem[] = [];
  #length = 0;
  #headerCount = 0;
  #blankCount = 0;
  #nullCount = 0;
  #commentCount = 0;
  #firstNumber = 0;

  begin(block: Uint8Array, delimiter?: string): void {
    this.#block = block;
    this.#view = new DataView(block.buffer, block.byteOffset);
    this.#delimiter = delimiter;
    this.#length = 0;
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
    const batch: Batch = {
      length: this.#length,
      firstNumber: this.#firstNumber,
      lineCount: this.#length - this.#headerCount - this.#blankCount,
      blankCount: this.#blankCount,
      counts: {
        ...(this.#nullCount > 0 && { notUrls: this.#nullCount }),
        ...(this.#commentCount > 0 && { comments: this.#commentCount }),
      },
      delimiter: this.#delimiter,
      rows: { bytes: this.#block, starts: this.#starts, ends: this.#ends },
      values: { bytes: this.#values.take(), starts: this.#valueStarts, ends: this.#valueEnds },
      kinds: this.#kinds,
      closingBraces: this.#closingBraces,
      problems: this.#problems,
    };
    this.#firstNumber += this.#length;
    this.#length = this.#headerCount = this.#blankCount = this.#nullCount = this.#commentCount = 0;
    this.#problems = [];
    return batch;
  }

  /** Adds a record whose value is bytes [valueStart, valueEnd) of the block. */
  add(start: number, end: number, valueStart: number, valueEnd: number): void {
    this.#beginValue();
    const byteLength = valueEnd - valueStart;
    const isShort = byteLength <= SHORT_BYTES && valueEnd + SLACK_BYTES <= this.#view.byteLength;
    if (isShort) this.#values.words(this.#view, valueStart, byteLength);
    else this.#values.bytes(this.#block, valueStart, valueEnd);
    this.#endRow(start, end, VALUE, NO_BRACE);
  }

  addBytes(start: number, end: number, value: Uint8Array): void {
    this.#beginValue();
    this.#values.bytes(value);
    this.#endRow(start, end, VALUE, NO_BRACE);
  }

  addText(start: number, end: number, value: string, closingBrace: number): void {
    this.#beginValue();
    this.#values.text(value);
    this.#endRow(start, end, VALUE, closingBrace);
  }

  /** Adds a header among records, which counts as a line. */
  addHeading(start: number, end: number): void {
    this.#addOther(start, end, HEADING);
  }

  /** Adds the header of a table. That of a later input is not written. */
  addHeader(start: number, end: number, isWritten: boolean): void {
    this.#headerCount++;
    this.#addOther(start, end, isWritten ? HEADING : OMITTED);
  }

  addBlank(start: number, end: number): void {
    this.#blankCount++;
    this.#addOther(start, end, OMITTED);
  }

  /** Adds a comment, which is not written and does not count as a line. */
  addComment(start: number, end: number): void {
    this.#commentCount++;
    this.addHeader(start, end, false);
  }

  /** Adds a record whose value is null. */
  addNull(start: number, end: number, closingBrace: number): void {
    this.#nullCount++;
    this.#beginValue();
    this.#endRow(start, end, NULL, closingBrace);
  }

  /** @param lack says what the input lacks if it has no better record */
  addMalformed(start: number, end: number, message: string, closingBrace = NO_BRACE, lack?: () => Lack): void {
    const reason = MALFORMED_RECORD;
    this.#problems.push({ row: this.#length, reason, message: `${message} (${reason})`, ...(lack && { lack }) });
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

  /** Adds a record with an empty value. */
  #addOther(start: number, end: number, kind: number): void {
    this.#beginValue();
    this.#endRow(start, end, kind, NO_BRACE);
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
