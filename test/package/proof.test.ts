import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FOLDER as folder } from '../support/scratch.ts';

const tests = suite('the proof of an installed package');
tests.before(() => cpSync('dist', join(folder, 'dist'), { recursive: true }));

function proof(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/release/proof.mjs', ...args], {
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

tests('the package is compared file by file with this build, or with published sums', () => {
  const { status, output } = proof(folder);
  assert.match(output, /^\d\d files are as published\n$/);
  assert.is(status, 0);
  const sums = join(folder, 'SHA256SUMS');
  const print = "import { sumsOf, textOf } from './tools/release/sums.mjs'; process.stdout.write(textOf(sumsOf('.')));";
  writeFileSync(sums, spawnSync(process.execPath, ['--input-type=module', '-e', print], { encoding: 'utf8' }).stdout);
  assert.is(spawnSync('sha256sum', ['--check', '--quiet', sums]).status, 0);
  assert.equal(proof(folder, sums), { status, output });
});

tests('a changed bit, a missing file and one more are named', () => {
  const kernel = join(folder, 'dist/hosts/kernel/simd.wasm');
  const bytes = readFileSync(kernel);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(kernel, bytes);
  rmSync(join(folder, 'dist/esm/site.js'));
  writeFileSync(join(folder, 'dist/esm/more.js'), '');
  assert.equal(proof(folder), {
    status: 1,
    output: 'dist/esm/site.js: missing\ndist/hosts/kernel/simd.wasm: differs\ndist/esm/more.js: not published\n',
  });
});

tests('no sums, and what is not a package, are refused', () => {
  const none = join(folder, 'none');
  writeFileSync(none, '');
  assert.match(proof(folder, none).output, /there are no sums/);
  writeFileSync(none, 'abc');
  assert.is.not(proof(folder, none).status, 0);
  assert.is(proof(join(folder, 'dist')).status, 2);
});

tests.run();
