import { DIGESTS, MARKED_BYTES, NO_MESSAGE, ROW_CAPACITY, ROWS, TEXT, TEXT_END } from '../../../assembly/layout.ts';
import { mustBeUrl } from '../argument.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../bytes/code-points.ts';
import { concatBytes } from '../bytes/growing-bytes.ts';
import { endOfLines, rowIn, type Spans, withoutReturn } from '../bytes/lines.ts';
import { asciiBytes, decodedIfFits, decodeLine, textEncoderIfAny, writeAscii } from '../bytes/text.ts';
import { HashColumn, type InvalidRow } from '../digest/column.ts';
import { hashBytesInto } from '../digest/digest.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';
import { classify } from '../kernel/row-messages.ts';
import { type CompiledOptions, canonicalForm } from '../url/canonicalize.ts';
import { profileOfForm } from '../url/profile.ts';

/** Bytes of text per batch: together with what its rows take, all of it stays in a core's second-level cache. */
export const BATCH_BYTES = 128 * 1024;

/** Hashes each line of a text, from `start` on, as a row. */
export function hashLines<W extends Width>(
  hashing: Hashing<W>,
  text: Uint8Array,
  start = 0,
  rowBounds = false,
): HashColumn<W> {
  const bounds = rowBounds ? { rowStarts: [], rowEnds: [] } : undefined;
  return hashColumn(hashing, batchesOfLines(hashing, text, start, bounds), bounds);
}

interface GrowingBounds {
  readonly rowStarts: number[];
  readonly rowEnds: number[];
}

/** Yields the lines in batches of canonical forms, each valid until the next, and adds where they are to `bounds`. */
export function* batchesOfLines(
  canonicalizing: Canonicalizing,
  text: Uint8Array,
  start = 0,
  bounds?: GrowingBounds,
): Generator<UrlBatch> {
  const { kernel } = canonicalizing;
  const { bytes, rowStarts, rowEnds } = kernel.memory;
  const inputOf = (row: number) => decodeLine(bytes.subarray(rowStarts[row], rowEnds[row]));
  for (let at = start; at < text.length; ) {
    const batch = new UrlBatch(canonicalizing);
    const { lines, rowCount, next } = foundLines(kernel, text, at);
    const isLong = lines.bytes === text;
    if (bounds !== undefined) addBounds(bounds, lines, rowCount, isLong ? 0 : at - TEXT);
    if (isLong) batch.parseLong(rowIn(lines, 0));
    else batch.canonicalize(rowCount, kernel.memory.scannedEnd, inputOf);
    yield batch;
    at = next;
  }
}

/** Lines of a text; the next ones begin at `next`, and after the last line that is the end of the text, or beyond. */
export interface FoundLines {
  readonly lines: Spans;
  readonly rowCount: number;
  readonly next: number;
}

/**
 * Copies a batch of a text's lines, from `start` on, into the kernel's memory: from TEXT to memory.scannedEnd, with a
 * last line end added if it lacks one. A line that is longer than a batch is left where it is.
 */
export function foundLines(kernel: Kernel, text: Uint8Array, start: number, lineEnd = LINE_FEED): FoundLines {
  const { memory } = kernel;
  const { bytes, rowStarts: starts, rowEnds: ends } = memory;
  const end = endOfLines(text, start, BATCH_BYTES, lineEnd);
  const isEnded = text[end - 1] === lineEnd;
  if (end - start > BATCH_BYTES) {
    const lineStop = isEnded ? withoutReturn(text, start, end - 1, lineEnd) : end;
    return {
      lines: { bytes: text, starts: Uint32Array.of(start), ends: Uint32Array.of(lineStop) },
      rowCount: 1,
      next: end,
    };
  }
  bytes.set(text.subarray(start, end), TEXT);
  const textEnd = TEXT + end - start;
  if (!isEnded) bytes[textEnd] = lineEnd;
  const rowCount = kernel.findLines(TEXT, isEnded ? textEnd : textEnd + 1, lineEnd);
  // The added line end would make a CR LF of a last CR, which is part of its line.
  const hasReturn = lineEnd === LINE_FEED && text[end - 1] === CARRIAGE_RETURN;
  if (hasReturn && memory.scannedEnd > textEnd) ends[rowCount - 1] = textEnd;
  return { lines: { bytes, starts, ends }, rowCount, next: start + memory.scannedEnd - TEXT };
}

/** Adds the bounds of lines; `shift` turns one into a place in the text. */
function addBounds(bounds: GrowingBounds, { starts, ends }: Spans, rowCount: number, shift: number): void {
  for (let row = 0; row < rowCount; row++) {
    bounds.rowStarts.push(starts[row]! + shift);
    bounds.rowEnds.push(ends[row]! + shift);
  }
}

/** Row r is bytes[offsets[r], offsets[r + 1]): `offsets` must be ascending and within `bytes`. */
export function hashRows<W extends Width>(
  hashing: Hashing<W>,
  bytes: Uint8Array,
  offsets: Uint32Array,
  rowBounds = false,
): HashColumn<W> {
  const bounds = rowBounds ? { rowStarts: offsets.subarray(0, -1), rowEnds: offsets.subarray(1) } : undefined;
  return hashColumn(hashing, batchesOfRows(hashing, bytes, offsets), bounds);
}

/** Yields the rows in batches of canonical forms; each is valid until the next. */
export function* batchesOfRows(
  canonicalizing: Canonicalizing,
  bytes: Uint8Array,
  offsets: Uint32Array,
): Generator<UrlBatch> {
  const rowCount = Math.max(0, offsets.length - 1);
  const { kernel } = canonicalizing;
  for (let first = 0, end = 0; first < rowCount; first = end) {
    const batch = new UrlBatch(canonicalizing);
    end = Math.max(first + 1, batchEnd(offsets, first, rowCount));
    const inputOf = (row: number) => decodeLine(bytes.subarray(offsets[first + row], offsets[first + row + 1]));
    const [start, bytesEnd] = [offsets[first]!, offsets[end]!];
    if (bytesEnd - start > BATCH_BYTES) {
      batch.parseLong(bytes.subarray(start, bytesEnd));
    } else if (kernel.separateRows === undefined) {
      batch.parse(end - first, inputOf);
    } else {
      kernel.memory.bytes.set(bytes.subarray(start, bytesEnd), ROWS);
      kernel.memory.rowEnds.set(offsets.subarray(first + 1, end + 1));
      batch.canonicalize(end - first, kernel.separateRows(start, end - first), inputOf);
    }
    yield batch;
  }
}

/** Returns the row at which a batch from row `first` on is full: `first` itself if that is too long for one. */
function batchEnd(offsets: Uint32Array, first: number, rowCount: number): number {
  const bytesEnd = offsets[first]! + BATCH_BYTES;
  const limit = Math.min(rowCount, first + ROW_CAPACITY);
  let end = first;
  while (end < limit && offsets[end + 1]! <= bytesEnd) end++;
  return end;
}

/** UTF-16 units per batch: as UTF-8 they fit in TEXT with room to spare, unless most of them are not ASCII. */
const BATCH_UNITS = 128 * 1024;

export function hashStrings<W extends Width>(hashing: Hashing<W>, urls: Iterable<string | URL>): HashColumn<W> {
  return hashColumn(hashing, batchesOfStrings(hashing, urls));
}

/** Yields the URLs in batches of canonical forms; each is valid until the next. */
function* batchesOfStrings(canonicalizing: Canonicalizing, urls: Iterable<string | URL>): Generator<UrlBatch> {
  const strings: string[] = []; // written over by each batch: a new list each time takes 6 ns per URL more
  let [rowCount, unitCount] = [0, 0];
  for (const url of urls) {
    const text = mustBeUrl('each of urls', url);
    strings[rowCount++] = text;
    unitCount += text.length + 1;
    if (rowCount < ROW_CAPACITY && unitCount < BATCH_UNITS) continue;
    yield canonicalized(canonicalizing, strings, rowCount);
    rowCount = unitCount = 0;
  }
  if (rowCount > 0) yield canonicalized(canonicalizing, strings, rowCount);
}

function canonicalized(canonicalizing: Canonicalizing, strings: readonly string[], rowCount: number): UrlBatch {
  const batch = new UrlBatch(canonicalizing);
  const inputOf = (row: number) => strings[row];
  const textEnd = copyStrings(canonicalizing.kernel, strings, rowCount);
  if (textEnd === undefined) batch.parse(rowCount, inputOf);
  else batch.canonicalize(rowCount, textEnd, inputOf);
  return batch;
}

/** Strings that are joined and encoded at once: 57 ns per URL, 110 one at a time, 190 with all 2048 joined. */
const JOINED = 64;

/**
 * Copies the first `rowCount` strings to the kernel's memory as lines and returns their end; undefined if they do not
 * fit or hold line feeds.
 */
function copyStrings(kernel: Kernel, strings: readonly string[], rowCount: number): number | undefined {
  const encoder = textEncoderIfAny();
  if (encoder === undefined) return undefined;
  const { memory } = kernel;
  let end = TEXT;
  for (let index = 0; index < rowCount; index += JOINED) {
    const text = strings.slice(index, Math.min(index + JOINED, rowCount)).join('\n');
    const room = memory.bytes.subarray(end, TEXT + MARKED_BYTES - 1);
    const { read, written } = encoder.encodeInto(text, room);
    if (read < text.length) return undefined;
    end += written;
    memory.bytes[end++] = LINE_FEED;
  }
  // that many lines must reach the end: findLines never counts more than ROW_CAPACITY
  const isOneLineEach = kernel.findLines(TEXT, end, LINE_FEED) === rowCount && memory.scannedEnd === end;
  return isOneLineEach ? end : undefined;
}

/** The bounds of each row in the bytes given. */
export interface RowBounds {
  readonly rowStarts: ArrayLike<number>;
  readonly rowEnds: ArrayLike<number>;
}

/**
 * Hashes the rows of batches, one batch after another, and makes a column of their digests, with `bounds` as they are
 * after the last batch.
 */
export function hashColumn<W extends Width>(
  { width, form }: Hashing<W>,
  batches: Iterable<UrlBatch>,
  bounds?: RowBounds,
): HashColumn<W> {
  const digests: Uint8Array[] = [];
  const invalidRows: InvalidRow[] = [];
  let [rowCount, strippedCount, hasUnicodeHosts] = [0, 0, false];
  for (const batch of batches) {
    digests.push(batch.hash(width).slice());
    for (const each of batch.invalidRows) invalidRows.push({ ...each, row: rowCount + each.row });
    rowCount += batch.rowCount;
    strippedCount += batch.strippedCount;
    hasUnicodeHosts ||= batch.unicodeHostRows.length > 0;
  }
  return HashColumn.of({
    bytes: concatBytes(digests),
    width,
    profile: profileOfForm(form),
    rowStarts: bounds && new Uint32Array(bounds.rowStarts),
    rowEnds: bounds && new Uint32Array(bounds.rowEnds),
    invalidRows,
    strippedCount,
    hasUnicodeHosts,
  });
}

/** A length in bytes that no message shows. */
const SHOWN_BYTES = 1 << 10;

/** Settings for canonicalizing rows. */
export interface Canonicalizing extends CompiledOptions {
  readonly kernel: Kernel;
}

/** Settings for hashing all rows of a column. */
export interface Hashing<W extends Width = Width> extends Canonicalizing {
  readonly width: W;
}

/** Returns the text of a row that the kernel leaves to the parser, or undefined for a row that has no value. */
export type InputOf = (row: number) => string | undefined;

/**
 * Up to ROW_CAPACITY rows in the kernel's memory with their canonical forms, from `canonicalize` or `parse` on, one of
 * which is called once, until the next batch: memory.spans has the form of each row, or NO_MESSAGE.
 */
export class UrlBatch {
  readonly #canonicalizing: Canonicalizing;
  rowCount = 0;
  /** Rows that are not URLs, ascending; `row` counts within the batch. */
  readonly invalidRows: InvalidRow[] = [];
  provenCount = 0;
  rewrittenCount = 0;
  /** Rows whose form lost a parameter. */
  strippedCount = 0;
  /** Rows whose form came from a host beyond ASCII, ascending. */
  readonly unicodeHostRows: number[] = [];
  /** Forms that do not fit in memory: with a long base they may be longer than their rows together. */
  readonly longForms = new Map<number, string>();

  constructor(canonicalizing: Canonicalizing) {
    this.#canonicalizing = canonicalizing;
  }

  /** Canonicalizes rows whose bounds are in memory, which is free from the address `room` on. */
  canonicalize(rowCount: number, room: number, inputOf: InputOf): void {
    const { kernel } = this.#canonicalizing;
    this.rowCount = rowCount;
    this.strippedCount = classify(kernel, this.#canonicalizing, rowCount, room);
    const { pending, pendingCount, rewrittenCount } = kernel.memory;
    this.rewrittenCount = rewrittenCount;
    this.provenCount = rowCount - pendingCount - rewrittenCount;
    for (let index = 0; index < pendingCount; index++) this.#parse(pending[index]!, inputOf);
    this.#addUnicodeHostRows();
  }

  /** Parses rows that are not in memory: all of them. */
  parse(rowCount: number, inputOf: InputOf): void {
    this.rowCount = rowCount;
    const { memory } = this.#canonicalizing.kernel;
    memory.roomEnd = TEXT;
    memory.unicodeRows.fill(0);
    for (let row = 0; row < rowCount; row++) this.#parse(row, inputOf);
    this.#addUnicodeHostRows();
  }

  /** Parses one row that is longer than a batch. One that is longer than a string can be is not a URL. */
  parseLong(bytes: Uint8Array): void {
    const input = decodedIfFits(bytes);
    this.parse(1, () => input);
    if (input !== undefined) return;
    const start = decodeLine(bytes.subarray(0, SHOWN_BYTES));
    this.invalidRows.push({ row: 0, input: start, reason: 'length-limit' });
  }

  /** Hashes the forms and returns the packed digests, `width` bytes each: a view of the kernel's memory. */
  hash(width: Width): Uint8Array<ArrayBuffer> {
    const { kernel } = this.#canonicalizing;
    kernel.hash(0, this.rowCount, width);
    for (const [row, form] of this.longForms) hashBytesInto(kernel, asciiBytes(form), DIGESTS + row * width, width);
    return kernel.memory.bytes.subarray(DIGESTS, DIGESTS + this.rowCount * width);
  }

  #parse(row: number, inputOf: InputOf): void {
    const { kernel, form, base } = this.#canonicalizing;
    kernel.memory.setSpan(row, 0, NO_MESSAGE);
    const input = inputOf(row);
    if (input === undefined) return;
    const canonical = canonicalForm(input, base, form, () => kernel.memory.addUnicodeRow(row));
    if (typeof canonical !== 'string') return void this.invalidRows.push({ row, input, reason: canonical.reason });
    if (form.rules?.hasDropped) this.strippedCount++;
    this.#place(row, canonical);
  }

  #addUnicodeHostRows(): void {
    const { unicodeRows } = this.#canonicalizing.kernel.memory;
    for (let word = 0; word < unicodeRows.length; word++) {
      for (let bits = unicodeRows[word]!; bits !== 0; bits &= bits - 1)
        this.unicodeHostRows.push(32 * word + 31 - Math.clz32(bits & -bits));
    }
  }

  #place(row: number, canonical: string): void {
    const { memory } = this.#canonicalizing.kernel;
    const address = memory.roomEnd;
    if (canonical.length > TEXT_END - address) return void this.longForms.set(row, canonical);
    writeAscii(memory.bytes, address, canonical);
    memory.setSpan(row, address, canonical.length);
    memory.roomEnd = address + canonical.length;
  }
}
