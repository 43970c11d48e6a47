import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** Runs the built command as a user does. */
export function urlsum(args: readonly string[], input: string | Uint8Array = ''): Outcome {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['dist/esm/cli.js', ...args], { input, maxBuffer: 1 << 28 });
  return { stdout: String(stdout), stderr: String(stderr), status };
}

/** Writes files to a folder of their own and returns it; it goes when the tests end. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'urlsum-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}
