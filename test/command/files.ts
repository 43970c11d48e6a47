import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { urlsum } from './command.ts';

/** Writes files to a folder of their own and returns it; it goes when the tests end. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'urlsum-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** Runs the built command and reads what it wrote as text. */
export function textOf(args: readonly string[], input: string | Uint8Array = '') {
  const { stdout, stderr, status } = urlsum(args, input);
  return { stdout: stdout.toString(), stderr, status };
}
