import { deepEqual, ok } from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRY_NAMES, NODE_ENTRIES } from '../../package/entries.ts';
import type { Consumers } from '../consumer.ts';
import { run } from '../process.ts';
import type { Row } from '../row.ts';
import { script } from '../tool.ts';

/** Node's modules look at everything. */
const ENTRIES = ENTRY_NAMES.filter((name) => !NODE_ENTRIES.includes(name));

/** Importing costs nothing and cannot fail: no entry looks at its host before a function is called. */
export function importing({ module }: Consumers): Row {
  return {
    name: 'nothing done at import',
    async run() {
      cpSync(script('hosts/importing.mjs'), join(module, 'importing.mjs'));
      const printed = await run(process.execPath, ['importing.mjs', ...ENTRIES], { cwd: module });
      const { imported, used } = JSON.parse(printed) as Record<'imported' | 'used', string[]>;
      deepEqual(imported, []);
      ok(used.includes('WebAssembly'), 'hashing a URL did not look at WebAssembly: the watch sees nothing');
      return `${ENTRIES.length} entries; a first call looks at ${[...new Set(used)].join(', ')}`;
    },
  };
}
