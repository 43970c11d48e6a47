import { nodeModule } from '../node-module.ts';
import { TemporaryFile, temporaryName } from '../temporary-file.ts';
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
  const { existsSync, realpathSync, renameSync, rmSync } = nodeModule('node:fs');
  let temporary: string | undefined;
  try {
    const target = existsSync(path) ? realpathSync(path) : path;
    const { dirname, join } = nodeModule('node:path');
    temporary = join(dirname(target), temporaryName('tmp'));
    writeSynced(temporary, pages);
    renameSync(temporary, target);
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    if (error instanceof HashIndexError) throw error;
    throw new HashIndexError(path, 'unwritable', `it cannot be written: ${(error as Error).message}`, error);
  }
}

function writeSynced(path: string, pages: Iterable<Uint8Array>): void {
  const { closeSync, fsyncSync, openSync } = nodeModule('node:fs');
  const file = openSync(path, 'wx');
  try {
    for (const piece of pages) writeWhole(file, piece);
    fsyncSync(file);
  } finally {
    closeSync(file);
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

function writeWhole(file: number, bytes: Uint8Array): void {
  const { writeSync } = nodeModule('node:fs');
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
