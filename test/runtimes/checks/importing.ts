import { deepEqual, equal, ok } from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRY_NAMES, NODE_ENTRIES } from '../../package/entries.ts';
import type { Consumers } from '../consumer.ts';
import { run } from '../process.ts';
import type { Row } from '../row.ts';
import { installed, script, versionOf } from '../tool.ts';

/** Node's modules look at everything. */
const ENTRIES = ENTRY_NAMES.filter((name) => !NODE_ENTRIES.includes(name));

/** Entries with @bufbuild/protobuf: as it is loaded, it asks for an environment variable, and decodes descriptors. */
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

/** On a Node without what the command's other files need, its first one says so. */
export function olderNode({ module }: Consumers): Row {
  const version = versionOf('node-18');
  return {
    name: `the command on Node ${version}`,
    async run() {
      const command = [installed('node-18/bin/node'), 'node_modules/urlsum/dist/esm/cli.js', 'https://example.com'];
      const printed = await run('sh', ['-c', '"$@" 2>&1; echo "status $?"', 'sh', ...command], { cwd: module });
      equal(printed, `urlsum needs Node 20.19 or newer; this is ${version}\nstatus 2\n`);
      return 'names the Node that it needs';
    },
  };
}
