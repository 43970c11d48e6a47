import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Measure } from '../../bench/measure.ts';
import { agreementOf } from '../../bench/rivals/agreement.ts';
import { Program, type Round } from '../../bench/rivals/program.ts';
import { alternate } from '../../bench/rivals/rounds.ts';
import { sectionsOf } from '../../bench/rivals/sections.ts';
import { rejectionOf } from '../thrown.ts';

const tests = suite('rivals');

const LINES = ['https://example.com', 'not a URL', 'http://EXAMPLE.org/a b', 'https://bücher.example/'];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const EXPECTED = LINES.map((line) => (URL.canParse(line) ? sha256(new URL(line).href) : ''.padEnd(64, '0'))).join('');

const folder = mkdtempSync(join(tmpdir(), 'urlsum-test-'));
const path = join(folder, 'lines');
writeFileSync(path, `${LINES.join('\n')}\n`);
tests.after(() => rmSync(folder, { recursive: true }));

tests(
  'the program in JavaScript: every way gives the digests of the URL standard, and rounds of more than nothing',
  async () => {
    const start = { command: process.execPath, args: [resolve('bench/rivals/javascript.mjs')] };
    const program = await Program.start(start, path);
    assert.is(program.title, `Node ${process.versions.node}`);
    assert.is(program.introduction.ways.length, 6);
    for (const way of program.introduction.ways) assert.is((await program.digests(way)).toString('hex'), EXPECTED, way);
    const { elapsed, processor } = await program.round('hashLines');
    assert.ok(elapsed > 0 && processor >= 0, `${elapsed} ${processor}`);
    program.stop();
  },
);

tests('a program that ends without an answer is named, as is one that does not start', async () => {
  const silent = await rejectionOf(Program.start({ command: process.execPath, args: ['-e', '0'] }, path));
  assert.match(silent.message, `${process.execPath}: the program ended without an answer`);
  const missing = await rejectionOf(Program.start({ command: join(folder, 'none'), args: [] }, path));
  assert.match(missing.message, 'ENOENT');
});

const digestsOf = (...bytes: readonly number[]) => Buffer.concat(bytes.map((byte) => Buffer.alloc(32, byte)));

tests('rows on which one differs are left out and counted; one that always differs narrows nothing', () => {
  const { rows, differing } = agreementOf(digestsOf(1, 2, 3, 4), [
    { name: 'same', digests: digestsOf(1, 2, 3, 4) },
    { name: 'once', digests: digestsOf(1, 0, 3, 4) },
    { name: 'twice', digests: digestsOf(1, 9, 3, 9) },
    { name: 'other', digests: digestsOf(5, 6, 7, 8) },
  ]);
  assert.equal(rows, [0, 2]);
  assert.equal([...differing], Object.entries({ once: 1, twice: 2, other: 4 }));
  assert.throws(() => agreementOf(digestsOf(1, 2), [{ name: 'short', digests: digestsOf(1) }]), '32 bytes of digests');
});

/** A turn whose rounds are those given, after two that warm up. */
function turnOf(name: string, order: string[], rounds: readonly Round[]) {
  const left = [{ elapsed: 900, processor: 1 }, { elapsed: 900, processor: 1 }, ...rounds];
  const round = async () => {
    order.push(name);
    return left.shift()!;
  };
  return { name, round };
}

const calm = (elapsed: number) => ({ elapsed, processor: elapsed });
const noisy = (elapsed: number) => ({ elapsed, processor: elapsed / 2 });

tests('rounds alternate, those that warm up do not count, and a noisy one is taken again and reported', async () => {
  const order: string[] = [];
  const [a, b] = (await alternate(
    [turnOf('a', order, [calm(10), noisy(50), calm(12), calm(11)]), turnOf('b', order, [calm(20), calm(30), calm(25)])],
    3,
  )) as [Measure, Measure];
  assert.is(order.join(''), 'ababab' + 'aabab');
  assert.equal(a.rounds, [10, 12, 11]);
  assert.equal([a.value, a.processor, a.noisyCount], [11, 11, 1]);
  assert.equal([b.value, b.noisyCount], [25, 0]);
});

tests('where a machine is never calm, the calmest of three counts, and all three are reported', async () => {
  const rounds = [noisy(90), { elapsed: 60, processor: 50 }, noisy(70)];
  const [only] = (await alternate([turnOf('a', [], rounds)], 1)) as [Measure];
  assert.equal([only.value, only.processor, only.noisyCount], [60, 50, 3]);
});

const measured = (name: string, group: string, value: number) => ({ name, group, value, rounds: [value] });
const HASH = "new URL(url).href and the runtime's SHA-256";

tests('each runtime is compared with its own way, and hashLines with the fastest native program', () => {
  const javascript = ['Node 20', 'Bun 1'].flatMap((group, index) => [
    measured('hashLines', group, 100 + index),
    measured(HASH, group, 300),
    measured('canonicalize(url)', group, 50),
    measured('new URL(url).href', group, 100),
  ]);
  const natives = [measured('url + sha2', 'Rust', 200), measured('ada-url + sha2', 'Rust', 150)];
  const [runtimes, canonical, native] = sectionsOf([...javascript, ...natives], 'URLs');
  assert.equal(
    runtimes!.rows.map(({ ratio }) => Number(ratio.toFixed(2))),
    [3, 1, 2.97, 1],
  );
  assert.equal(
    canonical!.rows.map(({ ratio }) => ratio),
    [2, 1, 2, 1],
  );
  assert.is(native!.rival, 'ada-url + sha2, Rust');
  assert.equal(
    native!.rows.map(({ ratio, isOurs }) => [ratio.toFixed(2), isOurs]),
    [
      ['1.50', true],
      ['1.49', true],
      ['0.75', false],
      ['1.00', false],
    ],
  );
  assert.is(sectionsOf(javascript, 'URLs').length, 2);
});

tests.run();
