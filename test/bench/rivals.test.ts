import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkBytes, lineTurn, processTurn, repeatedLines, urlsum } from '../../bench/process.ts';
import { builtNatives } from '../../bench/rivals/natives.ts';
import { GroupClock, page } from '../../bench/rivals/page.ts';
import { agreementOf, executable, Program } from '../../bench/rivals/program.ts';
import { CHROMIUM } from '../runtimes/browser.ts';
import { chromiumPath } from '../support/chromium.ts';
import { ENVIRONMENT } from '../support/environment.ts';
import { rejectionOf } from '../support/thrown.ts';

const tests = suite('rivals');

const LINES = ['https://example.com', 'not a URL', 'http://EXAMPLE.org/a b', 'https://bücher.example/'];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const EXPECTED = LINES.map((line) => (URL.canParse(line) ? sha256(new URL(line).href) : ''.padEnd(64, '0'))).join('');

const folder = mkdtempSync(join(tmpdir(), 'urlsum-test-'));
const path = join(folder, 'lines');
writeFileSync(path, `${LINES.join('\n')}\n`);
tests.after(() => rmSync(folder, { recursive: true }));

async function checkWays(program: Program): Promise<void> {
  const { hash = [], form = [] } = program.introduction.ways;
  assert.equal([hash.length, form.length], [4, 2]);
  for (const way of [...hash, ...form]) assert.is((await program.digests(way)).toString('hex'), EXPECTED, way);
}

tests(
  'the program in JavaScript: every way gives the digests of the URL standard, and rounds of more than nothing',
  async () => {
    const program = await Program.start(executable(process.execPath, [resolve('bench/rivals/javascript.mjs')]), path);
    assert.is(program.title, `Node ${process.versions.node}`);
    await checkWays(program);
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
      await checkWays(program);
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
    const { starts, absent } = await builtNatives(['Go', 'Rust', 'C++']);
    assert.equal(starts, []);
    assert.equal(
      absent.map((sentence) => /^(Go|Rust|C\+\+) is left out/.exec(sentence)?.[1]),
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

tests('from file to file, a command has a cost, and one that writes other bytes is refused', async () => {
  const valid = LINES.filter((line) => URL.canParse(line));
  const text = Buffer.from(`${valid.join('\n')}\n`);
  const [short, long] = [repeatedLines(text, valid.length), repeatedLines(text, valid.length, 3)];
  assert.equal([short.lineCount, long.lineCount], [3, 9]);
  assert.is(readFileSync(long.path, 'utf8'), readFileSync(short.path, 'utf8').repeat(3));
  const bytes = urlsum('--format bin');
  for (const turn of [lineTurn('lines', bytes, [short, long]), processTurn('all', bytes, long, 'elapsed')])
    assert.equal(Object.keys(await turn.round()), ['elapsed'], turn.name);
  checkBytes({ bytes, same: bytes }, short);
  assert.throws(
    () => checkBytes({ bytes, other: urlsum('--format hex') }, short),
    'other writes other bytes than bytes',
  );
});

tests.run();
