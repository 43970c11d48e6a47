import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of a test file's own, gone when the process ends. */
export const FOLDER = mkdtempSync(join(tmpdir(), 'urlsum-test-'));
process.on('exit', () => rmSync(FOLDER, { recursive: true, force: true }));

/** Writes a file into it and returns its path. */
export function file(name: string, content: string | Uint8Array): string {
  const path = join(FOLDER, name);
  writeFileSync(path, content);
  return path;
}
