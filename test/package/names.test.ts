import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENTRIES } from './entries.ts';

const tests = suite('names of the exported classes');
const folder = mkdtempSync(join(tmpdir(), 'urlsum-names-'));
tests.after(() => rmSync(folder, { recursive: true }));
const requireHere = createRequire(import.meta.url);

/**
 * Consoles and test tools show a value by the name of its class; bundlers change that, unless the class says its own.
 */
function checkNames(exports: object): number {
  const classes = Object.entries(exports).filter(([, value]) => /^class\b/.test(String(value)));
  for (const [name, value] of classes) assert.is(value.name, name);
  return classes.length;
}

function minified(path: string, format: 'esm' | 'cjs', outfile: string): void {
  const options = { bundle: true, minify: true, platform: 'node', logLevel: 'error' } as const;
  buildSync({ ...options, stdin: { contents: `export * from '${path}'`, resolveDir: '.' }, format, outfile });
}

let classCount = 0;

for (const { name, esm, cjs } of ENTRIES) {
  tests(`${name}: as built, and minified by a consumer`, async () => {
    const [esmPath, cjsPath] = [resolve(esm), resolve(cjs)];
    const outputs = ['mjs', 'cjs'].map((ending) => join(folder, `${name.replaceAll('/', '-')}.${ending}`));
    minified(esmPath, 'esm', outputs[0]!);
    minified(cjsPath, 'cjs', outputs[1]!);
    const counts = [
      checkNames(await import(esmPath)),
      checkNames(requireHere(cjsPath)),
      checkNames(await import(outputs[0]!)),
      checkNames(requireHere(outputs[1]!)),
    ];
    assert.equal(counts, Array(4).fill(counts[0]));
    classCount += counts[0]!;
  });
}

tests('there were classes', () => assert.ok(classCount >= 15, `${classCount}`));

tests.run();
