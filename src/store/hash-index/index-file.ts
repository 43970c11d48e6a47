import { nodeModule } from '../node-module.ts';
import { ReplacementFile } from '../replace-file.ts';
import { TemporaryFile } from '../temporary-file.ts';
import { writeWhole } from '../whole.ts';
import { HashIndexError } from './error.ts';
import { HashIndex } from './hash-index.ts';
import { pagesOfDescriptor } from './pages.ts';

/**
 * Writes an index to a temporary file in the same folder, and renames it when it is whole and on the disk. A link
 * stays, and its target is replaced.
 *
 * @throws {HashIndexError} 'unwritable', or why its pages could not be made; then there is no file, or the one before
 */
export function writeIndexFile(path: string, pages: Iterable<Uint8Array>): void {
  const { existsSync, realpathSync } = nodeModule('node:fs');
  let file: ReplacementFile | undefined;
  try {
    file = new ReplacementFile(existsSync(path) ? realpathSync(path) : path);
    for (const piece of pages) writeWhole(file.descriptor, piece);
    file.commitSync();
  } catch (error) {
    if (error instanceof HashIndexError) throw error;
    throw new HashIndexError(path, 'unwritable', `it cannot be written: ${(error as Error).message}`, error);
  } finally {
    file?.discard();
  }
}

/**
 * Writes a sorted run to a temporary file in a folder.
 *
 * @throws {HashIndexError} where the disk has no room for hashes that do not fit in memory, or cannot be written to
 */
export function spilledRun(folder: string, pages: Iterable<Uint8Array>): HashIndex {
  try {
    const file = new TemporaryFile(folder);
    for (const piece of pages) writeWhole(file.descriptor, piece);
    return HashIndex.ofPages(
      pagesOfDescriptor(`a run in ${folder}`, file.descriptor, () => file.close()),
      0,
    );
  } catch (error) {
    const message = `hashes cannot be spilled there: ${(error as Error).message}`;
    throw new HashIndexError(folder, 'unwritable', message, error);
  }
}
