import { equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UrlHasher } from '../../../src/index.ts';
import type { Consumers } from '../consumer.ts';
import { run } from '../process.ts';
import type { Row } from '../row.ts';
import { DENO } from '../rows/deno-bun.ts';
import { HERE, LINES } from '../rows/node.ts';
import { scratch } from '../scratch.ts';
import { installed, script, versionOf } from '../tool.ts';

const FILE = resolve('bench/sample/urls.txt');

/** The threads of `urlsum/pool` start wherever the package lies, however it was loaded, and in a bundle as well. */
export function pools(consumers: Consumers): Row[] {
  const row = (name: string, command: () => string, args: string[] = []): Row => ({
    name: `urlsum/pool in ${name}`,
    run: async () => pooled(consumers, command(), args),
  });
  for (const folder of Object.values(consumers)) // once: rows run beside one another
    for (const name of ['pool.mjs', 'pool.cjs']) cpSync(script(`hosts/${name}`), join(folder, name));
  return [
    row(HERE, () => process.execPath),
    ...LINES.map((line) => row(`Node ${versionOf(`node-${line}`)}`, () => installed(`node-${line}/bin/node`))),
    row(`Deno ${versionOf('deno')}, allowed to read`, () => installed('deno/deno'), [...DENO, '--allow-read']),
    row(`Bun ${versionOf('bun')}`, () => installed('bun/bin/bun')),
    ...(['esbuild', 'webpack'] as const).map((bundler) => ({
      name: `urlsum/pool, bundled by ${bundler}`,
      run: () => bundledPool(consumers, bundler),
    })),
  ];
}

/** Reads the sample with two threads; fails unless the digests are those of `hashLines`. */
async function hashSample(command: string, args: string[], cwd: string): Promise<void> {
  const expected = createHash('sha256').update(new UrlHasher().hashLines(readFileSync(FILE)).bytes);
  equal((await run(command, [...args, FILE], { cwd })).trim(), expected.digest('hex'), args.at(-1));
}

async function pooled({ module, commonjs }: Consumers, command: string, args: string[]): Promise<string> {
  for (const [name, cwd] of [
    ['pool.mjs', module],
    ['pool.cjs', commonjs],
  ] as const)
    await hashSample(command, [...args, name], cwd);
  return 'ESM and CommonJS, 2 threads';
}

/** From each module format into CommonJS, and from ESM into ESM, in a folder that has nothing else. */
async function bundledPool({ module, commonjs }: Consumers, bundler: string): Promise<string> {
  for (const [folder, entry, outfile] of [
    [module, 'pool.mjs', 'bundle.cjs'],
    [module, 'pool.mjs', 'bundle.mjs'],
    [commonjs, 'pool.cjs', 'bundle.cjs'],
  ] as const) {
    const cwd = scratch(`pool-${bundler}-${basename(folder)}-${outfile}`);
    await run(process.execPath, [script('bundlers/for-node.mjs'), bundler, join(folder, entry), join(cwd, outfile)]);
    await hashSample(process.execPath, [outfile], cwd);
  }
  return 'ESM to CommonJS, ESM to ESM, CommonJS to CommonJS';
}
