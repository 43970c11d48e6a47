import { nodeModule } from '../node-module.ts';
import { HashIndexError } from './error.ts';
import { HashIndex } from './hash-index.ts';
import { pagesOfDescriptor } from './pages.ts';

/**
 * Writes a sorted run to a file in a folder. It loses its name as soon as it is open, so that nothing is left behind,
 * however the process ends; only a SIGKILL in the 12 µs between leaves an empty file.
 *
 * @throws {HashIndexError} where the disk has no room for hashes that find none in memory, or cannot be written to
 */
export function spilledRun(folder: string, pages: Iterable<Uint8Array>): HashIndex {
  try {
    const file = openUnnamed(folder);
    for (const piece of pages) writeWhole(file, piece);
    return HashIndex.ofPages(pagesOfDescriptor(`a run in ${folder}`, file), 0);
  } catch (error) {
    const message = `hashes cannot be spilled there: ${(error as Error).message}`;
    throw new HashIndexError(folder, 'unwritable', message, error);
  }
}

function openUnnamed(folder: string): number {
  const { openSync, unlinkSync } = nodeModule('node:fs');
  const name = temporaryName(folder, 'run');
  const file = openSync(name, 'wx+');
  unlinkSync(name);
  return file;
}

export function temporaryName(folder: string, ending: string): string {
  const random = nodeModule('node:crypto').randomBytes(6).toString('hex');
  return nodeModule('node:path').join(folder, `.urlsum-${random}.${ending}`);
}

export function writeWhole(file: number, bytes: Uint8Array): void {
  const { writeSync } = nodeModule('node:fs');
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
