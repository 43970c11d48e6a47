import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import { dataOfPackage, tableSource, tableText } from '../../../tools/tables/unicode.mjs';
import { VERSIONS } from '../../../tools/tables/unicode-versions.mjs';

// Versions that do not exist, made as CONTRIBUTING.md says how one is added: 19 refuses nothing that 18 allows and maps
// one new character, 20 changes a mapping, as 15.1 did.

/** A code point that no version has assigned: mapped to `q` from 19 on. */
export const NEW_IN_19 = '\u0378';
/** LATIN CAPITAL LETTER SHARP S, mapped to `ß` in 18 and 19, and to `ss` in 20. */
export const CHANGED_IN_20 = '\u1e9e';

/** Returns the table of 17, 18 and the two. */
function madeUpTable(): Promise<string> {
  const versions = VERSIONS.map((each) => ({ ...each, ...dataOfPackage(each.tr46) }));
  const newest = versions.at(-1)!;
  const [kinds19, mappings19] = [[...newest.kinds], new Map(newest.mappings)];
  kinds19[NEW_IN_19.codePointAt(0)!] = 'mapped';
  mappings19.set(NEW_IN_19.codePointAt(0)!, 'q');
  const [kinds20, mappings20] = [[...kinds19], new Map(mappings19)];
  kinds20[CHANGED_IN_20.codePointAt(0)!] = 'mapped-to-several';
  mappings20.set(CHANGED_IN_20.codePointAt(0)!, 'ss');
  return tableText([
    ...versions,
    { version: 19, kinds: kinds19, mappings: ascending(mappings19), tr46Version: 'none' },
    { version: 20, kinds: kinds20, mappings: ascending(mappings20), tr46Version: 'none' },
  ]);
}

/** The table has mappings in the order of their code points. */
function ascending(mappings: ReadonlyMap<number, string>): Map<number, string> {
  return new Map([...mappings].sort(([one], [other]) => one - other));
}

/** The source of parsed-url.ts, or profile.ts, with these versions, of which 17, 18 and 19 have equal forms, as the tables say. */
function withMadeUpVersions(source: string): string {
  const made = source
    .replace('UNICODE_VERSIONS = [17, 18]', 'UNICODE_VERSIONS = [17, 18, 19, 20]')
    .replace('= [[17, 18]]', '= [[17, 18], [17, 19], [18, 19]]');
  assert.not.equal(made, source);
  return made;
}

/** Builds a source with that table, and its imports; returns the module's path. */
export async function builtWithMadeUpVersions(entry: string): Promise<string> {
  // within the project, where its packages are found
  const folder = mkdtempSync(resolve('build/test/made-up-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'built.mjs');
  const contents = tableSource(await madeUpTable());
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    loader: { '.hex': 'text', '.txt': 'text' },
    alias: { punycode: 'punycode/punycode.es6.js' },
    define: { ASC_TARGET: '0' },
    packages: 'external',
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [
      {
        name: 'made-up versions of Unicode',
        setup: ({ onLoad }) => {
          onLoad({ filter: /src\/core\/url\/unicode-table\.ts$/ }, () => ({ contents, loader: 'ts' }));
          onLoad({ filter: /src\/core\/url\/(?:parsed-url|profile)\.ts$/ }, ({ path }) => ({
            contents: withMadeUpVersions(readFileSync(path, 'utf8')),
            loader: 'ts',
          }));
        },
      },
    ],
  });
  return outfile;
}
