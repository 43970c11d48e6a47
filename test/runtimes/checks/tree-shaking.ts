import { equal, ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Consumers } from '../consumer.ts';
import { BUNDLERS, bundleWith } from '../pages.ts';
import type { Row } from '../row.ts';

const IMPORTED = {
  urlsum: 'UrlHash',
  'urlsum/slim': 'canonicalize',
  'urlsum/stream': 'hashStream',
  'urlsum/safe-browsing': 'hashes',
  'urlsum/hashed-uri': 'hash',
  'urlsum/hash-uri': 'make',
};
const unused = Object.entries(IMPORTED).map(
  ([name, each], index) => `import { ${each} as unused${index} } from '${name}';`,
);

/** What is imported and not used leaves nothing behind; what is used must, or the bundler saw nothing at all. */
export function treeShaking({ module }: Consumers): Row[] {
  return BUNDLERS.map((bundler) => ({
    name: `unused imports, bundled by ${bundler}`,
    async run() {
      const sizeOf = async (name: string, code: string): Promise<number> => {
        const [entry, outfile] = [join(module, `${name}-in-${bundler}.mjs`), join(module, `${name}-by-${bundler}.js`)];
        writeFileSync(entry, code);
        await bundleWith(bundler, entry, outfile);
        return readFileSync(outfile, 'utf8').trim().length;
      };
      equal(await sizeOf('unused', unused.join('\n')), 0);
      ok(
        (await sizeOf('used', `${unused.join('\n')} console.log(unused0.of('https://h/').toHex());`)) > 10_000,
        'a used import is missing',
      );
      return `${unused.length} entries, 0 bytes`;
    },
  }));
}
