import { mustBeUrlOrBytes } from '../../core/argument.ts';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import type { Spans } from '../../core/bytes/lines.ts';
import { textEncoder } from '../../core/bytes/utf8.ts';
import type { ExpressionBatch, ExpressionReader } from './batch.ts';
import type { UrlInput } from './input.ts';

/** Strings, and UTF-16 units, that are written to memory at once: one join and one encodeInto for all of them. */
const STRINGS_LIMIT = 512;
const UNITS_LIMIT = 32 * 1024;
/** The limit for bytes, which are copied: their caller may overwrite them. */
const COPIED_BYTES = 1 << 15;

export type AddBatch = (batch: ExpressionBatch<UrlInput>) => void;

type Batches = Generator<ExpressionBatch<UrlInput>, void, void>;

/**
 * Adds the batches of rows that are given one by one. Between two URLs, the kernel may be used by others. A generator
 * takes 5 % longer: V8 compiles its loop late.
 */
export function addUrls(reader: ExpressionReader, urls: Iterable<UrlInput>, add: AddBatch): void {
  const waiting = new WaitingRows(reader);
  for (const given of urls) {
    const url = mustBeUrlOrBytes('each of urls', given);
    if (waiting.takes(url)) continue;
    for (const batch of waiting.batches()) add(batch);
    if (!waiting.takes(url)) for (const batch of batchAlone(reader, url)) add(batch);
  }
  for (const batch of waiting.batches()) add(batch);
}

/** Rows that wait to be read together: all strings, or all bytes. */
class WaitingRows {
  readonly #reader: ExpressionReader;
  #strings: string[] = [];
  #unitCount = 0;
  /** Copies of bytes, each with a line feed after it, and their ends; or the strings, when they are read. */
  readonly #text = new GrowingBytes(1 << 10);
  #copyEnds: number[] = [];

  constructor(reader: ExpressionReader) {
    this.#reader = reader;
  }

  /** Adds a row, unless it does not fit with those that wait. */
  takes(url: string | Uint8Array): boolean {
    return typeof url === 'string' ? this.#takesString(url) : this.#takesBytes(url);
  }

  /** Yields what waits. */
  *batches(): Batches {
    const strings = this.#strings;
    const copyEnds = this.#copyEnds;
    this.#strings = [];
    this.#copyEnds = [];
    this.#unitCount = 0;
    if (copyEnds.length > 0) yield* this.#reader.rows(rowsOf(this.#text.take(), copyEnds), copyEnds.length);
    if (strings.length === 0) return;
    this.#text.text(`${strings.join('\n')}\n`);
    for (const batch of this.#reader.lines(this.#text.take())) yield withInputs(batch, strings);
  }

  #takesString(url: string): boolean {
    const isFull = this.#strings.length === STRINGS_LIMIT || this.#unitCount + url.length > UNITS_LIMIT;
    if (isFull || this.#copyEnds.length > 0 || url.includes('\n')) return false;
    this.#strings.push(url);
    this.#unitCount += url.length + 1;
    return true;
  }

  #takesBytes(row: Uint8Array): boolean {
    const text = this.#text;
    if (this.#strings.length > 0 || text.length + row.length >= COPIED_BYTES) return false;
    text.fewBytes(row); // most rows are short
    this.#copyEnds.push(text.length);
    text.byte(LINE_FEED);
    return true;
  }
}

/** Yields the batch of one row: a text with line feeds, or one of many bytes. */
function* batchAlone(reader: ExpressionReader, url: string | Uint8Array): Batches {
  if (typeof url !== 'string') return yield* reader.rows(rowsOf(url, [url.length]), 1);
  const bytes = textEncoder().encode(url);
  for (const batch of reader.rows(rowsOf(bytes, [bytes.length]), 1)) yield withInputs(batch, [url]);
}

/** Returns the spans of adjacent rows, the first at 0, with a line feed after each. */
function rowsOf(bytes: Uint8Array, ends: readonly number[]): Spans {
  const starts = new Uint32Array(ends.length);
  for (let row = 1; row < starts.length; row++) starts[row] = ends[row - 1]! + 1;
  return { bytes, starts, ends: Uint32Array.from(ends) };
}

/** Rejected rows have the strings that were given. */
function withInputs(batch: ExpressionBatch, strings: readonly string[]): ExpressionBatch<UrlInput> {
  if (batch.rejected.length === 0) return batch;
  return { ...batch, rejected: batch.rejected.map(({ row, failure }) => ({ row, input: strings[row]!, failure })) };
}
