import { equal, ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ENTRIES, NODE_ENTRIES } from '../../package/entries.ts';
import type { Consumers } from '../consumer.ts';
import { BUNDLERS, bundleWith } from '../pages.ts';
import type { Row } from '../row.ts';

/** Returns a program that imports all that an entry exports, by names that begin with `prefix`. */
async function importOf({ name, esm }: (typeof ENTRIES)[number], prefix: string): Promise<string> {
  const exported = Object.keys((await import(resolve(esm))) as object);
  return `import { ${exported.map((each) => `${each} as ${prefix}${each}`).join(', ')} } from '${name}';`;
}

/**
 * Checks that what is imported and not used leaves nothing behind; what is used must, or the bundler saw nothing at
 * all.
 */
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
      const entries = ENTRIES.filter(({ name }) => !NODE_ENTRIES.includes(name));
      const unused = (await Promise.all(entries.map((entry, index) => importOf(entry, `_${index}_`)))).join('\n');
      equal(await sizeOf('unused', unused), 0);
      ok(
        (await sizeOf('used', `${unused} console.log(_0_UrlHash.of('https://h/').hex);`)) > 10_000,
        'a used import is missing',
      );
      return `${entries.length} entries, 0 bytes`;
    },
  }));
}
