import { equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UrlHasher } from '../../../src/index.ts';
import { scratchFolder } from '../../support/scratch.ts';
import type { Consumers } from '../consumer.ts';
import { bundleWith } from '../pages.ts';
import { run } from '../process.ts';
import type { Row } from '../row.ts';
import { DENO } from '../rows/deno-bun.ts';
import { HERE, LINES } from '../rows/node.ts';
import { installed, script, versionOf } from '../tool.ts';

/** A command that runs a script, and its arguments before the script. */
type Runner = readonly [command: string, ...args: string[]];

/** A row for each runtime that runs scripts; under Deno with these permissions. */
function inEach(what: string, permissions: readonly string[], check: (runner: Runner) => Promise<string>): Row[] {
  const row = (name: string, runner: () => Runner): Row => ({
    name: `${what} in ${name}`,
    run: async () => check(runner()),
  });
  return [
    row(HERE, () => [process.execPath]),
    ...LINES.map((line) => row(`Node ${versionOf(`node-${line}`)}`, () => [installed(`node-${line}/bin/node`)])),
    row(`Deno ${versionOf('deno')}`, () => [installed('deno/deno'), ...DENO, ...permissions]),
    row(`Bun ${versionOf('bun')}`, () => [installed('bun/bin/bun')]),
  ];
}

function printedBy([command, ...args]: Runner, words: readonly string[], cwd: string): Promise<string> {
  return run(command, [...args, ...words], { cwd });
}

/** Rows of the scripts of hosts/. They are copied once: rows run beside one another. */
export function scripts(consumers: Consumers): Row[] {
  const { module, commonjs } = consumers;
  for (const name of ['shown.mjs', 'tables.mjs', 'pool.mjs']) cpSync(script(`hosts/${name}`), join(module, name));
  cpSync(script('hosts/pool.cjs'), join(commonjs, 'pool.cjs'));
  mkdirSync(join(module, 'node_modules/@duckdb'));
  symlinkSync(resolve('node_modules/@duckdb/node-api'), join(module, 'node_modules/@duckdb/node-api'));
  return [
    ...inEach('urlsum/pool', ['--allow-read'], (runner) => pooled(consumers, runner)),
    ...(['esbuild', 'webpack'] as const).map((bundler) => ({
      name: `urlsum/pool, bundled by ${bundler}`,
      run: () => bundledPool(consumers, bundler),
    })),
    ...inEach('urlsum/duckdb', DUCKDB_PERMISSIONS, (runner) => tables(module, runner)),
    ...inEach('console.log', [], (runner) => shownHash(module, runner)),
  ];
}

const SAMPLE = resolve('bench/sample/urls.txt');

/** Reads the sample with two threads; fails unless the digests are those of `hashLines`. */
async function hashSample(runner: Runner, name: string, cwd: string): Promise<void> {
  const expected = createHash('sha256').update(new UrlHasher().hashLines(readFileSync(SAMPLE)).bytes);
  equal((await printedBy(runner, [name, SAMPLE], cwd)).trim(), expected.digest('hex'), name);
}

/** The threads of `urlsum/pool` start wherever the package lies, however it was loaded, and in a bundle as well. */
async function pooled({ module, commonjs }: Consumers, runner: Runner): Promise<string> {
  await hashSample(runner, 'pool.mjs', module);
  await hashSample(runner, 'pool.cjs', commonjs);
  return 'ESM and CommonJS, 2 threads';
}

/** From each module format into CommonJS, and from ESM into ESM, in a folder that has nothing else. */
async function bundledPool({ module, commonjs }: Consumers, bundler: 'esbuild' | 'webpack'): Promise<string> {
  for (const [folder, entry, outfile] of [
    [module, 'pool.mjs', 'bundle.cjs'],
    [module, 'pool.mjs', 'bundle.mjs'],
    [commonjs, 'pool.cjs', 'bundle.cjs'],
  ] as const) {
    const cwd = scratchFolder(`pool-${bundler}-${basename(folder)}-${outfile}`);
    await bundleWith(`${bundler}-for-node`, join(folder, entry), join(cwd, outfile));
    await hashSample([process.execPath], outfile, cwd);
  }
  return 'ESM to CommonJS, ESM to ESM, CommonJS to CommonJS';
}

/** The permissions that DuckDB's package asks for under Deno. */
const DUCKDB_PERMISSIONS = ['--allow-read', '--allow-ffi', '--allow-env', '--allow-sys'];

/** The functions for DuckDB, whose package lies beside urlsum. */
async function tables(cwd: string, runner: Runner): Promise<string> {
  const rows = JSON.parse(await printedBy(runner, ['tables.mjs'], cwd));
  equal(
    JSON.stringify(rows),
    JSON.stringify([
      ['HTTPS://Example.com', '0F115DB062B7C0DD', 'https://example.com/', 'example.com'],
      ['x', null, null, null],
    ]),
  );
  return 'a query with three functions';
}

/** `console.log` shows the value of a hash: each runtime asks for it in its own way. */
async function shownHash(cwd: string, runner: Runner): Promise<string> {
  const printed = await printedBy(runner, ['shown.mjs'], cwd);
  equal(printed, 'UrlHash(0f115db0…)\n');
  return printed.trim();
}
