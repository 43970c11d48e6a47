import { statSync } from 'node:fs';
import type { Width } from '../../core/kernel/kernel.ts';
import { GrowingIndex, GrowingIndexError } from '../../store/hash-index/growing-index.ts';
import { fileFault, reasonOf, tried } from '../fault.ts';
import { targetOf, writeWholeFile } from '../write/output.ts';
import { expectedFalseMatches } from './chances.ts';
import { type Lookup, openIndex } from './indexes.ts';
import { keepNew, type Selection } from './results.ts';

export interface UnseenOptions extends Lookup {
  /** Bytes per hash in an index that is created. */
  readonly newWidth: Width;
  /** Memory for the new hashes; those that do not fit are spilled to a file next to the index. */
  readonly memoryBytes: number;
}

/**
 * Selects the rows whose hash is new to an index, which gains it, and rows without a hash: `--unseen`.
 *
 * @throws {HashIndexError | Fault}, as its `commit` does where the index stays as it was
 */
export function unseenIn(path: string, options: UnseenOptions): Selection {
  const { newWidth: width, profile, memoryBytes } = options;
  const target = replaceable(path);
  const open = () => openIndex(path, options);
  let index: GrowingIndex;
  try {
    index = new GrowingIndex(path, target, { width, profile, memoryBytes, open, writeFile: writeWholeFile });
  } catch (error) {
    throw explained(error);
  }
  return {
    keep(results, kept) {
      if (results.counts['unicodeHosts'] !== undefined) index.addUnicodeHosts();
      keepNew(results, kept, index);
    },
    expectedFalseMatches: (validCount) => (index.known ? expectedFalseMatches(index.known, validCount) : 0),
    commit: () =>
      index.commit().catch((error) => {
        throw explained(error);
      }),
  };
}

/** Names the file, and says what a user can do about errors of the system. */
function explained(error: unknown): unknown {
  if (!(error instanceof GrowingIndexError)) return error;
  return fileFault(error.path, error.cause === undefined ? error.message : reasonOf(error.cause, true));
}

/** Returns the path that is written to. @throws {Fault} where there is something else than a plain file */
function replaceable(path: string): string {
  const target = tried(path, () => targetOf(path), true);
  const isPlain = 'path' in target && statSync(target.path, { throwIfNoEntry: false })?.isFile() !== false;
  if (isPlain && !path.endsWith('/')) return target.path;
  throw fileFault(path, 'it is not a plain file, so it cannot be replaced');
}
