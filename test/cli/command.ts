import { spawnSync } from 'node:child_process';

export interface Result {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs the built command to its end. */
export function urlsum(
  args: readonly string[],
  input: string | Uint8Array = '',
  env: Record<string, string> = {},
): Result {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/esm/cli.js', ...args], {
    input,
    env: { ...process.env, ...env },
    maxBuffer: 1 << 30,
  });
  return { status, stdout, stderr: stderr.toString() };
}
