import { spawnSync } from 'node:child_process';

/**
 * What a Go program makes of the same lines, and how fast it looks prefixes up in a map: where there is a toolchain.
 */
export function benchGo(lines: readonly string[], prefixCount: number): void {
  const { stdout, stderr, error, status } = spawnSync('go', ['run', 'main.go', String(prefixCount)], {
    cwd: 'bench/safe-browsing/go',
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
  });
  if (error !== undefined) return console.log('\n!!! there is no Go: its client and its map are not compared\n');
  if (status !== 0) throw new Error(stderr);
  console.log(stdout);
}
