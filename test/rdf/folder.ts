import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of this run's own, gone when the process ends. */
export const FOLDER = mkdtempSync(join(tmpdir(), 'urlsum-rdf-'));
process.on('exit', () => rmSync(FOLDER, { recursive: true, force: true }));

/** Returns what a command writes, which must succeed. */
export function outputOf(
  command: string,
  args: readonly string[],
  options: { input?: string; cwd?: string } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw error ?? new Error(`${command}: ${stderr}`);
  return stdout;
}
