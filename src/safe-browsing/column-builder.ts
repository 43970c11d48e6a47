import { DIGESTS } from '../../assembly/layout.ts';
import { isBytes, textOfUrlObject, type UrlObject } from '../argument.ts';
import { LINE_FEED } from '../bytes/code-points.ts';
import { GrowingNumbers } from '../bytes/growing-numbers.ts';
import type { Spans } from '../bytes/lines.ts';
import { textEncoder } from '../bytes/utf8.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type ExpressionBatch, ExpressionReader } from './batch.ts';
import { ExpressionColumn, type RejectedRow } from './column.ts';
import { failure } from './failure.ts';
import type { UrlInput } from './input.ts';
import type { Settings } from './settings.ts';
import { profileName } from './suffix-list.ts';

/** Strings, and UTF-16 units, that are written to memory at once: one join and one encodeInto for all of them. */
const STRINGS_LIMIT = 512;
const UNITS_LIMIT = 32 * 1024;
/** The limit for bytes, which are copied: their caller may overwrite them. */
const COPIED_BYTES = 1 << 15;

/** Makes a column of rows that are given one by one, or many at a time. */
export class ColumnBuilder {
  readonly #width: number;
  readonly #profile: string;
  readonly #reader: ExpressionReader;
  /** The inputs that wait are all strings, or all bytes. */
  #strings: string[] = [];
  #unitCount = 0;
  #encoded = new Uint8Array(0);
  /** Copies of bytes, each with a line feed after it, and their ends. */
  #copies = new Uint8Array(1 << 10);
  #copyEnds: number[] = [];
  readonly #memory: Uint8Array;
  /** Hashes, packed. */
  #bytes: Uint8Array<ArrayBuffer>;
  #hashCount = 0;
  /** Where each row ends, in hashes; the first number is 0. */
  readonly #offsets = new GrowingNumbers();
  readonly #rejected: RejectedRow[] = [];

  /** @param expectedCount the approximate number of hashes: if it is right, nothing is copied twice */
  constructor(kernel: Kernel, width: number, settings: Settings, expectedCount: number) {
    this.#memory = kernel.memory.bytes;
    this.#bytes = new Uint8Array(width * expectedCount);
    this.#offsets.push(0);
    this.#width = width;
    this.#profile = profileName(settings.profile, settings.suffixList);
    this.#reader = new ExpressionReader(kernel, width, settings);
  }

  /** Adds a row. Afterwards the caller may overwrite its bytes, and use the kernel. */
  add(input: UrlInput): void {
    if (typeof input === 'string') this.#addString(input);
    else if (isBytes(input)) this.#addBytes(input);
    else this.#addObject(input);
  }

  addLines(text: Uint8Array): void {
    this.#addAll(this.#reader.lines(text));
  }

  addRows(rows: Spans, rowCount: number): void {
    this.#addAll(this.#reader.rows(rows, rowCount));
  }

  build(): ExpressionColumn {
    this.#addWaiting();
    const offsets = this.#offsets.numbers.slice();
    const { provenCount } = this.#reader;
    return new ExpressionColumn(this.#ownBytes(), this.#width, offsets, this.#rejected, provenCount, this.#profile);
  }

  /** `strings` are the rows as they were given, if they are strings. */
  #addAll(batches: Iterable<ExpressionBatch>, strings?: readonly string[]): void {
    for (const { firstRow, spanEnds, count, rejected } of batches) {
      const shift = this.#rowCount - firstRow;
      for (const { row, input, failure } of rejected) {
        const given = strings?.[row] ?? Uint8Array.from(input); // a Buffer's slice is not a copy
        this.#rejected.push({ row: row + shift, input: given, failure });
      }
      this.#offsets.pushAll(spanEnds, this.#hashCount);
      this.#addHashes(count);
    }
  }

  #addString(url: string): void {
    const isFull = this.#strings.length === STRINGS_LIMIT || this.#unitCount + url.length > UNITS_LIMIT;
    if (isFull || this.#strings.length === 0) this.#addWaiting();
    if (url.length > UNITS_LIMIT || url.includes('\n')) return this.#addAlone(url);
    this.#strings.push(url);
    this.#unitCount += url.length + 1;
  }

  #addAlone(url: string): void {
    const bytes = textEncoder().encode(url);
    this.#addWaiting();
    this.#addAll(this.#reader.rows(rowsOf(bytes, [bytes.length]), 1), [url]);
  }

  #addBytes(row: Uint8Array): void {
    if (this.#strings.length > 0 || this.#copiedLength + row.length >= COPIED_BYTES) this.#addWaiting();
    if (row.length >= COPIED_BYTES) return this.addRows(rowsOf(row, [row.length]), 1);
    let to = this.#copiedLength;
    const copies = (this.#copies = withRoom(this.#copies, to + row.length + 1));
    for (let at = 0; at < row.length; at++) copies[to++] = row[at]!; // most rows are short: a loop beats set
    copies[to] = LINE_FEED;
    this.#copyEnds.push(to);
  }

  get #copiedLength(): number {
    return (this.#copyEnds.at(-1) ?? -1) + 1;
  }

  /** Plain JavaScript may pass anything. */
  #addObject(input: UrlObject): void {
    const text = textOfUrlObject(input);
    if (text !== undefined) return this.#addString(text);
    this.#addWaiting();
    this.#rejected.push({ row: this.#rowCount, input, failure: failure('input-type') });
    this.#offsets.push(this.#hashCount);
  }

  #addWaiting(): void {
    const strings = this.#strings;
    const copyEnds = this.#copyEnds;
    this.#copyEnds = [];
    if (copyEnds.length > 0) this.addRows(rowsOf(this.#copies, copyEnds), copyEnds.length);
    if (strings.length === 0) return;
    this.#strings = [];
    this.#unitCount = 0;
    this.#addAll(this.#reader.lines(this.#linesOf(strings)), strings);
  }

  get #rowCount(): number {
    return this.#offsets.length - 1;
  }

  /** Adds the first bytes of `count` digests in the kernel's memory. */
  #addHashes(count: number): void {
    const memory = this.#memory;
    const width = this.#width;
    const { kernelWidth } = this.#reader;
    let to = this.#hashCount * width;
    this.#hashCount += count;
    const bytes = (this.#bytes = withRoom(this.#bytes, this.#hashCount * width));
    if (kernelWidth === width) return bytes.set(memory.subarray(DIGESTS, DIGESTS + count * width), to);
    if (width % 4 === 0) return this.#addWords(count, to);
    for (let row = 0, digest: number = DIGESTS; row < count; row++, digest += kernelWidth) {
      for (let at = 0; at < width; at++) bytes[to++] = memory[digest + at]!;
    }
  }

  /** Adds the digests word by word. */
  #addWords(count: number, to: number): void {
    const [width, kernelWidth] = [this.#width / 4, this.#reader.kernelWidth / 4];
    const digests = new Uint32Array(this.#memory.buffer, DIGESTS, count * kernelWidth);
    const words = new Uint32Array(this.#bytes.buffer, to, count * width);
    for (let row = 0, digest = 0, word = 0; row < count; row++, digest += kernelWidth) {
      for (let at = 0; at < width; at++) words[word++] = digests[digest + at]!;
    }
  }

  /** Returns all hashes, in memory that is at most half as large again. */
  #ownBytes(): Uint8Array<ArrayBuffer> {
    const byteLength = this.#hashCount * this.#width;
    const isLoose = 1.5 * byteLength < this.#bytes.length;
    return isLoose ? this.#bytes.slice(0, byteLength) : this.#bytes.subarray(0, byteLength);
  }

  #linesOf(strings: readonly string[]): Uint8Array {
    const text = `${strings.join('\n')}\n`;
    if (this.#encoded.length < 3 * text.length) this.#encoded = new Uint8Array(3 * text.length);
    return this.#encoded.subarray(0, textEncoder().encodeInto(text, this.#encoded).written);
  }
}

/** Returns the spans of adjacent rows, the first at 0, with a line feed after each. */
function rowsOf(bytes: Uint8Array, ends: readonly number[]): Spans {
  const starts = new Uint32Array(ends.length);
  for (let row = 1; row < starts.length; row++) starts[row] = ends[row - 1]! + 1;
  return { bytes, starts, ends: Uint32Array.from(ends) };
}

/** Returns the bytes in memory for at least `length` of them. */
function withRoom(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (length <= bytes.length) return bytes;
  const grown = new Uint8Array(2 * length);
  grown.set(bytes);
  return grown;
}
