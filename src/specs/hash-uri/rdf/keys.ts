import { mustBeNumber } from '../../../core/argument.ts';
import { GrowingBytes } from '../../../core/bytes/growing-bytes.ts';
import { type Cursor, compareBytes, Merge } from '../../../core/bytes/order.ts';
import { textEncoder } from '../../../core/bytes/text.ts';
import { SpillFile } from '../../../store/files.ts';

/**
 * The order of the specification is that of code points, which is that of UTF-8 bytes. Java's strings compare by UTF-16
 * units: that differs where a character beyond U+FFFF meets one of U+E000 to U+FFFF, which then comes second.
 */
export type KeyOrder = 'code-points' | 'utf16';

/** U+E000 to U+FFFF begin with bytes EE and EF, characters beyond with F0 to F4; F5 and F6 begin nothing. */
const FIRST = 0xee;
const LAST = 0xef;
const BEYOND = 0xf0;
const DISTANCE = 0xf5 - FIRST;

/** Whether UTF-8 has characters of both kinds on which the two orders disagree. */
function dependsOnOrder(utf8: Uint8Array): boolean {
  return utf8.some((byte) => byte >= BEYOND) && utf8.some((byte) => byte === FIRST || byte === LAST);
}

/** Turns UTF-8 in place into bytes whose order is that of UTF-16 units; a second time it changes nothing. */
function toUtf16Order(utf8: Uint8Array): void {
  for (let at = 0; at < utf8.length; at++) if (utf8[at] === FIRST || utf8[at] === LAST) utf8[at]! += DISTANCE;
}

export function fromUtf16Order(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= FIRST + DISTANCE) bytes[at]! -= DISTANCE;
}

/** Up to this many UTF-16 units, a key is encoded in place, with room for three bytes each. */
const IN_PLACE_LENGTH = 1 << 14;

/** Bytes [start, end); a key from an iterator is valid until the next one. */
export interface Key {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Keys that are sorted in memory or, in a runtime with files, in runs. */
export interface Keys {
  readonly count: number;
  /** Whether there are characters of both kinds on which the two orders disagree. */
  readonly dependsOnOrder: boolean;
  add(key: string): void;
  /** Returns the different keys, in order. */
  sorted(order?: KeyOrder): Iterable<Key>;
}

/** Sort keys as UTF-8, one after another in one buffer. */
export class KeyTable implements Keys {
  readonly #bytes: GrowingBytes;
  /** The place where each key begins, and the last one ends. */
  readonly #starts = new GrowingBytes(1 << 12);
  readonly #sort = new KeySort();

  /** @param byteLength room for keys, which grows as needed; the system commits no more memory than is written */
  constructor(byteLength = 1 << 16) {
    this.#bytes = new GrowingBytes(byteLength);
    this.#starts.uint32(0);
  }

  get count(): number {
    return this.#starts.length / 4 - 1;
  }

  /** The bytes of the keys, and of what sorting them takes. */
  get byteLength(): number {
    return this.#bytes.length + this.count * KEY_OVERHEAD_BYTES;
  }

  add(key: string): void {
    if (key.length > IN_PLACE_LENGTH) return this.addBytes(textEncoder().encode(key));
    this.#bytes.text(key);
    this.#starts.uint32(this.#bytes.length);
  }

  /** Adds a key that is UTF-8 already. */
  addBytes(key: Uint8Array): void {
    this.#bytes.bytes(key, 0, key.length);
    this.#starts.uint32(this.#bytes.length);
  }

  *sorted(order: KeyOrder = 'code-points'): Generator<Key> {
    if (order === 'utf16') toUtf16Order(this.#bytes.written);
    const keys = this.#packed();
    const current = { bytes: keys.bytes, start: 0, end: 0 };
    let last = -1;
    for (const key of this.#sort.sorted(keys)) {
      if (last !== -1 && isSameKey(keys, last, key)) continue;
      current.start = keys.starts[key]!;
      current.end = keys.starts[key + 1]!;
      yield current;
      last = key;
    }
  }

  get dependsOnOrder(): boolean {
    return dependsOnOrder(this.#bytes.written);
  }

  clear(): void {
    this.#bytes.take();
    this.#starts.take();
    this.#starts.uint32(0);
  }

  #packed(): PackedKeys {
    return { bytes: this.#bytes.written, starts: this.#starts.numbers, count: this.count };
  }
}

/** A key's start, its place in the order, its word for sorting. */
const KEY_OVERHEAD_BYTES = 4 + 4 + 8;

// Multikey quicksort (Bentley and Sedgewick, 1997): keys that share a prefix are compared by what follows it, so the
// prefix is read once per step, not once per comparison. A step is six bytes, kept as a double beside the key's number.

/** Fewer keys than this are sorted by insertion. */
const FEW = 12;
const STEP_BYTES = 6;
/** Below a step's six bytes is the number of them that the key has: 51 bits in all, and a double has 53. */
const COUNTS = 8;
const UPPER_HALF = 2 ** 24 * COUNTS;

/** Packed keys: key k is bytes [starts[k], starts[k + 1]). */
interface PackedKeys {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly count: number;
}

/** Whether two keys are the same. Neighbours in the order mostly differ at the end, so that is compared first. */
function isSameKey({ bytes, starts }: PackedKeys, a: number, b: number): boolean {
  const distance = starts[b + 1]! - starts[a + 1]!;
  const start = starts[a]!;
  if (starts[b]! - start !== distance) return false;
  let at = starts[a + 1]!;
  while (at > start && bytes[at - 1] === bytes[at - 1 + distance]) at--;
  return at === start;
}

/** Sorts one set of keys after another, in memory that is reused. */
class KeySort {
  #keys: PackedKeys = { bytes: new Uint8Array(0), starts: new Uint32Array(1), count: 0 };
  #order = new Uint32Array(0);
  #words = new Float64Array(0);

  /**
   * Returns the numbers of the keys in ascending order of their bytes, a prefix before what it begins; valid until the
   * next call.
   */
  sorted(keys: PackedKeys): Uint32Array {
    this.#keys = keys;
    this.#reserve(keys.starts.length);
    const order = this.#order.subarray(0, keys.count);
    for (let key = 0; key < keys.count; key++) order[key] = key;
    this.#sort(0, keys.count, this.#readWords(0, keys.count, 0));
    return order;
  }

  #reserve(count: number): void {
    if (count <= this.#order.length) return;
    this.#order = new Uint32Array(count);
    this.#words = new Float64Array(count);
  }

  /** Sorts [low, high), whose keys agree in `depth` bytes, by their words from there on. */
  #sort(low: number, high: number, depth: number): void {
    while (high - low >= FEW) {
      const pivot = this.#pivot(low, high);
      const [less, greater] = this.#partition(low, high, pivot);
      this.#sort(low, less, depth);
      this.#sort(greater, high, depth);
      if (pivot % COUNTS < STEP_BYTES) return; // the keys between have ended, so they are equal
      [low, high] = [less, greater];
      depth = this.#readWords(low, high, depth + STEP_BYTES);
    }
    this.#sortFew(low, high, depth);
  }

  /** Returns the median of three at random, so that no order of the keys is a bad one. */
  #pivot(low: number, high: number): number {
    const some = () => this.#words[low + Math.floor(Math.random() * (high - low))]!;
    const [a, b, c] = [some(), some(), some()];
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  /** Returns where the words equal to `pivot` begin and end. */
  #partition(low: number, high: number, pivot: number): readonly [number, number] {
    const words = this.#words;
    let at = low;
    while (at < high) {
      const word = words[at]!;
      if (word < pivot) this.#swap(low++, at++);
      else if (word > pivot) this.#swap(at, --high);
      else at++;
    }
    return [low, high];
  }

  #swap(a: number, b: number): void {
    const order = this.#order;
    const words = this.#words;
    const key = order[a]!;
    const word = words[a]!;
    order[a] = order[b]!;
    words[a] = words[b]!;
    order[b] = key;
    words[b] = word;
  }

  /** Insertion sort, for short ranges. */
  #sortFew(low: number, high: number, depth: number): void {
    const order = this.#order;
    const words = this.#words;
    for (let next = low + 1; next < high; next++) {
      const key = order[next]!;
      const word = words[next]!;
      let at = next;
      for (; at > low && this.#isBefore(word, key, at - 1, depth); at--) {
        order[at] = order[at - 1]!;
        words[at] = words[at - 1]!;
      }
      order[at] = key;
      words[at] = word;
    }
  }

  /** Whether a key comes before the one at `at`. Most words differ, so few keys are looked at. */
  #isBefore(word: number, key: number, at: number, depth: number): boolean {
    const other = this.#words[at]!;
    return word < other || (word === other && this.#isLess(key, this.#order[at]!, depth + STEP_BYTES));
  }

  /** Compares what follows `depth`, up to which the keys agree. */
  #isLess(key: number, other: number, depth: number): boolean {
    const { bytes, starts } = this.#keys;
    const [end, otherEnd] = [starts[key + 1]!, starts[other + 1]!];
    return compareBytes(bytes, starts[key]! + depth, end, bytes, starts[other]! + depth, otherEnd) < 0;
  }

  /**
   * Reads six bytes from `depth` on and how many there are: an end comes before a zero byte. Where all keys agree in
   * them, reads the next six. Returns the depth at which the keys differ or end.
   */
  #readWords(low: number, high: number, depth: number): number {
    while (this.#readStep(low, high, depth) && this.#words[low]! % COUNTS === STEP_BYTES) depth += STEP_BYTES;
    return depth;
  }

  /** Reads the words of one step, and returns whether the keys agree in it. */
  #readStep(low: number, high: number, depth: number): boolean {
    const { bytes, starts } = this.#keys;
    const order = this.#order;
    const words = this.#words;
    let isSame = true;
    for (let at = low; at < high; at++) {
      const key = order[at]!;
      const start = starts[key]! + depth;
      const count = Math.min(STEP_BYTES, starts[key + 1]! - start);
      words[at] = count === STEP_BYTES ? wholeWord(bytes, start) : partWord(bytes, start, count);
      isSame &&= words[at] === words[low];
    }
    return isSame;
  }
}

/** Reads two halves, since a shift is of 32 bits at most. */
function wholeWord(bytes: Uint8Array, at: number): number {
  const upper = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  const lower = (bytes[at + 3]! << 16) | (bytes[at + 4]! << 8) | bytes[at + 5]!;
  return upper * UPPER_HALF + lower * COUNTS + STEP_BYTES;
}

function partWord(bytes: Uint8Array, at: number, count: number): number {
  let word = 0;
  for (let index = 0; index < STEP_BYTES; index++) word = word * 256 + (index < count ? bytes[at + index]! : 0);
  return word * COUNTS + count;
}

/** The memory that a run may take in all, by default. */
export const DEFAULT_KEY_BYTES = 2 ** 28;
const LEAST_MEMORY_BYTES = 1e6;

/** The share of that memory for keys; Node itself, and what is read and written, take 130 MB in addition. */
const KEY_SHARE = 1 / 2;

/**
 * @throws {TypeError} on anything but a number
 * @throws {RangeError} on less than a million
 */
export function mustBeMemory(memoryBytes: number): number {
  if (mustBeNumber('memoryBytes', memoryBytes) >= LEAST_MEMORY_BYTES && memoryBytes <= Number.MAX_SAFE_INTEGER)
    return memoryBytes;
  throw new RangeError(`memoryBytes must be ${LEAST_MEMORY_BYTES} or more, got ${memoryBytes}`);
}

/**
 * Sort keys in bounded memory: when they exceed it, a sorted run of them is written to a temporary file, and the runs
 * are merged. `close` removes them.
 */
export class SpillingKeys implements Keys {
  readonly #keyBytes: number;
  readonly #table: KeyTable;
  readonly #runs: SpillFile[] = [];
  #spilledCount = 0;

  /**
   * @param memoryBytes of the run
   * @param roomBytes what keys get at first: all memory for them, unless they are known to be few
   */
  constructor(memoryBytes: number, roomBytes = memoryBytes * KEY_SHARE) {
    this.#keyBytes = memoryBytes * KEY_SHARE;
    this.#table = new KeyTable(roomBytes);
  }

  get count(): number {
    return this.#spilledCount + this.#table.count;
  }

  /** True where there are runs: these are not read through to find out. */
  get dependsOnOrder(): boolean {
    return this.#runs.length > 0 || this.#table.dependsOnOrder;
  }

  get runCount(): number {
    return this.#runs.length;
  }

  add(key: string): void {
    this.#table.add(key);
    if (this.#table.byteLength >= this.#keyBytes) this.#spill();
  }

  sorted(order: KeyOrder = 'code-points'): Iterable<Key> {
    if (this.#runs.length === 0) return this.#table.sorted(order);
    if (this.#table.count > 0) this.#spill();
    if (order === 'utf16') for (const run of this.#runs) this.#sortAgain(run);
    return mergedRuns(this.#runs.map((run) => new KeyRunReader(run)));
  }

  close(): void {
    for (const run of this.#runs.splice(0)) run.close();
  }

  #spill(): void {
    this.#spilledCount += this.#table.count;
    const run = new SpillFile();
    this.#runs.push(run);
    this.#write(run, 'code-points');
  }

  /** Sorts a run again. It fits in memory: it was written from there. */
  #sortAgain(run: SpillFile): void {
    const reader = new KeyRunReader(run);
    while (reader.next()) this.#table.addBytes(reader.bytes.subarray(reader.start, reader.end));
    run.empty();
    this.#write(run, 'utf16');
  }

  #write(run: SpillFile, order: KeyOrder): void {
    const writer = new KeyRunWriter(run);
    for (const key of this.#table.sorted(order)) writer.add(key);
    writer.flush();
    this.#table.clear();
  }
}

const BUFFER_BYTES = 1 << 18;
/** Bytes before each key: its length as a little-endian number. */
const LENGTH_BYTES = 4;

/** Writes keys to a file, one after another. */
class KeyRunWriter {
  readonly #file: SpillFile;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #length = 0;

  constructor(file: SpillFile) {
    this.#file = file;
  }

  add({ bytes, start, end }: Key): void {
    if (this.#length + LENGTH_BYTES + end - start > BUFFER_BYTES) this.flush();
    this.#length = this.#buffer.writeUInt32LE(end - start, this.#length);
    if (end - start > BUFFER_BYTES - LENGTH_BYTES) {
      this.flush();
      return this.#file.append(bytes.subarray(start, end));
    }
    this.#buffer.set(bytes.subarray(start, end), this.#length);
    this.#length += end - start;
  }

  /** Writes what is buffered; called at the end, too. */
  flush(): void {
    this.#file.append(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
  }
}

/** Reads the keys back; `bytes`, `start` and `end` are the current key, until the next one is asked for. */
class KeyRunReader implements Key, Cursor {
  bytes = Buffer.allocUnsafe(BUFFER_BYTES);
  start = 0;
  end = 0;
  readonly #file: SpillFile;
  #position = 0;
  /** The end of what has been read. */
  #filled = 0;

  constructor(file: SpillFile) {
    this.#file = file;
  }

  next(): boolean {
    if (!this.#has(LENGTH_BYTES)) return false;
    const byteLength = this.bytes.readUInt32LE(this.end);
    this.end += LENGTH_BYTES;
    if (!this.#has(byteLength)) throw new Error('a sorted run ends within a key');
    this.start = this.end;
    this.end += byteLength;
    return true;
  }

  /** Whether `byteLength` bytes come after `end`. Reads them if they are not in memory. */
  #has(byteLength: number): boolean {
    if (this.#filled - this.end >= byteLength) return true;
    this.#keepRest(byteLength);
    const read = this.#file.read(this.bytes.subarray(this.#filled), this.#position);
    this.#position += read;
    this.#filled += read;
    return this.#filled >= byteLength;
  }

  #keepRest(byteLength: number): void {
    const rest = this.bytes.subarray(this.end, this.#filled);
    if (byteLength > this.bytes.length) this.bytes = Buffer.allocUnsafe(byteLength);
    this.bytes.set(rest);
    this.#filled = rest.length;
    this.end = 0;
  }
}

/** Yields each different key of sorted runs, in order. */
function* mergedRuns(runs: readonly KeyRunReader[]): Generator<Key> {
  for (const union = new Merge(runs, compareKeys); union.current !== undefined; union.advance()) yield union.current;
}

function compareKeys(left: Key, right: Key): number {
  return compareBytes(left.bytes, left.start, left.end, right.bytes, right.start, right.end);
}
