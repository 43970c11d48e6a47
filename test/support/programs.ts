import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { reportAbsent } from './absent.ts';
import { ENVIRONMENT } from './environment.ts';

/** Where CI installs what the tests use of other languages. */
export const ENGINES =
  process.env['URLSUM_ENGINES'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'urlsum-engines');

/** Returns what a program writes, which must succeed. */
export function outputOf(
  program: string,
  args: readonly string[],
  options: { input?: string; cwd?: string } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw error ?? new Error(`${program}: ${stderr}`);
  return stdout;
}

/** Whether a program is there; if not, the end of the run says so. */
export function hasProgram(name: string): boolean {
  const isThere = spawnSync('sh', ['-c', `command -v ${name}`], { env: ENVIRONMENT }).status === 0;
  if (!isThere) reportAbsent(name);
  return isThere;
}
