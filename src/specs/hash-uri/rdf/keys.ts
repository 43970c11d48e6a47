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

const RANKS: Readonly<Record<KeyOrder, (byte: number) => number>> = { 'code-points': (byte) => byte, utf16: rankOf };

/** Whether a byte begins one of U+E000 to U+FFFF, whose units are greater than surrogates. */
function isAboveSurrogates(byte: number): boolean {
  return byte === 0xee || byte === 0xef;
}

/** The first bytes of characters beyond U+FFFF, which are surrogates in UTF-16, are this and above. */
const SURROGATES = 0xf0;

/** Ranks the bytes of UTF-8 by the UTF-16 units of its text. */
function rankOf(byte: number): number {
  return isAboveSurrogates(byte) ? byte + 0x10 : byte;
}

/** Whether UTF-8 has characters of both kinds on which the two orders disagree. */
function hasBothKinds(utf8: Uint8Array): boolean {
  return utf8.some((byte) => byte >= SURROGATES) && utf8.some(isAboveSurrogates);
}

/** Up to this many UTF-16 units, a key is encoded in place, with room for three bytes each. */
const IN_PLACE_LENGTH = 1 << 14;

/** The room for keys that have no limit: it grows as needed. */
const FIRST_ROOM_BYTES = 1 << 16;

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

/** Bytes [start, end); a key from an iterator is valid until the next one. */
export interface Key {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/**
 * Sort keys as UTF-8, one after another in one buffer. If their memory has a limit and they exceed it, a sorted run of
 * them is written to a temporary file, and the runs are merged; `close` removes these.
 */
export class Keys {
  readonly #limitBytes: number;
  readonly #bytes: GrowingBytes;
  /** The place where each key in memory begins, and the last one ends. */
  readonly #starts = new GrowingBytes(1 << 12);
  readonly #runs: SpillFile[] = [];
  #spilledCount = 0;

  /**
   * @param memoryBytes the memory that the run may take, in a runtime that has files; without it there is no limit
   * @param roomBytes what keys get at first: all that they may take, unless they are known to be few, as the system
   *   commits no more memory than is written
   */
  constructor(
    memoryBytes?: number,
    roomBytes = memoryBytes === undefined ? FIRST_ROOM_BYTES : memoryBytes * KEY_SHARE,
  ) {
    this.#limitBytes = memoryBytes === undefined ? Number.POSITIVE_INFINITY : memoryBytes * KEY_SHARE;
    this.#bytes = new GrowingBytes(roomBytes);
    this.#starts.uint32(0);
  }

  get count(): number {
    return this.#spilledCount + this.#heldCount;
  }

  /** The number of keys in memory. */
  get #heldCount(): number {
    return this.#starts.length / 4 - 1;
  }

  /** Whether the two orders may disagree: true where there are runs, which are not read to find out. */
  get dependsOnOrder(): boolean {
    return this.#runs.length > 0 || hasBothKinds(this.#bytes.written);
  }

  get runCount(): number {
    return this.#runs.length;
  }

  add(key: string): void {
    if (key.length > IN_PLACE_LENGTH) this.#bytes.bytes(textEncoder().encode(key));
    else this.#bytes.text(key);
    this.#endKey();
    if (this.#bytes.length + this.#heldCount * KEY_OVERHEAD_BYTES >= this.#limitBytes) this.#spill();
  }

  #endKey(): void {
    this.#starts.uint32(this.#bytes.length);
  }

  /** Returns the different keys, in order. */
  sorted(order: KeyOrder = 'code-points'): Iterable<Key> {
    if (this.#runs.length === 0) return this.#sortedInMemory(order);
    if (this.#heldCount > 0) this.#spill();
    if (order === 'utf16') for (const run of this.#runs) this.#sortAgain(run, order);
    return mergedRuns(this.#runs, RANKS[order]);
  }

  close(): void {
    for (const run of this.#runs.splice(0)) run.close();
  }

  *#sortedInMemory(order: KeyOrder): Generator<Key> {
    const { written: bytes } = this.#bytes;
    const { numbers: starts } = this.#starts;
    const rankOf = RANKS[order];
    const compare = (one: number, other: number) =>
      compareBytes(bytes, starts[one]!, starts[one + 1]!, bytes, starts[other]!, starts[other + 1]!, rankOf);
    const keys = new Uint32Array(this.#heldCount).map((_, key) => key).sort(compare);
    const current = { bytes, start: 0, end: 0 };
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at]!;
      if (at > 0 && compare(keys[at - 1]!, key) === 0) continue;
      current.start = starts[key]!;
      current.end = starts[key + 1]!;
      yield current;
    }
  }

  #spill(): void {
    this.#spilledCount += this.#heldCount;
    const run = new SpillFile();
    this.#runs.push(run);
    this.#write(run, 'code-points');
  }

  /** Sorts a run in another order. It fits in memory: it was written from there. */
  #sortAgain(run: SpillFile, order: KeyOrder): void {
    for (const key = new RunKey(run); key.next(); this.#endKey()) this.#bytes.bytes(key.bytes, key.start, key.end);
    run.empty();
    this.#write(run, order);
  }

  /** Moves the keys in memory to a run, each after its length. */
  #write(run: SpillFile, order: KeyOrder): void {
    const buffer = new GrowingBytes(BUFFER_BYTES, BUFFER_BYTES);
    for (const { bytes, start, end } of this.#sortedInMemory(order)) {
      if (buffer.length + LENGTH_BYTES + end - start > BUFFER_BYTES) run.append(buffer.take());
      buffer.uint32(end - start);
      buffer.bytes(bytes, start, end);
    }
    run.append(buffer.take());
    this.#bytes.take();
    this.#starts.take();
    this.#starts.uint32(0);
  }
}

/** The bytes of a run that are read or written at once, unless a key is longer. */
const BUFFER_BYTES = 1 << 18;
/** Bytes before each key: its length as a little-endian number. */
const LENGTH_BYTES = 4;

/** The key that a reader of a run stands at. */
class RunKey implements Key, Cursor {
  bytes = Buffer.allocUnsafe(BUFFER_BYTES);
  start = 0;
  end = 0;
  readonly #run: SpillFile;
  /** The place of the bytes in the run, and how many were read there. */
  #position = 0;
  #byteLength = 0;

  constructor(run: SpillFile) {
    this.#run = run;
  }

  next(): boolean {
    if (!this.#holds(LENGTH_BYTES)) return false;
    const byteLength = this.bytes.readUInt32LE(this.end);
    this.end += LENGTH_BYTES;
    if (!this.#holds(byteLength)) throw new Error('a sorted run ends within a key');
    this.start = this.end;
    this.end += byteLength;
    return true;
  }

  /** Whether `byteLength` bytes come after `end`. Reads on from there if they are not in memory. */
  #holds(byteLength: number): boolean {
    if (this.#byteLength - this.end >= byteLength) return true;
    if (byteLength > this.bytes.length) this.bytes = Buffer.allocUnsafe(byteLength);
    this.#position += this.end;
    this.end = 0;
    this.#byteLength = this.#run.read(this.bytes, this.#position);
    return this.#byteLength >= byteLength;
  }
}

/** Yields each different key of sorted runs, in order. */
function* mergedRuns(runs: readonly SpillFile[], rankOf: (byte: number) => number): Generator<Key> {
  const union = new Merge(
    runs.map((run) => new RunKey(run)),
    (one, other) => compareBytes(one.bytes, one.start, one.end, other.bytes, other.start, other.end, rankOf),
  );
  for (; union.current !== undefined; union.advance()) yield union.current;
}
