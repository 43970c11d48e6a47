import { ROW_CAPACITY } from '../../../../assembly/layout.ts';
import { BATCH_BYTES } from '../../../core/bulk/hash-rows.ts';
import { cutterAfter } from '../../../core/bulk/hash-stream.ts';
import { LINE_FEED, TAB } from '../../../core/bytes/code-points.ts';
import { GrowingBytes } from '../../../core/bytes/growing-bytes.ts';
import type { RecordField } from '../record-field.ts';
import { ALL_VALUES, BLANK, type Framing, NO_BRACES, NO_PROBLEMS, NULL, type RowBatch, VALUE } from '../row-batch.ts';
import { type RowReader, readParquet } from './reader.ts';

/** Rows and bytes of a block, about. */
const BLOCK_ROWS = 1 << 15;
const BLOCK_BYTES = 1 << 20;

/** Where the rows of a block are: values and then records, each with a line feed after it. */
interface BlockState {
  readonly valueEnds: Uint32Array;
  /** Undefined if each row is its own value. */
  readonly recordEnds: Uint32Array | undefined;
  /** Undefined if each row has a value. */
  readonly kinds: Uint8Array | undefined;
}

export interface ParquetRowsOptions {
  /** The name, path or number of the column of URLs. */
  readonly column: string;
  /** Whether rows are records of all columns, not values alone. */
  readonly hasRecords: boolean;
  readonly skipsBlank: boolean;
}

/**
 * The rows of Parquet files. A null is a row without a value. Where rows become lines, a line feed in a value becomes a
 * tab, which changes no key.
 */
export class ParquetRows implements Framing {
  readonly #options: ParquetRowsOptions;
  readonly #batches = new BatchMemory();
  #fields: readonly RecordField[] | undefined;

  constructor(options: ParquetRowsOptions) {
    this.#options = options;
  }

  /** The columns of the first file, once its first block was read. */
  get fields(): readonly RecordField[] {
    return this.#fields ?? [];
  }

  cutter() {
    return cutterAfter(LINE_FEED);
  }

  /** @throws where the file is not Parquet, is damaged or lacks the column */
  async *blocksOf(path: string, count: (byteLength: number) => void) {
    const builder = new BlockBuilder(this.#options);
    for await (const rows of readParquet(path, this.#options, count)) {
      if (this.#options.hasRecords) this.#mustAgree(rows.fields);
      while (rows.next()) if (builder.add(rows)) yield builder.take();
    }
    if (builder.length > 0) yield builder.take();
  }

  *batches(block: Uint8Array, state: unknown): Generator<RowBatch> {
    yield* this.#batches.of(block, state as BlockState);
  }

  #mustAgree(fields: readonly RecordField[]): void {
    this.#fields ??= fields;
    if (JSON.stringify(this.#fields) !== JSON.stringify(fields))
      throw new Error('its columns differ from those of the first file');
  }
}

/** Collects the rows of a block. */
class BlockBuilder {
  readonly #hasRecords: boolean;
  readonly #nullKind: number;
  readonly #values = new GrowingBytes(2 * BLOCK_BYTES);
  readonly #records = new GrowingBytes();
  readonly #valueEnds = new Uint32Array(BLOCK_ROWS);
  readonly #recordEnds = new Uint32Array(BLOCK_ROWS);
  readonly #kinds = new Uint8Array(BLOCK_ROWS);
  #hasNulls = false;
  length = 0;

  constructor({ hasRecords, skipsBlank }: ParquetRowsOptions) {
    this.#hasRecords = hasRecords;
    this.#nullKind = skipsBlank ? BLANK : NULL;
  }

  /** Adds the row that `rows` is at. Returns whether the block is full. */
  add(rows: RowReader): boolean {
    const { value } = rows;
    const row = this.length++;
    if (value === null) this.#hasNulls = true;
    else if (this.#hasRecords) this.#values.bytes(value, 0, value.length);
    else this.#addLine(value);
    this.#kinds[row] = value === null ? this.#nullKind : VALUE;
    this.#valueEnds[row] = this.#values.length;
    this.#values.byte(LINE_FEED);
    if (this.#hasRecords) {
      rows.writeRecord(this.#records);
      this.#recordEnds[row] = this.#records.length;
      this.#records.byte(LINE_FEED);
    }
    return this.length === BLOCK_ROWS || this.#values.length + this.#records.length >= BLOCK_BYTES;
  }

  take(): { readonly block: Uint8Array; readonly state: BlockState } {
    const length = this.length;
    const recordsStart = this.#values.length;
    const state = {
      valueEnds: this.#valueEnds.slice(0, length),
      recordEnds: this.#hasRecords ? this.#recordEnds.subarray(0, length).map((end) => end + recordsStart) : undefined,
      kinds: this.#hasNulls ? this.#kinds.slice(0, length) : undefined,
    };
    this.length = 0;
    this.#hasNulls = false;
    this.#values.bytes(this.#records.take());
    return { block: this.#values.take(), state };
  }

  /** Adds a value with a tab for each line feed: parsers of URLs leave out both. */
  #addLine(value: Uint8Array): void {
    const values = this.#values;
    const room = values.room(value.length);
    const start = values.length;
    for (let at = 0; at < value.length; at++) room[start + at] = value[at] === LINE_FEED ? TAB : value[at]!;
    values.length = start + value.length;
  }
}

/** The memory of a batch. */
class BatchMemory {
  readonly #valueStarts = new Uint32Array(ROW_CAPACITY);
  readonly #recordStarts = new Uint32Array(ROW_CAPACITY);
  readonly #closingBraces = new Uint32Array(ROW_CAPACITY);

  *of(block: Uint8Array, { valueEnds, recordEnds, kinds }: BlockState): Generator<RowBatch> {
    const values = { bytes: block, starts: this.#valueStarts };
    for (let first = 0, next = first; first < valueEnds.length; first = next) {
      next = endOfBatch(valueEnds, first);
      startsInto(this.#valueStarts, valueEnds, first, next, 0);
      const spans = { ...values, ends: valueEnds.subarray(first, next) };
      const batch = {
        length: next - first,
        firstNumber: first,
        rows: spans,
        values: spans,
        kinds: kinds?.subarray(first, next) ?? ALL_VALUES,
        closingBraces: NO_BRACES,
        problems: NO_PROBLEMS,
      };
      yield recordEnds === undefined
        ? batch
        : { ...batch, ...this.#records(block, recordEnds, first, next, valueEnds) };
    }
  }

  #records(block: Uint8Array, recordEnds: Uint32Array, first: number, next: number, valueEnds: Uint32Array) {
    const ends = recordEnds.subarray(first, next);
    startsInto(this.#recordStarts, recordEnds, first, next, valueEnds.at(-1)! + 1);
    for (let row = 0; row < ends.length; row++) this.#closingBraces[row] = ends[row]! - 1;
    return { rows: { bytes: block, starts: this.#recordStarts, ends }, closingBraces: this.#closingBraces };
  }
}

/** Returns the end of the rows from `first` on that fit in a batch: one at least. */
function endOfBatch(ends: Uint32Array, first: number): number {
  const start = first === 0 ? 0 : ends[first - 1]! + 1;
  const limit = Math.min(ends.length, first + ROW_CAPACITY);
  let next = first + 1;
  while (next < limit && ends[next]! - start < BATCH_BYTES) next++;
  return next;
}

/** Writes the starts of rows [first, next), each of which begins after the line feed of the one before it. */
function startsInto(starts: Uint32Array, ends: Uint32Array, first: number, next: number, start: number): void {
  for (let row = first; row < next; row++) starts[row - first] = row === 0 ? start : ends[row - 1]! + 1;
}
