import { equal } from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Consumers } from '../consumer.ts';
import { run } from '../process.ts';
import type { Row } from '../row.ts';
import { DENO } from '../rows/deno-bun.ts';
import { HERE } from '../rows/node.ts';
import { installed, script, versionOf } from '../tool.ts';

/** `console.log` shows the value of a hash: each runtime asks for it in its own way. */
export function shownHashes({ module }: Consumers): Row[] {
  cpSync(script('hosts/shown.mjs'), join(module, 'shown.mjs'));
  const row = (name: string, command: () => string, args: string[] = []): Row => ({
    name: `console.log in ${name}`,
    async run() {
      const printed = await run(command(), [...args, 'shown.mjs'], { cwd: module });
      equal(printed, 'UrlHash(0f115db0…)\n');
      return printed.trim();
    },
  });
  return [
    row(HERE, () => process.execPath),
    row(`Deno ${versionOf('deno')}`, () => installed('deno/deno'), DENO),
    row(`Bun ${versionOf('bun')}`, () => installed('bun/bin/bun')),
  ];
}
