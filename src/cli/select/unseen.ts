import { type BigIntStats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type HashIndex, IndexBuilder } from '../../hash-index/index.ts';
import type { Width } from '../../kernel/index.ts';
import { FileError, tried } from '../input/system-error.ts';
import { targetOf, writeWholeFile } from '../output/open-output.ts';
import { EMPTY, type KeptRows, type ResultBatch, unitsOf } from '../stage/stage.ts';
import { expectedFalseMatches } from './collisions.ts';
import { IndexLock } from './index-lock.ts';
import { openIndex } from './known-hashes.ts';
import type { Selection } from './selection.ts';

export interface UnseenOptions {
  /** Bytes per hash in this run. */
  readonly width: Width;
  /** Bytes per hash in an index that is created. */
  readonly newWidth: Width;
  readonly profile: string;
  /** Says that the index has hashes of another version of Unicode. */
  readonly tell?: ((message: string) => void) | undefined;
  /** Memory for the new hashes; those that do not fit are spilled to a file next to the index. */
  readonly memoryBytes: number;
}

/**
 * Selects the rows whose hash is neither in an index nor earlier in the input, and rows without a hash: `--unseen`.
 * Once all output is complete, the index is replaced by one with their hashes, too; an earlier end leaves it as it was.
 */
export class Unseen implements Selection {
  readonly #path: string;
  readonly #target: string;
  readonly #lock: IndexLock;
  /** The state of the index when it was opened; undefined if there was none. */
  readonly #stats: BigIntStats | undefined;
  readonly #seen: HashIndex | undefined;
  readonly #found: IndexBuilder;

  /** @throws {HashIndexError | FileError} */
  constructor(path: string, { width, newWidth, profile, memoryBytes, tell }: UnseenOptions) {
    this.#path = path;
    this.#target = replaceable(path);
    this.#lock = new IndexLock(this.#target);
    this.#stats = statsOf(this.#target);
    this.#seen = this.#stats === undefined ? undefined : openIndex(path, { width, profile, tell });
    this.#found = new IndexBuilder({
      width: this.#seen?.width ?? newWidth,
      profile,
      memoryBytes,
      folder: dirname(this.#target),
    });
  }

  keep(results: ResultBatch, kept: KeptRows): void {
    const units = unitsOf(results);
    if (results.counts['unicodeHosts'] !== undefined) this.#found.addUnicodeHosts();
    let count = 0;
    for (let index = 0; index < kept.count; index++) {
      const row = kept.rows[index]!;
      if (kept.fields[row] === EMPTY || this.#isNew(units, (row * results.width) / 4)) kept.rows[count++] = row;
    }
    kept.count = count;
  }

  #isNew(units: Uint32Array, at: number): boolean {
    if (this.#found.has(units, at) || this.#seen?.hasAt(units, at) === true) return false;
    return this.#found.add(units, at);
  }

  expectedFalseMatches(validCount: number): number {
    return this.#seen === undefined ? 0 : expectedFalseMatches(this.#seen, validCount);
  }

  /** @throws {OutputError | HashIndexError | FileError} where the index stays as it was */
  async commit(): Promise<void> {
    await writeWholeFile(this.#target, this.#pages());
    this.#found.close();
    this.#seen?.close();
  }

  /** Yields the new index. What follows its last page is the rename, so that is when nobody may have changed the old. */
  *#pages(): Generator<Uint8Array> {
    yield* this.#found.pages(this.#seen === undefined ? [] : [this.#seen]);
    this.#lock.mustBeHeld();
    if (!isSameFile(this.#stats, statsOf(this.#target)))
      throw new FileError(this.#path, 'another program replaced it during this run; it was not changed');
  }
}

/** Returns the target of a path. @throws {FileError} where that is neither a plain file nor new */
function replaceable(path: string): string {
  const target = tried(path, () => targetOf(path), true);
  if ('path' in target && !path.endsWith('/') && statsOf(target.path)?.isFile() !== false) return target.path;
  throw new FileError(path, 'it is not a plain file, so it cannot be replaced');
}

function statsOf(path: string): BigIntStats | undefined {
  return statSync(path, { throwIfNoEntry: false, bigint: true });
}

function isSameFile(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return (
    one?.ino === other?.ino && one?.dev === other?.dev && one?.size === other?.size && one?.mtimeNs === other?.mtimeNs
  );
}
