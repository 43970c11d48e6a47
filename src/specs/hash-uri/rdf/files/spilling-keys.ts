import { mustBeNumber } from '../../../../core/argument.ts';
import { TemporaryFile } from '../../../../store/temporary-file.ts';
import { type Key, type KeyOrder, type Keys, KeyTable } from '../key-table.ts';
import { KeyRunReader, KeyRunWriter, mergedRuns } from './key-run.ts';

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
