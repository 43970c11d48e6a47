// Milliseconds from before the import to after the first hash, in processes that alternate: `node bench/cold-start.mjs
// [PROCESSES]`, 15 of each by default. It needs a build. The shortest counts most: other processes only add to a time.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PROCESSES = Number(process.argv[2] ?? 15);
const folder = mkdtempSync(join(tmpdir(), 'urlsum-cold-start-'));
const file = (path) => JSON.stringify(resolve(path));
const canonical = "new URL('https://example.com/a?b=c').href";

const PROGRAMS = {
  urlsum: `const { UrlHash } = await import(${file('dist/esm/index.js')});
const hex = UrlHash.of('https://example.com/a?b=c').hex;`,
  noble: `const { sha256 } = await import(${file('node_modules/@noble/hashes/sha2.js')});
const { bytesToHex, utf8ToBytes } = await import(${file('node_modules/@noble/hashes/utils.js')});
const hex = bytesToHex(sha256(utf8ToBytes(${canonical})));`,
  'hash-wasm': `const { sha256 } = await import(${file('node_modules/hash-wasm/dist/index.esm.js')});
const hex = await sha256(${canonical});`,
  'node:crypto': `const { createHash } = await import('node:crypto');
const hex = createHash('sha256').update(${canonical}).digest('hex');`,
};

const times = Object.keys(PROGRAMS).map(() => []);
try {
  for (let round = 0; round < PROCESSES; round++)
    for (const [index, code] of Object.values(PROGRAMS).entries()) {
      const program = join(folder, `${index}.mjs`);
      writeFileSync(program, `const start = performance.now();\n${code}\nconsole.log(hex, performance.now() - start);`);
      const [hex, time] = execFileSync(process.execPath, [program], { encoding: 'utf8' }).split(' ');
      if (!hex.startsWith('e0512f29180d11ad')) throw new Error(`another hash: ${hex}`);
      times[index].push(Number(time));
    }
} finally {
  rmSync(folder, { recursive: true });
}
for (const each of times) each.sort((a, b) => a - b);
const names = Object.keys(PROGRAMS);
const [nobleShortest, nobleMedian] = measures(times[names.indexOf('noble')]);
for (const [index, name] of names.entries()) {
  const [shortest, median] = measures(times[index]);
  const ratios = `${(shortest / nobleShortest).toFixed(2)} and ${(median / nobleMedian).toFixed(2)} times noble's`;
  console.log(`${name.padEnd(12)} ${shortest.toFixed(1)} ms, median ${median.toFixed(1)} ms: ${ratios}`);
}

function measures(sorted) {
  return [sorted[0], sorted[sorted.length >> 1]];
}
