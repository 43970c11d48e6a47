import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { MAGIC } from '../../hash-index/layout.ts';
import type { KnownHashes } from './known-hashes.ts';
import { tried, WordFileError } from './word-file-error.ts';

const WORD_BYTES = 8;

/** Read at a time in a search: a page of most disks. */
const PAGE_BYTES = 4096;

/** A file up to this size is kept in memory; of a larger one only each page's first word, a 512th of it. */
const MEMORY_BYTES = 1 << 30;
const CHUNK_BYTES = 1 << 20;

/** A file of ascending little-endian unsigned 64-bit words, each the first of a hash. */
export class SortedWords implements KnownHashes {
  readonly width = WORD_BYTES;
  /** Words in the file. */
  readonly size: number;
  readonly #path: string;
  /** Undefined where the words were received, and are kept. */
  readonly #file: number | undefined;
  /** All words, or each page's first, low half before high half. */
  readonly #words: Uint32Array;
  readonly #isKept: boolean;
  readonly #page = new Uint32Array(PAGE_BYTES / 4);

  /** All of what cannot be read at any place, until its words are kept. */
  #received: Uint8Array | undefined;

  /**
   * Reads the file once from end to end. A pipe has no places to read at, and the files of /proc say that they are
   * empty.
   *
   * @param memoryBytes so much is kept in memory
   * @param received what stands in the file, where it was read already
   * @throws {WordFileError} where it cannot be read, or is not as above
   */
  constructor(path: string, memoryBytes = MEMORY_BYTES, received?: Uint8Array) {
    this.#path = path;
    this.#file = received === undefined ? tried(path, () => openSync(path, 'r')) : undefined;
    this.#received = received;
    const byteLength = received?.length ?? this.#byteLengthIn(this.#file!, memoryBytes);
    this.#mustNotExceed(memoryBytes, this.#received?.length ?? 0);
    if (isIndex(this.#received)) throw new WordFileError(path, 'an index is read from a plain file only');
    if (byteLength % WORD_BYTES !== 0)
      throw new WordFileError(path, `${byteLength} bytes are not a whole number of 8-byte words`);
    this.size = byteLength / WORD_BYTES;
    this.#isKept = byteLength <= memoryBytes;
    this.#words = new Uint32Array(2 * Math.ceil(byteLength / (this.#isKept ? WORD_BYTES : PAGE_BYTES)));
    this.#readAscending(byteLength, this.#isKept ? WORD_BYTES : PAGE_BYTES);
    this.#received = undefined;
    if (this.#isKept && this.#file !== undefined) closeSync(this.#file);
  }

  hasAt(units: Uint32Array, at: number): boolean {
    const [low, high] = [units[at]!, units[at + 1]!];
    const index = lastNotAbove(this.#words, this.#words.length / 2, low, high);
    if (index === -1) return false;
    return this.#isKept ? isAt(this.#words, index, low, high) : this.#isInPage(index, low, high);
  }

  // The system's cache of the file is the cache: a page that it has takes 2 µs
  #isInPage(page: number, low: number, high: number): boolean {
    const count = Math.min(PAGE_BYTES / WORD_BYTES, this.size - (page * PAGE_BYTES) / WORD_BYTES);
    this.#read(this.#page, count * WORD_BYTES, page * PAGE_BYTES);
    const index = lastNotAbove(this.#page, count, low, high);
    return index !== -1 && isAt(this.#page, index, low, high);
  }

  /** Keeps the word at every multiple of `stride` bytes and checks that none is below the one before it. */
  #readAscending(byteLength: number, stride: number): void {
    const chunk = new Uint32Array(CHUNK_BYTES / 4);
    let [low, high] = [0, 0];
    for (let at = 0; at < byteLength; at += CHUNK_BYTES) {
      const chunkLength = Math.min(CHUNK_BYTES, byteLength - at);
      this.#read(chunk, chunkLength, at);
      for (let index = 0; index < chunkLength / 4; index += 2) {
        const nextLow = chunk[index]!;
        const nextHigh = chunk[index + 1]!;
        const position = at + 4 * index;
        if (nextHigh < high || (nextHigh === high && nextLow < low))
          throw new WordFileError(
            this.#path,
            `word ${position / WORD_BYTES} is less than the one before it: they must ascend as unsigned little-endian words`,
          );
        low = nextLow;
        high = nextHigh;
        if (position % stride !== 0) continue;
        this.#words[(2 * position) / stride] = low;
        this.#words[(2 * position) / stride + 1] = high;
      }
    }
  }

  /** Of a plain file, or else of what it gives, which is received at once. */
  #byteLengthIn(file: number, memoryBytes: number): number {
    const found = fstatSync(file);
    if (found.isFile() && found.size > 0) return found.size;
    this.#received = this.#receive(file, memoryBytes);
    return this.#received.length;
  }

  /** @throws {WordFileError} */
  #mustNotExceed(limitBytes: number, byteLength: number): void {
    if (byteLength > limitBytes)
      throw new WordFileError(this.#path, `of what is not a plain file, no more than ${limitBytes} bytes are read`);
  }

  /** Reads to the end of what is not a plain file. */
  #receive(file: number, limitBytes: number): Uint8Array {
    let bytes = new Uint8Array(CHUNK_BYTES);
    let filled = 0;
    for (let count: number; (count = tried(this.#path, () => readSync(file, bytes, { offset: filled }))) > 0; ) {
      filled += count;
      this.#mustNotExceed(limitBytes, filled);
      if (filled === bytes.length) bytes = grown(bytes);
    }
    return bytes.subarray(0, filled);
  }

  #read(into: Uint32Array, byteLength: number, position: number): void {
    if (this.#received !== undefined) {
      new Uint8Array(into.buffer).set(this.#received.subarray(position, position + byteLength));
      return;
    }
    for (let read = 0; read < byteLength; ) {
      const count = tried(this.#path, () => readSync(this.#file!, into, read, byteLength - read, position + read));
      if (count === 0) throw new WordFileError(this.#path, 'it became shorter while it was read');
      read += count;
    }
  }
}

function isIndex(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}

function grown(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const twice = new Uint8Array(2 * bytes.length);
  twice.set(bytes);
  return twice;
}

/** The index of the last of `count` ascending words that is not above the one given, or -1. */
function lastNotAbove(words: Uint32Array, count: number, low: number, high: number): number {
  let [start, end] = [0, count];
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    const middleHigh = words[2 * middle + 1]!;
    if (middleHigh < high || (middleHigh === high && words[2 * middle]! <= low)) start = middle + 1;
    else end = middle;
  }
  return start - 1;
}

function isAt(words: Uint32Array, index: number, low: number, high: number): boolean {
  return words[2 * index] === low && words[2 * index + 1] === high;
}
