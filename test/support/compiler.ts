import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { ENVIRONMENT } from './environment.ts';

/**
 * Returns what the compiler says of projects, or ''. All of them at once: starting it and reading what they share takes
 * longer than most projects. It runs a short while: one thread that collects no garbage takes a third less of the
 * processor, and 180 MB.
 */
export function compilerErrors(...projects: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [resolve('node_modules/typescript/bin/tsc'), '--build', '--force', '--singleThreaded', ...projects],
    { encoding: 'utf8', env: { ...ENVIRONMENT, GOGC: 'off' } },
  );
  return status === 0 ? '' : `${stdout}${stderr}` || `status ${status}`;
}
