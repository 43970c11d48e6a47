import { deepEqual } from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleByWrangler } from '../bundle.ts';
import type { Consumers } from '../consumer.ts';
import type { Row } from '../row.ts';

/** Workers, and the modules that are deployed with them: wrangler takes each `.wasm` that an import leads to. */
const WORKERS = [
  { imports: "{ UrlHash } from 'urlsum'", use: 'UrlHash.of(url).hex', modules: ['simd'] },
  {
    imports: "{ ExpressionHasher } from 'urlsum/safe-browsing'",
    use: 'new ExpressionHasher().hashMany([url]).length',
    modules: ['expressions', 'simd'],
  },
] as const;

export function deployedModules({ module }: Consumers): Row {
  return {
    name: 'what wrangler deploys of WebAssembly',
    async run() {
      for (const [index, { imports, use, modules }] of WORKERS.entries()) {
        const entry = join(module, `deployed-${index}.mjs`);
        writeFileSync(entry, `import ${imports}; export default { fetch: ({ url }) => new Response(String(${use})) };`);
        const files = readdirSync(await bundleByWrangler(`deployed-${index}`, entry));
        const deployed = files.flatMap((file) => /([a-z]+)\.wasm$/.exec(file)?.[1] ?? []);
        deepEqual(deployed.sort(), [...modules], imports);
      }
      return 'for a UrlHash its kernel alone';
    },
  };
}
