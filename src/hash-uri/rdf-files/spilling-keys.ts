import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyOrder } from '../rdf/key-order.ts';
import { type KeySink, KeyTable } from '../rdf/key-table.ts';
import type { Keys } from '../rdf/verify.ts';
import { mergeRuns } from './key-merge.ts';
import { KeyRunReader, KeyRunWriter } from './key-run.ts';

/**
 * Sort keys in bounded memory: where they are more than that, a sorted run of them is written to a folder of its own
 * in that for temporary files, and the runs are merged. `close` removes it.
 */
export class SpillingKeys implements Keys {
  readonly #memoryBytes: number;
  readonly #table: KeyTable;
  #folder: string | undefined;
  #runCount = 0;
  #spilledCount = 0;

  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
    this.#table = new KeyTable(memoryBytes);
  }

  get count(): number {
    return this.#spilledCount + this.#table.count;
  }

  /** Runs are not read through for this alone: they may. */
  get dependsOnOrder(): boolean {
    return this.#runCount > 0 || this.#table.dependsOnOrder;
  }

  get runCount(): number {
    return this.#runCount;
  }

  add(key: string): void {
    this.#table.add(key);
    if (this.#table.byteLength >= this.#memoryBytes) this.#spill();
  }

  drain(sink: KeySink, order: KeyOrder = 'code-points'): void {
    if (this.#runCount === 0) return this.#table.drain(sink, order);
    if (this.#table.count > 0) this.#spill();
    if (order === 'utf16') for (let run = 0; run < this.#runCount; run++) this.#sortAgain(run);
    const runs = Array.from({ length: this.#runCount }, (_, run) => new KeyRunReader(this.#pathOf(run)));
    try {
      mergeRuns(runs, sink);
    } finally {
      for (const run of runs) run.close();
    }
  }

  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #spill(): void {
    this.#spilledCount += this.#table.count;
    this.#write(this.#runCount++, 'code-points');
  }

  /** A run is no more than what was in memory once. */
  #sortAgain(run: number): void {
    const reader = new KeyRunReader(this.#pathOf(run));
    while (reader.next()) this.#table.addBytes(reader.bytes.subarray(reader.start, reader.end));
    reader.close();
    rmSync(this.#pathOf(run));
    this.#write(run, 'utf16');
  }

  #write(run: number, order: KeyOrder): void {
    const writer = new KeyRunWriter(this.#pathOf(run));
    try {
      this.#table.drain((bytes, start, end) => writer.add(bytes, start, end), order);
    } finally {
      writer.close();
    }
    this.#table.clear();
  }

  #pathOf(run: number): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'urlsum-keys-'));
    return join(this.#folder, `run${run}`);
  }
}
