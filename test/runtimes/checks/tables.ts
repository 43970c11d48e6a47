import { equal } from 'node:assert/strict';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Consumers } from '../consumer.ts';
import { run } from '../process.ts';
import type { Row } from '../row.ts';
import { DENO } from '../rows/deno-bun.ts';
import { HERE, LINES } from '../rows/node.ts';
import { installed, script, versionOf } from '../tool.ts';

/** The permissions that DuckDB's package asks for under Deno. */
const ALLOWED = ['--allow-read', '--allow-ffi', '--allow-env', '--allow-sys'];

/** The functions for DuckDB, whose package lies beside urlsum. */
export function tables({ module }: Consumers): Row[] {
  cpSync(script('hosts/tables.mjs'), join(module, 'tables.mjs')); // once: rows run beside one another
  mkdirSync(join(module, 'node_modules/@duckdb'));
  symlinkSync(resolve('node_modules/@duckdb/node-api'), join(module, 'node_modules/@duckdb/node-api'));
  const row = (name: string, command: () => string, args: string[] = []): Row => ({
    name: `urlsum/duckdb in ${name}`,
    run: async () => answered(module, command(), args),
  });
  return [
    row(HERE, () => process.execPath),
    ...LINES.map((line) => row(`Node ${versionOf(`node-${line}`)}`, () => installed(`node-${line}/bin/node`))),
    row(`Deno ${versionOf('deno')}`, () => installed('deno/deno'), [...DENO, ...ALLOWED]),
    row(`Bun ${versionOf('bun')}`, () => installed('bun/bin/bun')),
  ];
}

async function answered(cwd: string, command: string, args: string[]): Promise<string> {
  const rows = JSON.parse(await run(command, [...args, 'tables.mjs'], { cwd }));
  equal(
    JSON.stringify(rows),
    JSON.stringify([
      ['HTTPS://Example.com', '0F115DB062B7C0DD', 'https://example.com/', 'example.com'],
      ['x', null, null, null],
    ]),
  );
  return 'a query with three functions';
}
