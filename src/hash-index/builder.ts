import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import type { HashColumn } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { HashIndex } from './hash-index.ts';
import { HashTable } from './hash-table.ts';
import type { HashIndexHeader } from './header.ts';
import { IndexWriter } from './index-writer.ts';
import { mergeInto, type SortedHashes } from './merge.ts';

export interface IndexBuilderOptions {
  readonly width: Width;
  /** Of the canonical form that is hashed. */
  readonly profile: string;
  /** Bytes of memory for hashes; when they are full, a sorted run is written beside `path`. */
  readonly memoryBytes: number;
  /** Where the index goes; runs are `path` with `.run1`, `.run2` … after it. */
  readonly path: string;
}

/**
 * Builds an index of any number of hashes in bounded memory: they are gathered in a table, spilled as sorted runs, each
 * an index itself, and merged.
 */
export class IndexBuilder {
  readonly #options: IndexBuilderOptions;
  readonly #table: HashTable;
  readonly #runs: HashIndex[] = [];
  readonly #runPaths: string[] = [];

  constructor(options: IndexBuilderOptions) {
    this.#options = options;
    this.#table = new HashTable(options.width, options.memoryBytes);
  }

  /** Files that were spilled; `close` removes them. */
  get runPaths(): readonly string[] {
    return this.#runPaths;
  }

  /** Adds the valid rows of a column of this width. */
  addColumn(column: HashColumn): void {
    const units = new Uint32Array(column.bytes.buffer, column.bytes.byteOffset, column.bytes.length / 4);
    let nextInvalid = 0;
    for (let row = 0; row < column.length; row++) {
      if (column.invalid[nextInvalid] === row) nextInvalid++;
      else this.add(units, (row * column.width) / 4);
    }
  }

  /** Was the hash added before? Where runs were spilled, each takes a look-up. */
  has(units: Uint32Array, at: number): boolean {
    return this.#table.has(units, at) || this.#runs.some((run) => run.hasAt(units, at));
  }

  /** Adds the hash whose 32-bit units begin at `at`; false where it is in memory already. */
  add(units: Uint32Array, at: number): boolean {
    if (this.#table.isFull) this.#spill();
    return this.#table.add(units, at);
  }

  /** Writes the index, with the hashes of others in it, to its path, and to the disk. */
  build(others: readonly SortedHashes[] = []): HashIndexHeader {
    const { width, path } = this.#options;
    const sorted = hashesIn(this.#table.takeSorted(), width / 4);
    return this.#write(path, [sorted, ...this.#runs, ...others]);
  }

  /** Closes and removes the runs. */
  close(): void {
    for (const run of this.#runs.splice(0)) run.close();
    for (const path of this.#runPaths.splice(0)) rmSync(path, { force: true });
  }

  #spill(): void {
    const path = `${this.#options.path}.run${this.#runPaths.length + 1}`;
    this.#runPaths.push(path);
    this.#write(path, [hashesIn(this.#table.takeSorted(), this.#options.width / 4)]);
    this.#runs.push(HashIndex.open(path, { keptBytes: 0 }));
  }

  #write(path: string, sources: readonly SortedHashes[]): HashIndexHeader {
    const { width, profile } = this.#options;
    const file = openSync(path, 'w');
    try {
      ftruncateSync(file);
      const writer = new IndexWriter(width, profile, (bytes, position) => writeWhole(file, bytes, position));
      const header = mergeInto(writer, sources, width / 4);
      fsyncSync(file);
      return header;
    } finally {
      closeSync(file);
    }
  }
}

function* hashesIn(units: Uint32Array, unitCount: number): Generator<{ readonly units: Uint32Array; at: number }> {
  const current = { units, at: 0 };
  for (; current.at < units.length; current.at += unitCount) yield current;
}

function writeWhole(file: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written, bytes.length - written, position + written);
  }
}
