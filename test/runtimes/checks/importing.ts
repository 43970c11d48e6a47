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

/** As it is loaded, @bufbuild/protobuf asks for an environment variable, and decodes descriptors of its own. */
const WITH_PROTOBUF = ['urlsum/safe-browsing/lists', 'urlsum/safe-browsing/check'];
const PROTOBUF_NAMES = ['process', 'TextEncoder', 'TextDecoder'];

/** Importing costs nothing and cannot fail: no code of the package looks at its host before a function is called. */
export function importing({ module }: Consumers): Row {
  return {
    name: 'nothing done at import',
    async run() {
      cpSync(script('hosts/importing.mjs'), join(module, 'importing.mjs'));
      const printed = await run(process.execPath, ['importing.mjs', ...ENTRIES], { cwd: module });
      const { imported, used } = JSON.parse(printed) as { imported: Record<string, string[]>; used: string[] };
      for (const [entry, names] of Object.entries(imported)) {
        const isExpected = (name: string) => PROTOBUF_NAMES.includes(name) && WITH_PROTOBUF.includes(entry);
        deepEqual(
          names.filter((name) => !isExpected(name)),
          [],
          entry,
        );
      }
      ok(used.includes('WebAssembly'), 'hashing a URL did not look at WebAssembly: the watch sees nothing');
      return `${ENTRIES.length} entries; a first call looks at ${[...new Set(used)].join(', ')}`;
    },
  };
}
