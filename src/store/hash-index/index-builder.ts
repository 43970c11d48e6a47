import type { HashColumn } from '../../core/digest/column.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import { jointOrigin, type KeyOrigin } from '../../core/url/compatible.ts';
import type { HashIndex } from './hash-index.ts';
import { HashTable } from './hash-table.ts';
import { spilledRun } from './index-file.ts';
import { segmentsToMerge } from './manifest.ts';
import { mergedIndex, type SortedHashes } from './merge.ts';
import { eachHash, type HashAt } from './word-order.ts';

interface IndexBuilderOptions {
  readonly width: Width;
  /** Names the canonical form that is hashed. */
  readonly profile: string;
  /** Bytes of memory for hashes; when it is full, a sorted run is written. */
  readonly memoryBytes: number;
  /** The folder that runs are spilled to. */
  readonly folder: string;
}

/**
 * Builds an index of any number of hashes in bounded memory: they are collected in a table, spilled as sorted runs,
 * each an index itself, and merged.
 */
export class IndexBuilder {
  readonly #options: IndexBuilderOptions;
  readonly #table: HashTable;
  #runs: readonly HashIndex[] = [];
  #origin: KeyOrigin;

  constructor(options: IndexBuilderOptions) {
    this.#options = options;
    this.#origin = { profile: options.profile, hasUnicodeHosts: false };
    this.#table = new HashTable(options.width, options.memoryBytes);
  }

  /** The number of runs that are on the disk. */
  get runCount(): number {
    return this.#runs.length;
  }

  /** Where the hashes came from, so far. */
  get origin(): KeyOrigin {
    return this.#origin;
  }

  /** Says where other hashes come from, which are added next: they may meet those before. */
  join({ profile, hasUnicodeHosts }: KeyOrigin): void {
    this.#origin = jointOrigin([this.#origin, { profile, hasUnicodeHosts }]);
  }

  /** Says that some of the hashes, under the profile of the builder, come from hosts beyond ASCII. */
  addUnicodeHosts(): void {
    if (!this.#origin.hasUnicodeHosts) this.join({ profile: this.#options.profile, hasUnicodeHosts: true });
  }

  /** Adds the valid rows of a column of this width. */
  addColumn(column: HashColumn): void {
    eachHash(column, (units, at) => this.add(units, at));
  }

  /** Whether the hash was added before; each spilled run takes a look-up. */
  has(units: Uint32Array, at: number): boolean {
    return this.#table.has(units, at) || this.#runs.some((run) => run.hasAt(units, at));
  }

  /** Adds the hash whose 32-bit units begin at `at`; returns false if it is in memory already. */
  add(units: Uint32Array, at: number): boolean {
    if (this.#table.isFull) this.#spill();
    return this.#table.add(units, at);
  }

  /** Yields the pages of the index, with the hashes of `others` in it; of a segment, `indexId` says of which index. */
  pages(others: readonly (KeyOrigin & SortedHashes)[] = [], indexId?: string): Generator<Uint8Array> {
    const header = { width: this.#options.width, ...jointOrigin([this.#origin, ...others]), indexId };
    return mergedIndex(header, [this.#takeSorted(), ...this.#runs, ...others]);
  }

  close(): void {
    for (const run of this.#runs) run.close();
    this.#runs = [];
  }

  /** Writes a run, with the hashes of smaller runs: so there are few of them, however many hashes are added. */
  #spill(): void {
    const { width, folder } = this.#options;
    const merged = segmentsToMerge(this.#runs, this.#table.size);
    const hashes = [this.#takeSorted(), ...merged];
    const run = spilledRun(folder, mergedIndex({ width, ...this.#origin }, hashes));
    this.#runs = [...this.#runs.filter((each) => !merged.includes(each)), run];
    for (const each of merged) each.close();
  }

  /** Takes the hashes out of the table, in order. */
  #takeSorted(): Generator<HashAt> {
    return hashesIn(this.#table.takeSorted(), this.#options.width / 4);
  }
}

function* hashesIn(units: Uint32Array, unitCount: number): Generator<HashAt> {
  const current = { units, at: 0 };
  for (; current.at < units.length; current.at += unitCount) yield current;
}
