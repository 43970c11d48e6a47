import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const tests = suite('a cold start');
const folder = mkdtempSync(join(tmpdir(), 'urlsum-cold-start-'));
tests.after(() => rmSync(folder, { recursive: true }));

const URLSUM = `const { UrlHash } = await import(${JSON.stringify(resolve('dist/esm/index.js'))});
const hex = UrlHash.of('https://example.com/a?b=c').hex;`;
const NOBLE = `const { sha256 } = await import(${JSON.stringify(resolve('node_modules/@noble/hashes/sha2.js'))});
const { bytesToHex, utf8ToBytes } = await import(${JSON.stringify(resolve('node_modules/@noble/hashes/utils.js'))});
const hex = bytesToHex(sha256(utf8ToBytes(new URL('https://example.com/a?b=c').href)));`;

/** A program that prints the hash, and the milliseconds from before the import to after the hash. */
function program(name: string, code: string): string {
  const file = join(folder, `${name}.mjs`);
  const start = 'const start = performance.now();';
  writeFileSync(file, `${start}\n${code}\nconsole.log(hex, performance.now() - start);`);
  return file;
}

/** The shortest of fifteen processes each, in turn: another process on the machine only adds to a time. */
function shortest(programs: readonly string[]): number[] {
  const times = programs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 15; round++)
    for (const [index, file] of programs.entries()) {
      const [hex, time] = execFileSync(process.execPath, [file], { encoding: 'utf8' }).split(' ');
      assert.is(hex, 'e0512f29180d11adcc238f3bae1af95f6c157cb8973a904ef73d628c684aba58');
      times[index] = Math.min(times[index]!, Number(time));
    }
  return times;
}

tests('import and first hash take at most 1.6 times those of noble with `new URL`', () => {
  const programs = [program('urlsum', URLSUM), program('noble', NOBLE)];
  let ratio = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && ratio > 1.6; attempt++) {
    const [ours, theirs] = shortest(programs);
    ratio = ours! / theirs!;
  }
  assert.ok(ratio <= 1.6, `${ratio.toFixed(2)} times`);
});

tests.run();
