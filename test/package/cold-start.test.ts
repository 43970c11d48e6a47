// What a process loads for its first hash: the time of a cold start goes by the number of files and the bytes of code.
// The time itself, beside noble, hash-wasm and node:crypto, is measured by bench/command.ts.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENVIRONMENT } from '../support/environment.ts';
import { FOLDER as folder } from '../support/scratch.ts';

const tests = suite('a cold start');
const ENTRY = 'dist/esm/index.js';

/** The files that an import loads, itself included. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
    loaded(join(file, '..', path!), seen);
  return seen;
}

tests('the entry loads two files: package.json limits their bytes', () => {
  const files = [...loaded(ENTRY)];
  assert.is(files.length, 2, `${files}`);
});

/** Runs a program in a process of its own, with the entry imported, and returns the lines that it prints. */
function printed(code: string, env: NodeJS.ProcessEnv = {}): string[] {
  const file = join(folder, 'program.mjs');
  const entry = pathToFileURL(resolve(ENTRY)).href;
  writeFileSync(file, `import { kernelName, UrlHash, UrlHasher } from '${entry}';\n${code}`);
  const output = execFileSync(process.execPath, [file], { env: { ...ENVIRONMENT, ...env }, encoding: 'utf8' });
  return output.trim().split('\n');
}

tests('kernelName says the kernel that hashes, before the first hash, between and after', () => {
  const code = `console.log(kernelName());
const first = UrlHash.of('https://example.com/a?b=c').hex;
console.log(kernelName());
const [second] = new UrlHasher().hashMany(['https://example.com/a?b=c']);
console.log(kernelName(), new UrlHasher().kernel, first === second.hex);`;
  assert.equal(printed(code), ['simd', 'simd', 'simd simd true']);
  assert.equal(printed(code, { URLSUM_KERNEL: 'js' }), ['js', 'js', 'js js true']);
});

tests.run();
