import { EXPRESSION_LIMIT } from '../../assembly/expressions/layout.ts';
import { DIGESTS, ROW_CAPACITY, TEXT, TEXT_END } from '../../assembly/layout.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../bytes/code-points.ts';
import { endOfLines } from '../bytes/lines.ts';
import { hashBytesInto } from '../digest/digest.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';
import type { SafeBrowsingFailure } from './failure.ts';
import { InputBytes } from './input.ts';
import { Lookup } from './lookup.ts';
import { openScanner } from './scanner/open.ts';
import type { Scanner } from './scanner/scanner.ts';
import type { Settings } from './settings.ts';
import { sectionsOf } from './suffix-list.ts';

/**
 * Rows with their expressions, row by row, whose digests lie in the kernel's memory from DIGESTS on, `kernelWidth`
 * bytes each. Valid until the sink returns.
 */
export interface ExpressionRows {
  /** How many rows the batch had before these. */
  readonly firstRow: number;
  readonly rowCount: number;
  /** Per row: the number of these expressions up to its end. */
  readonly spanEnds: Uint32Array;
  /** Expressions. */
  readonly count: number;
  /** What they lie in, up to `textEnd`, and two numbers per expression: where it begins there, and its byte length. */
  readonly bytes: Uint8Array;
  readonly textEnd: number;
  readonly spans: Uint32Array;
}

export interface ExpressionSink {
  take(rows: ExpressionRows): void;
  /** Gets a row without a host, and says whether its bytes are to count as its one expression. */
  reject(row: number, bytes: Uint8Array, failure: SafeBrowsingFailure): boolean;
}

/** Bytes of lines that are brought into memory at once: some 400 lines, with twelve times as much room after them. */
const CHUNK_BYTES = 1 << 15;

/**
 * Hashes the expressions of many rows, up to 2048 expressions in one kernel call. When a call returns, all of its rows
 * have gone to the sink: the caller's code, which runs between two calls, may use the same kernel.
 */
export class ExpressionBatch {
  readonly kernelWidth: Width | 0;
  /** Rows so far. */
  rowCount = 0;
  /** Rows that took none of the steps. */
  provenCount = 0;
  readonly #kernel: Kernel;
  readonly #settings: Settings;
  readonly #sink: ExpressionSink;
  readonly #scanner: Scanner;
  readonly #lookup = new Lookup();
  readonly #input = new InputBytes();
  /** Where the lines in memory end. */
  #linesEnd: number = TEXT;
  /** The first of the scanner's rows that has not gone to the sink. */
  #firstRow = 0;

  /** Keeps at least `width` bytes of each digest; computes none where `width` is 0. */
  constructor(kernel: Kernel, width: number, settings: Settings, sink: ExpressionSink) {
    this.#kernel = kernel;
    this.kernelWidth = width === 0 ? 0 : width <= 8 ? 8 : width <= 16 ? 16 : 32;
    this.#settings = settings;
    this.#sink = sink;
    this.#scanner = openScanner(kernel);
  }

  /** A row for each line: LF or CR LF ends it; the last may lack its end. */
  addLines(bytes: Uint8Array): void {
    const { profile, privateSuffixes, suffixList } = this.#settings;
    this.#scanner.use(profile === 'v5' ? sectionsOf(privateSuffixes) : 0, () => suffixList.lookup.bytes);
    for (let at = 0, end = 0; at < bytes.length; at = end) {
      end = endOfLines(bytes, at, CHUNK_BYTES);
      if (end - at <= CHUNK_BYTES) this.#addChunk(bytes.subarray(at, end));
      else this.addRow(bytes, at, withoutLineEnd(bytes, at, end));
    }
  }

  /** One row, which may hold line feeds, and be of any length. */
  addRow(bytes: Uint8Array, start: number, end: number): void {
    const failed = this.#lookUp(bytes, start, end);
    this.#linesEnd = TEXT;
    if (failed === undefined) this.#takeAlone(...this.#ownExpressions());
    else if (this.#sink.reject(this.rowCount, bytes.subarray(start, end), failed))
      this.#takeAlone(bytes, Uint32Array.of(start, end - start));
    else this.#takeAlone(bytes, new Uint32Array(0));
  }

  #addChunk(chunk: Uint8Array): void {
    const { bytes } = this.#scanner;
    bytes.set(chunk, TEXT);
    this.#linesEnd = TEXT + chunk.length;
    if (chunk[chunk.length - 1] !== LINE_FEED) bytes[this.#linesEnd++] = LINE_FEED;
    for (let at: number = TEXT; at < this.#linesEnd; ) {
      const rowCount = this.#scanner.splitLines(at, this.#linesEnd);
      this.#addRows(rowCount);
      at = this.#scanner.rowBounds[rowCount]! + 1;
    }
  }

  #addRows(rowCount: number): void {
    const scanner = this.#scanner;
    this.#begin(0);
    for (let row = 0; ; ) {
      const stopped = scanner.expand(row, rowCount);
      this.provenCount += stopped - row;
      row = stopped;
      if (row === rowCount) break;
      if (scanner.spanCount > ROW_CAPACITY - 2 * EXPRESSION_LIMIT) this.#flush(row);
      else this.#addBySteps(row++);
    }
    this.#flush(rowCount);
  }

  /** A row that the scanner leaves. */
  #addBySteps(row: number): void {
    const scanner = this.#scanner;
    const start = scanner.rowBounds[row]! + 1;
    const end = withoutLineEnd(scanner.bytes, start, scanner.rowBounds[row + 1]! + 1);
    const failed = this.#lookUp(scanner.bytes, start, end);
    if (failed === undefined) return this.#place(row);
    const given = scanner.bytes.subarray(start, end);
    const isKept = this.#sink.reject(this.rowCount + row - this.#firstRow, given, failed);
    if (isKept) this.#addSpan(start, end);
    scanner.spanEnds[row] = scanner.spanCount;
  }

  #lookUp(bytes: Uint8Array, start: number, end: number): SafeBrowsingFailure | undefined {
    this.#input.setBytes(bytes, start, end);
    const failed = this.#lookup.run(bytes, this.#input.start, end, this.#settings);
    if (failed === undefined && this.#lookup.urls[0].isProven) this.provenCount++;
    return failed;
  }

  /**
   * Adds the expressions that were looked up: where they lie, or in the room after the lines, or in a batch of their
   * own.
   */
  #place(row: number): void {
    const scanner = this.#scanner;
    const { urls, count } = this.#lookup;
    let byteLength = 0;
    for (let index = 0; index < count; index++) byteLength += urls[index]!.end - urls[index]!.hostStart;
    if (scanner.room + byteLength > TEXT_END) this.#flush(row);
    if (scanner.room + byteLength > TEXT_END) {
      this.#takeAlone(...this.#ownExpressions());
      return this.#begin(row + 1);
    }
    for (let index = 0; index < count; index++) this.#placeReading(index);
    scanner.spanEnds[row] = scanner.spanCount;
  }

  #placeReading(index: number): void {
    const scanner = this.#scanner;
    const { bytes, hostStart, end } = this.#lookup.urls[index]!;
    const { starts, ends, count } = this.#lookup.spans[index]!;
    let shift = 0;
    if (bytes !== scanner.bytes) {
      shift = scanner.room - hostStart;
      scanner.bytes.set(bytes.subarray(hostStart, end), scanner.room);
      scanner.room += end - hostStart;
    }
    for (let at = 0; at < count; at++) this.#addSpan(starts[at]! + shift, ends[at]! + shift);
  }

  #addSpan(start: number, end: number): void {
    const { spans, spanCount } = this.#scanner;
    spans[2 * spanCount] = start;
    spans[2 * spanCount + 1] = end - start;
    this.#scanner.spanCount = spanCount + 1;
  }

  #begin(row: number): void {
    this.#firstRow = row;
    this.#scanner.spanCount = 0;
    this.#scanner.room = this.#linesEnd;
  }

  /** Hashes the rows before `row`, and hands them on. */
  #flush(row: number): void {
    const { bytes, spans, spanEnds, spanCount, room } = this.#scanner;
    if (spanCount > 0 && this.kernelWidth > 0) this.#hash(this.kernelWidth as Width);
    this.#take(spanEnds.subarray(this.#firstRow, row), spanCount, bytes, room, spans);
    this.#begin(row);
  }

  #hash(width: Width): void {
    const { memory } = this.#kernel;
    const { bytes, spans, spanCount, room } = this.#scanner;
    if (bytes !== memory.bytes) {
      memory.bytes.set(bytes.subarray(TEXT, room), TEXT);
      memory.spans.set(spans.subarray(0, 2 * spanCount));
    }
    this.#kernel.hash(0, spanCount, width);
  }

  /** The expressions that were looked up, in memory of their own, and two numbers for each. */
  #ownExpressions(): [bytes: Uint8Array, spans: Uint32Array] {
    const { urls, spans, count } = this.#lookup;
    const read = urls.slice(0, count).map(({ bytes, hostStart, end }) => bytes.slice(hostStart, end));
    const both = new Uint8Array(read.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    const pairs = read.flatMap((bytes, index) => {
      const shift = at - urls[index]!.hostStart;
      both.set(bytes, at);
      at += bytes.length;
      const { starts, ends, count: spanCount } = spans[index]!;
      return Array.from({ length: spanCount }, (_, span) => [
        starts[span]! + shift,
        ends[span]! - starts[span]!,
      ]).flat();
    });
    return [both, Uint32Array.from(pairs)];
  }

  /** One row whose expressions may not fit in memory, piece by piece; what lies there stays. */
  #takeAlone(bytes: Uint8Array, spans: Uint32Array): void {
    const width = this.kernelWidth;
    for (let span = 0; 2 * span < spans.length && width > 0; span++) {
      const expression = bytes.subarray(spans[2 * span], spans[2 * span]! + spans[2 * span + 1]!);
      hashBytesInto(this.#kernel, expression, DIGESTS + span * width, width as Width);
    }
    this.#take(Uint32Array.of(spans.length / 2), spans.length / 2, bytes, bytes.length, spans);
  }

  #take(spanEnds: Uint32Array, count: number, bytes: Uint8Array, textEnd: number, spans: Uint32Array): void {
    const rowCount = spanEnds.length;
    const firstRow = this.rowCount;
    if (rowCount > 0) this.#sink.take({ firstRow, rowCount, spanEnds, count, bytes, textEnd, spans });
    this.rowCount += rowCount;
  }
}

/** The end of a line at bytes [start, end) without its LF or CR LF, if it has one. */
function withoutLineEnd(bytes: Uint8Array, start: number, end: number): number {
  if (end === start || bytes[end - 1] !== LINE_FEED) return end;
  return end - 1 > start && bytes[end - 2] === CARRIAGE_RETURN ? end - 2 : end - 1;
}
