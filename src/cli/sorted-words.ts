import { type FileHandle, open } from 'node:fs/promises';
import { readSync } from 'node:fs';

const WORD_BYTES = 8;

/** Read at a time in a search: a page of most disks. */
const PAGE_BYTES = 4096;

/** A file up to this size is kept in memory; of a larger one only each page's first word, a 512th of it. */
const KEPT_BYTES = 1 << 30;
const CHUNK_BYTES = 1 << 20;

/** A file of ascending little-endian unsigned 64-bit words: `--against`. */
export class SortedWords {
  readonly #file: FileHandle;
  readonly #wordCount: number;
  /** All words, or each page's first, low half before high half. */
  readonly #words: Uint32Array;
  readonly #isKept: boolean;
  readonly #page = new Uint32Array(PAGE_BYTES / 4);

  private constructor(file: FileHandle, wordCount: number, words: Uint32Array, isKept: boolean) {
    this.#file = file;
    this.#wordCount = wordCount;
    this.#words = words;
    this.#isKept = isKept;
  }

  /** Reads the file once from end to end. @throws {WordFileError} where it is none, or not ascending */
  static async open(path: string): Promise<SortedWords> {
    const file = await open(path).catch((error: Error) => Promise.reject(new WordFileError(path, error.message)));
    const { size } = await file.stat();
    if (size % WORD_BYTES !== 0) throw new WordFileError(path, `${size} bytes are no whole number of 8-byte words`);
    const isKept = size <= KEPT_BYTES;
    const words = new Uint32Array(2 * Math.ceil(size / (isKept ? WORD_BYTES : PAGE_BYTES)));
    await readAscending(path, file, size, words, isKept ? WORD_BYTES : PAGE_BYTES);
    return new SortedWords(file, size / WORD_BYTES, words, isKept);
  }

  has(low: number, high: number): boolean {
    const index = lastNotAbove(this.#words, this.#words.length / 2, low, high);
    if (index === -1) return false;
    return this.#isKept ? isAt(this.#words, index, low, high) : this.#isInPage(index, low, high);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  // The system's cache of the file is the cache: a page that it has takes 2 µs
  #isInPage(page: number, low: number, high: number): boolean {
    const count = Math.min(PAGE_BYTES / WORD_BYTES, this.#wordCount - (page * PAGE_BYTES) / WORD_BYTES);
    readSync(this.#file.fd, this.#page, 0, count * WORD_BYTES, page * PAGE_BYTES);
    const index = lastNotAbove(this.#page, count, low, high);
    return index !== -1 && isAt(this.#page, index, low, high);
  }
}

/** What `--against` names is no file of ascending words. */
export class WordFileError extends Error {
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
  }
}

/** Copies the word at every multiple of `stride` bytes to `kept` and checks that no word is below the one before it. */
async function readAscending(path: string, file: FileHandle, size: number, kept: Uint32Array, stride: number): Promise<void> {
  const chunk = new Uint32Array(CHUNK_BYTES / 4);
  let [low, high] = [0, 0];
  for (let at = 0; at < size; at += CHUNK_BYTES) {
    const byteLength = Math.min(CHUNK_BYTES, size - at);
    await readWhole(path, file, chunk, byteLength, at);
    for (let word = 0; word < byteLength / 4; word += 2) {
      const [nextLow, nextHigh] = [chunk[word]!, chunk[word + 1]!];
      if (nextHigh < high || (nextHigh === high && nextLow < low)) {
        throw new WordFileError(path, `word ${(at + 4 * word) / WORD_BYTES} is less than the one before it: sort the file as little-endian unsigned words`);
      }
      [low, high] = [nextLow, nextHigh];
      if ((at + 4 * word) % stride === 0) kept.set([low, high], (2 * (at + 4 * word)) / stride);
    }
  }
}

async function readWhole(path: string, file: FileHandle, into: Uint32Array, byteLength: number, position: number): Promise<void> {
  for (let read = 0; read < byteLength; ) {
    const { bytesRead } = await file.read(into, read, byteLength - read, position + read);
    if (bytesRead === 0) throw new WordFileError(path, 'it became shorter while it was read');
    read += bytesRead;
  }
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
