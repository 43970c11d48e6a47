import { equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UrlHasher } from '../../../src/index.ts';
import type { Consumers } from '../consumer.ts';
import { run } from '../process.ts';
import type { Row } from '../row.ts';
import { DENO } from '../rows/deno-bun.ts';
import { HERE, LINES } from '../rows/node.ts';
import { installed, script, versionOf } from '../tool.ts';

const FILE = resolve('bench/sample/urls.txt');

/** The threads of `urlsum/pool` find their own script, wherever the package lies and however it was loaded. */
export function pools(consumers: Consumers): Row[] {
  const row = (name: string, command: () => string, args: string[] = []): Row => ({
    name: `urlsum/pool in ${name}`,
    run: async () => pooled(consumers, command(), args),
  });
  return [
    row(HERE, () => process.execPath),
    ...LINES.map((line) => row(`Node ${versionOf(`node-${line}`)}`, () => installed(`node-${line}/bin/node`))),
    row(`Deno ${versionOf('deno')}, allowed to read`, () => installed('deno/deno'), [...DENO, '--allow-read']),
    row(`Bun ${versionOf('bun')}`, () => installed('bun/bin/bun')),
  ];
}

async function pooled({ module, commonjs }: Consumers, command: string, args: string[]): Promise<string> {
  const expected = createHash('sha256')
    .update(new UrlHasher().hashLines(readFileSync(FILE)).bytes)
    .digest('hex');
  for (const [name, cwd] of [
    ['pool.mjs', module],
    ['pool.cjs', commonjs],
  ] as const) {
    cpSync(script(`hosts/${name}`), join(cwd, name));
    equal((await run(command, [...args, name, FILE], { cwd })).trim(), expected, name);
  }
  return 'ESM and CommonJS, 2 threads';
}
