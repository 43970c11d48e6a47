import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of a test file's own, gone when the process ends. */
export const FOLDER = mkdtempSync(join(tmpdir(), 'urlsum-test-'));
process.on('exit', () => rmSync(FOLDER, { recursive: true, force: true, maxRetries: 5 }));

/** Writes a file into it and returns its path. */
export function file(name: string, content: string | Uint8Array): string {
  const path = join(FOLDER, name);
  writeFileSync(path, content);
  return path;
}

/** Makes a folder in it, by its name. */
export function scratchFolder(name: string): string {
  const path = join(FOLDER, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Writes files into a folder of their own in it, and returns that. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(FOLDER, 'folder-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}
