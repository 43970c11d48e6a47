import { isBytes } from '../argument.ts';
import { CARRIAGE_RETURN } from '../bytes/code-points.ts';
import { textEncoder } from '../bytes/utf8.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { ExpressionBatch, type ExpressionRows, type ExpressionSink } from './batch.ts';
import { ExpressionColumn, type RejectedRow } from './column.ts';
import { failure, type SafeBrowsingFailure } from './failure.ts';
import { GatheredLines } from './gathered-lines.ts';
import type { UrlInput } from './input.ts';
import { PackedHashes } from './packed-hashes.ts';
import type { Settings } from './settings.ts';
import { profileName } from './suffix-list.ts';

/** Strings, and UTF-16 units, that are brought into memory at once: one join and one encodeInto for all of them. */
const STRINGS_LIMIT = 512;
const UNITS_LIMIT = 32 * 1024;

/** Makes a column of the rows that it is given one by one, or as lines. */
export class ColumnBuilder implements ExpressionSink {
  readonly #width: number;
  readonly #profile: string;
  readonly #batch: ExpressionBatch;
  /** Inputs that are yet to be added are all strings, or all bytes. */
  #strings: string[] = [];
  #unitCount = 0;
  #encoded = new Uint8Array(0);
  readonly #gatheredBytes: GatheredLines;
  /** What a row was given as, where that was a string. */
  #inputOf: (row: number) => string | undefined = () => undefined;
  readonly #hashes: PackedHashes;
  #offsets = new Uint32Array(64);
  #rowCount = 0;
  /** Rows that are neither strings nor bytes: the batch does not see them. */
  #invalidTypeCount = 0;
  readonly #rejected: RejectedRow[] = [];

  /** @param expectedCount of hashes, roughly */
  constructor(kernel: Kernel, width: number, settings: Settings, expectedCount: number) {
    this.#hashes = new PackedHashes(kernel, width, expectedCount);
    this.#width = width;
    this.#profile = profileName(settings.profile, settings.suffixList);
    this.#batch = new ExpressionBatch(kernel, width, settings, this);
    this.#gatheredBytes = new GatheredLines(this.#batch);
  }

  add(input: UrlInput): void {
    if (typeof input === 'string') this.#addString(input);
    else if (isBytes(input)) this.#addBytes(input, 0, input.length);
    else this.#addInvalidType(input);
  }

  addLines(text: Uint8Array): void {
    this.#batch.addLines(text);
  }

  /** Row r is bytes[offsets[r], offsets[r + 1]). */
  addRows(bytes: Uint8Array, offsets: Uint32Array): void {
    for (let row = 1; row < offsets.length; row++) this.#addBytes(bytes, offsets[row - 1]!, offsets[row]!);
  }

  build(): ExpressionColumn {
    this.#addGathered();
    const { bytes } = this.#hashes;
    const offsets = this.#offsets.slice(0, this.#rowCount + 1);
    return new ExpressionColumn(bytes, this.#width, offsets, this.#rejected, this.#batch.provenCount, this.#profile);
  }

  take({ rowCount, spanEnds, count }: ExpressionRows): void {
    const before = this.#hashes.count;
    this.#reserveRows(rowCount);
    for (let row = 0; row < rowCount; row++) this.#offsets[++this.#rowCount] = before + spanEnds[row]!;
    this.#hashes.add(count, this.#batch.kernelWidth);
  }

  reject(row: number, bytes: Uint8Array, failed: SafeBrowsingFailure): boolean {
    const input = this.#inputOf(row) ?? Uint8Array.from(bytes); // a Buffer's slice is not a copy
    this.#rejected.push({ row: row + this.#invalidTypeCount, input, failure: failed });
    return false;
  }

  #addString(url: string): void {
    const isFull = this.#strings.length === STRINGS_LIMIT || this.#unitCount + url.length > UNITS_LIMIT;
    if (isFull || this.#strings.length === 0) this.#addGathered();
    if (url.length > UNITS_LIMIT || url.includes('\n')) return this.#addAlone(url);
    this.#strings.push(url);
    this.#unitCount += url.length + 1;
  }

  #addAlone(url: string): void {
    this.#addGathered();
    this.#inputOf = () => url;
    const bytes = textEncoder().encode(url);
    this.#batch.addRow(bytes, 0, bytes.length);
  }

  /** Bytes [start, end): the caller may write over them once this returns. */
  #addBytes(bytes: Uint8Array, start: number, end: number): void {
    if (this.#strings.length > 0) this.#addGathered();
    this.#inputOf = () => undefined;
    const endsWithReturn = end > start && bytes[end - 1] === CARRIAGE_RETURN;
    if (!endsWithReturn) return this.#gatheredBytes.add(bytes, start, end);
    this.#gatheredBytes.flush(); // as a line it would lose the CR, which its error has to show
    this.#batch.addRow(bytes, start, end);
  }

  /** Plain JavaScript may pass anything. */
  #addInvalidType(input: UrlInput): void {
    this.#addGathered();
    this.#invalidTypeCount++;
    this.#rejected.push({ row: this.#rowCount, input, failure: failure('input-type') });
    this.#reserveRows(1);
    this.#offsets[++this.#rowCount] = this.#hashes.count;
  }

  #addGathered(): void {
    this.#gatheredBytes.flush();
    if (this.#strings.length === 0) return;
    const strings = this.#strings;
    const firstRow = this.#batch.rowCount;
    this.#inputOf = (row) => strings[row - firstRow];
    this.#batch.addLines(this.#linesOf(strings));
    this.#strings = [];
    this.#unitCount = 0;
  }

  #reserveRows(count: number): void {
    if (this.#rowCount + count < this.#offsets.length) return;
    const grown = new Uint32Array(2 * (this.#rowCount + count + 1));
    grown.set(this.#offsets);
    this.#offsets = grown;
  }

  #linesOf(strings: readonly string[]): Uint8Array {
    const text = `${strings.join('\n')}\n`;
    if (this.#encoded.length < 3 * text.length) this.#encoded = new Uint8Array(3 * text.length);
    return this.#encoded.subarray(0, textEncoder().encodeInto(text, this.#encoded).written);
  }
}
