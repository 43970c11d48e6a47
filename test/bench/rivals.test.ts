import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { urlsum } from '../../bench/command-cost.ts';
import type { Measure } from '../../bench/measure.ts';
import { rowsOf, writeReport } from '../../bench/report.ts';
import { agreementOf } from '../../bench/rivals/agreement.ts';
import { executable } from '../../bench/rivals/executable.ts';
import { fileMeasures, OURS } from '../../bench/rivals/files.ts';
import { GroupClock } from '../../bench/rivals/group-clock.ts';
import { natives } from '../../bench/rivals/native.ts';
import { page } from '../../bench/rivals/page.ts';
import { Program, type Round } from '../../bench/rivals/program.ts';
import { alternate } from '../../bench/rivals/rounds.ts';
import { filesSection, sectionsOf } from '../../bench/rivals/sections.ts';
import { chromiumPath } from '../chromium.ts';
import { ENVIRONMENT } from '../environment.ts';
import { CHROMIUM } from '../runtimes/browser.ts';
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
    const program = await Program.start(executable(process.execPath, [resolve('bench/rivals/javascript.mjs')]), path);
    assert.is(program.title, `Node ${process.versions.node}`);
    assert.is(program.introduction.ways.length, 6);
    for (const way of program.introduction.ways) assert.is((await program.digests(way)).toString('hex'), EXPECTED, way);
    const { elapsed, processor } = await program.round('hashLines');
    assert.ok(elapsed > 0 && processor! >= 0, `${elapsed} ${processor}`);
    program.stop();
  },
);

if (chromiumPath() !== undefined) {
  tests('a page of Chromium: every way gives the same digests, and rounds of more than nothing', async () => {
    const program = await Program.start(page(CHROMIUM), path);
    try {
      assert.match(program.title, /^Chromium [\d.]+$/);
      assert.is(program.introduction.ways.length, 6);
      for (const way of program.introduction.ways)
        assert.is((await program.digests(way)).toString('hex'), EXPECTED, way);
      assert.ok((await program.round('hashLines')).elapsed > 0);
    } finally {
      program.stop();
    }
  });

  tests('a page that fails says why, and ends without an answer, as a process does', async () => {
    const { error } = console;
    const said: string[] = [];
    console.error = (text: string) => said.push(text);
    try {
      const program = await Program.start(page(CHROMIUM), path);
      const failed = await rejectionOf(program.round('UrlHash.of(url).hex'));
      assert.match(failed.message, 'round UrlHash.of(url).hex: the program ended without an answer');
      assert.match(said.join(), 'UrlError: not a URL: "not a URL"');
    } finally {
      console.error = error;
    }
  });
}

tests('the clock of a group counts the processors of all its processes, and no others', async () => {
  // the child takes a quarter of a second of its processor, however long that lasts
  const work = 'while (process.cpuUsage().user < 250_000); process.stdout.write("done"); setTimeout(() => {}, 1e9)';
  const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(work)}], { stdio: 'inherit' })`;
  const group = spawn(process.execPath, ['-e', child], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: ENVIRONMENT,
  });
  const pid = group.pid!;
  const clock = new GroupClock(pid);
  const isKnown = existsSync('/proc/self/schedstat') && !readFileSync('/proc/self/schedstat', 'utf8').startsWith('0 ');
  try {
    await once(group.stdout, 'data');
    if (isKnown) assert.ok(clock.nanoseconds()! > 2e8, `${clock.nanoseconds()} ns`);
    assert.is(clock.nanoseconds() !== undefined, isKnown);
    assert.is(new GroupClock(0x7fffffff).nanoseconds(), undefined);
  } finally {
    process.kill(-pid, 'SIGKILL');
  }
});

tests('each toolchain that is missing is named, and nothing is built', async () => {
  const { PATH } = process.env;
  process.env['PATH'] = folder;
  try {
    const { starts, absent } = await natives(false);
    assert.equal(starts, []);
    assert.equal(
      absent.map((sentence) => /^(Go|Rust|C\+\+) is (not here|left out)/.exec(sentence)?.[1]),
      ['Go', 'Rust', 'C++'],
    );
  } finally {
    process.env['PATH'] = PATH;
  }
});

tests('a program that ends without an answer is named, as is one that does not start', async () => {
  const silent = await rejectionOf(Program.start(executable(process.execPath, ['-e', '0']), path));
  assert.match(silent.message, `${process.execPath}: the program ended without an answer`);
  const missing = await rejectionOf(Program.start(executable(join(folder, 'none')), path));
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

tests('what the command takes from file to file is a multiple of what the fastest native program takes to hash', () => {
  const measures = [measured(OURS.name, '', 300), measured('a, C++', '', 250), measured('b, C++', '', 200)];
  const { rival, isMultiple, rows } = filesSection(
    measures.map(({ group, ...measure }) => measure),
    [measured('a', 'C++', 160), measured('b', 'C++', 150)],
    'URLs',
  );
  assert.is(rival, 'b, C++, hashing alone');
  assert.is(isMultiple, true);
  assert.equal(
    rows.map(({ ratio, isOurs }) => [(1 / ratio).toFixed(2), isOurs]),
    [
      ['2.00', true],
      ['1.67', false],
      ['1.33', false],
      ['1.00', false],
    ],
  );
});

tests('from file to file, each has a cost per round, and one that writes other bytes is refused', () => {
  const valid = LINES.filter((line) => URL.canParse(line));
  const same = { name: 'same', command: urlsum('--format bin') };
  const measures = fileMeasures(valid, [same], 2, folder);
  assert.equal(
    measures.map(({ name, rounds }) => [name, rounds.length]),
    [
      [OURS.name, 2],
      ['urlsum canon', 2],
      ['urlsum, as text', 2],
      ['urlsum --format u64', 2],
      ['urlsum --format tsv', 2],
      ['urlsum --format ndjson', 2],
      ['same', 2],
    ],
  );
  const other = { name: 'other', command: urlsum('--format hex') };
  assert.throws(() => fileMeasures(valid, [other], 1, folder), 'other writes other bytes than urlsum --format bin');
});

tests('where the processor time is not known, a round is taken once, and a table has dashes', async () => {
  const unknown = [{ elapsed: 20 }, { elapsed: 40 }, { elapsed: 30 }];
  const measures = await alternate([turnOf('a', [], unknown), turnOf('b', [], [calm(1), calm(2), calm(3)])], 3);
  assert.equal([measures[0]!.value, measures[0]!.processor, measures[0]!.noisyCount], [30, undefined, undefined]);
  const rows = rowsOf(measures, 'b', () => true);
  const section = { name: 'some', title: 'Some', unit: 'ns', rival: 'b', isSeries: false, rows } as const;
  writeReport({ machine: 'a machine', sections: [section] }, folder);
  const report = readFileSync(join(folder, 'report.md'), 'utf8');
  assert.match(report, '| a | 30 | 20 to 40 | — | — | 0.05 |');
});

tests.run();
