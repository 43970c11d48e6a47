import { nodeModule } from '../node-module.ts';
import { HashIndexError } from './error.ts';
import { temporaryName, writeWhole } from './spilled-run.ts';

/**
 * Writes an index: beside its name first, and under it when it is whole and on the disk. A link stays, and what it leads
 * to is replaced.
 *
 * @throws {HashIndexError} 'unwritable', or why its pages could not be made; there is no file then, or the one before
 */
export function writeIndexFile(path: string, pages: Iterable<Uint8Array>): void {
  const { existsSync, realpathSync, renameSync, rmSync } = nodeModule('node:fs');
  let temporary: string | undefined;
  try {
    const target = existsSync(path) ? realpathSync(path) : path;
    temporary = temporaryName(nodeModule('node:path').dirname(target), 'tmp');
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
