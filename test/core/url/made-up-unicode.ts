import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import * as assert from 'uvu/assert';
import { EQUAL_FORMS } from '../../../src/core/url/key-origin.ts';
import { UNICODE_VERSIONS } from '../../../src/core/url/parsed-url.ts';
import { dataOfPackage, tableSource, tableText } from '../../../tools/tables/unicode.mjs';
import { VERSIONS } from '../../../tools/tables/unicode-versions.mjs';

// Two versions that do not exist, made as CONTRIBUTING.md says how one is added: the next after the newest refuses nothing
// that the newest allows and maps one new character; the one after it changes a mapping, as 15.1 did.

export const NEWEST = Math.max(...UNICODE_VERSIONS);
export const NEXT = NEWEST + 1;
export const AFTER_NEXT = NEWEST + 2;

/** A code point that no version has assigned: mapped to `q` from NEXT on. */
export const NEW_IN_NEXT = '\u0378';
/** LATIN CAPITAL LETTER SHARP S, mapped to `ß` until NEXT, and to `ss` in AFTER_NEXT. */
export const CHANGED_AFTER_NEXT = '\u1e9e';

/** Returns the table of all versions and the two. */
function madeUpTable(): Promise<string> {
  const versions = VERSIONS.map((each) => ({ ...each, ...dataOfPackage(each.tr46) }));
  const newest = versions.at(-1)!;
  const [kinds, mappings] = [[...newest.kinds], new Map(newest.mappings)];
  kinds[NEW_IN_NEXT.codePointAt(0)!] = 'mapped';
  mappings.set(NEW_IN_NEXT.codePointAt(0)!, 'q');
  const [changedKinds, changedMappings] = [[...kinds], new Map(mappings)];
  changedKinds[CHANGED_AFTER_NEXT.codePointAt(0)!] = 'mapped-to-several';
  changedMappings.set(CHANGED_AFTER_NEXT.codePointAt(0)!, 'ss');
  return tableText([
    ...versions,
    { version: NEXT, kinds, mappings: ascending(mappings) },
    { version: AFTER_NEXT, kinds: changedKinds, mappings: ascending(changedMappings) },
  ]);
}

/** The table has mappings in the order of their code points. */
function ascending(mappings: ReadonlyMap<number, string>): Map<number, string> {
  return new Map([...mappings].sort(([one], [other]) => one - other));
}

/** Returns the source of parsed-url.ts, or of key-origin.ts, with these versions: NEXT has the forms of those before it. */
function withMadeUpVersions(source: string): string {
  const listOf = (pairs: readonly (readonly number[])[]) =>
    `[${pairs.map((pair) => `[${pair.join(', ')}]`).join(', ')}]`;
  const withNext = UNICODE_VERSIONS.map((version) => [version, NEXT]);
  const versions = UNICODE_VERSIONS.join(', ');
  const made = source
    .replace(`UNICODE_VERSIONS = [${versions}]`, `UNICODE_VERSIONS = [${versions}, ${NEXT}, ${AFTER_NEXT}]`)
    .replace(`= ${listOf(EQUAL_FORMS)}`, `= ${listOf([...EQUAL_FORMS, ...withNext])}`);
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
          onLoad({ filter: /src\/core\/url\/(?:parsed-url|key-origin)\.ts$/ }, ({ path }) => ({
            contents: withMadeUpVersions(readFileSync(path, 'utf8')),
            loader: 'ts',
          }));
        },
      },
    ],
  });
  return outfile;
}
