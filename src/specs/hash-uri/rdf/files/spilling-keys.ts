import { mustBeNumber } from '../../../../core/argument.ts';
import { compareBytes } from '../../../../core/bytes/order.ts';
import { type Cursor, Merge } from '../../../../store/merge.ts';
import { SpillFile } from '../../../../store/spill.ts';
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
