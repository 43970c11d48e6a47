import { mustBeNumber } from '../../../../core/argument.ts';
import { compareBytes } from '../../../../core/bytes/order.ts';
import { TemporaryFile } from '../../../../store/temporary-file.ts';
import { readWhole, writeWhole } from '../../../../store/whole.ts';
import { type Key, type KeyOrder, type Keys, KeyTable } from '../key-table.ts';

/** The memory that a run may take in all, by default. */
export const DEFAULT_KEY_BYTES = 2 ** 28;
const LEAST_MEMORY_BYTES = 1e6;

/** The share of it for keys; Node itself, and what is read and written, take 130 MB in addition. */
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
  readonly #runs: TemporaryFile[] = [];
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

  /** Runs are not read through just to find out: they may depend on it. */
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
    return mergedRuns(this.#runs.map(({ descriptor }) => new KeyRunReader(descriptor)));
  }

  close(): void {
    for (const run of this.#runs.splice(0)) run.close();
  }

  #spill(): void {
    this.#spilledCount += this.#table.count;
    const run = new TemporaryFile();
    this.#runs.push(run);
    this.#write(run, 'code-points');
  }

  /** Sorts a run again. It fits in memory: it was written from there. */
  #sortAgain(run: TemporaryFile): void {
    const reader = new KeyRunReader(run.descriptor);
    while (reader.next()) this.#table.addBytes(reader.bytes.subarray(reader.start, reader.end));
    run.empty();
    this.#write(run, 'utf16');
  }

  #write({ descriptor }: TemporaryFile, order: KeyOrder): void {
    const writer = new KeyRunWriter(descriptor);
    for (const key of this.#table.sorted(order)) writer.add(key);
    writer.flush();
    this.#table.clear();
  }
}

const BUFFER_BYTES = 1 << 18;
/** Bytes before each key: its length as a little-endian number. */
const LENGTH_BYTES = 4;

/** Writes keys to a file from its start, one after another. */
export class KeyRunWriter {
  readonly #file: number;
  #position = 0;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #length = 0;

  constructor(descriptor: number) {
    this.#file = descriptor;
  }

  add({ bytes, start, end }: Key): void {
    if (this.#length + LENGTH_BYTES + end - start > BUFFER_BYTES) this.flush();
    this.#length = this.#buffer.writeUInt32LE(end - start, this.#length);
    if (end - start > BUFFER_BYTES - LENGTH_BYTES) return this.#writeLarge(bytes.subarray(start, end));
    this.#buffer.set(bytes.subarray(start, end), this.#length);
    this.#length += end - start;
  }

  #writeLarge(key: Uint8Array): void {
    this.flush();
    this.#write(key);
  }

  /** Writes what is buffered; called at the end, too. */
  flush(): void {
    this.#write(this.#buffer.subarray(0, this.#length));
    this.#length = 0;
  }

  #write(bytes: Uint8Array): void {
    writeWhole(this.#file, bytes, this.#position);
    this.#position += bytes.length;
  }
}

/** Reads the keys back; `bytes`, `start` and `end` are the current key, until the next one is asked for. */
export class KeyRunReader implements Key {
  bytes = Buffer.allocUnsafe(BUFFER_BYTES);
  start = 0;
  end = 0;
  readonly #file: number;
  #position = 0;
  /** The end of what has been read. */
  #filled = 0;

  constructor(descriptor: number) {
    this.#file = descriptor;
  }

  /** Returns false at the end of the run. */
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
    const read = readWhole(this.#file, this.bytes.subarray(this.#filled), this.#position);
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
export function* mergedRuns(runs: readonly KeyRunReader[]): Generator<Key> {
  const heap = runs.filter((run) => run.next());
  for (let at = heap.length >> 1; at-- > 0; ) siftDown(heap, at);
  while (heap.length > 0) {
    const least = heap[0]!;
    // a key that another run also has is left to that run
    if (!isSame(least, heap[1]) && !isSame(least, heap[2])) yield least;
    if (!least.next()) replaceFirst(heap);
    siftDown(heap, 0);
  }
}

function replaceFirst(heap: KeyRunReader[]): void {
  const last = heap.pop()!;
  if (heap.length > 0) heap[0] = last;
}

/** Moves `heap[at]` down until no child of a run in the heap has a lesser key than the run. */
function siftDown(heap: KeyRunReader[], at: number): void {
  for (let child = leastChild(heap, at); child !== -1; child = leastChild(heap, at)) {
    [heap[at], heap[child]] = [heap[child]!, heap[at]!];
    at = child;
  }
}

/** Returns the child with the least key if that is less than the parent's, or -1. */
function leastChild(heap: readonly KeyRunReader[], at: number): number {
  let least = at;
  for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++)
    if (compare(heap[child]!, heap[least]!) < 0) least = child;
  return least === at ? -1 : least;
}

function isSame(key: Key, other: Key | undefined): boolean {
  return other !== undefined && compare(key, other) === 0;
}

function compare(left: Key, right: Key): number {
  return compareBytes(left.bytes, left.start, left.end, right.bytes, right.start, right.end);
}
