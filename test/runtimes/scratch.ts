import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = mkdtempSync(join(tmpdir(), 'urlsum-runtimes-'));
process.on('exit', () => rmSync(FOLDER, { recursive: true, force: true, maxRetries: 5 }));

/** A folder of the run, by its name; gone when the run ends. */
export function scratch(name: string): string {
  const path = join(FOLDER, name);
  mkdirSync(path, { recursive: true });
  return path;
}
