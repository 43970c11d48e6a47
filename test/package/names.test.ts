import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FOLDER as folder } from '../support/scratch.ts';
import { ENTRIES } from './entries.ts';

const tests = suite('names of the exported classes');

/**
 * Consoles and test tools show a value by the name of its class; bundlers change that, unless the class says its own.
 */
function checkNames(exports: object): number {
  const classes = Object.entries(exports).filter(([, value]) => /^class\b/.test(String(value)));
  for (const [name, value] of classes) assert.is(value.name, name);
  return classes.length;
}

function minified(path: string, outfile: string): void {
  const options = { bundle: true, minify: true, platform: 'node', logLevel: 'error' } as const;
  buildSync({ ...options, stdin: { contents: `export * from '${path}'`, resolveDir: '.' }, format: 'esm', outfile });
}

let classCount = 0;

for (const { name, esm } of ENTRIES) {
  tests(`${name}: as built, and minified by a consumer`, async () => {
    const output = join(folder, `${name.replaceAll('/', '-')}.mjs`);
    minified(resolve(esm), output);
    const count = checkNames(await import(resolve(esm)));
    assert.is(checkNames(await import(output)), count);
    classCount += count;
  });
}

tests('there were classes', () => assert.ok(classCount >= 15, `${classCount}`));

tests.run();
