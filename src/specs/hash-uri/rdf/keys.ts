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
    const { written: bytes } = this.#bytes;
    const { numbers: starts } = this.#starts;
    const compare = (one: number, other: number) =>
      compareBytes(bytes, starts[one]!, starts[one + 1]!, bytes, starts[other]!, starts[other + 1]!);
    const keys = new Uint32Array(this.count).map((_, key) => key).sort(compare);
    const current = { bytes, start: 0, end: 0 };
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at]!;
      if (at > 0 && compare(keys[at - 1]!, key) === 0) continue;
      current.start = starts[key]!;
      current.end = starts[key + 1]!;
      yield current;
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
}

/** A key's start, and its place in the order, which the host sorts with two copies of it. */
const KEY_OVERHEAD_BYTES = 4 + 3 * 4;

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
  const compare = (left: Key, right: Key) =>
    compareBytes(left.bytes, left.start, left.end, right.bytes, right.start, right.end);
  for (const union = new Merge(runs, compare); union.current !== undefined; union.advance()) yield union.current;
}
