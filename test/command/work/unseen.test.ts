import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashIndex } from '../../../src/entries/hash-index.ts';
import { UrlHasher } from '../../../src/index.ts';
import { sampleLines } from '../../support/data.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { cases, random } from '../../support/seed.ts';
import { mustGive, spawned, urlsum } from '../command.ts';
import { type WatchedRun, watchedRun } from '../io-points.ts';

const test = suite('urlsum --unseen');
const next = random();

const SAMPLE = sampleLines();
const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const linesOf = (stdout: Buffer) =>
  stdout
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(line.indexOf('  ') + 2));

function hashesOf(lines: readonly string[], width: 8 | 16 | 32 = 8): string[] {
  const column = new UrlHasher({ width }).hashMany(lines);
  return lines.map((_, row) => column.hex(row) ?? '');
}

function hashesIn(path: string): string[] {
  const index = HashIndex.open(path);
  const found: string[] = [];
  for (const { units, at } of index)
    found.push(Buffer.from(units.buffer, units.byteOffset + 4 * at, index.width).toString('hex'));
  index.close();
  return found.sort();
}

/** The index as `index --merge` writes it. */
function inOneFile(path: string): Buffer {
  const out = join(FOLDER, 'one-file.idx');
  assert.is(urlsum(['index', '--merge', '--out', out, path]).status, 0);
  return readFileSync(out);
}

const distinct = (hashes: readonly string[]) => [...new Set(hashes)].filter((hash) => hash !== '').sort();

test('a crawl after the other: each line once, whatever the width, threads and memory; the index gains its hash', () => {
  for (const [number, args] of [[], ['--width', '8'], ['-j', '2'], ['--width', '16'], ['--width', '32']].entries()) {
    const path = join(FOLDER, `crawls-${number}.idx`);
    const width = ([8, 8, 8, 16, 32] as const)[number]!;
    const seen = new Set<string>();
    for (let crawl = 0; crawl < 3; crawl++) {
      const lines = Array.from({ length: cases(1500) }, () => SAMPLE[next(SAMPLE.length)]!);
      const hashes = hashesOf(lines, width);
      const expected = lines.filter(
        (_, row) => hashes[row] === '' || (!seen.has(hashes[row]!) && seen.add(hashes[row]!)),
      );
      assert.equal(linesOf(urlsum(['--unseen', path, ...args], joined(lines)).stdout), expected);
      assert.equal(hashesIn(path), [...seen].sort());
      assert.is(HashIndex.open(path).width, width);
    }
    assert.ok(seen.size > 1000);
  }
});

test('what does not fit in memory is spilled: the same lines, the same index', () => {
  const lines = Array.from({ length: cases(40_000) }, () => `https://example.com/${next(cases(32_000))}`);
  const path = file('lines.txt', joined(lines));
  const [small, large] = [join(FOLDER, 'small.idx'), join(FOLDER, 'large.idx')];
  const spilled = urlsum(['--unseen', small, '--width', '32', '--memory', '1M', path]).stdout;
  assert.ok(spilled.equals(urlsum(['--unseen', large, '--width', '32', path]).stdout));
  assert.is(linesOf(spilled).length, new Set(lines).size);
  assert.ok(inOneFile(small).equals(inOneFile(large)));
});

test('an index that has fewer bytes per hash than the run keeps them; a wider one is refused', () => {
  const path = join(FOLDER, 'narrow.idx');
  urlsum(['index', '--out', path], 'https://a/\n');
  assert.equal(linesOf(urlsum(['--unseen', path], 'https://a/\nhttps://b/\n').stdout), ['https://b/']);
  assert.equal(hashesIn(path), distinct(hashesOf(['https://a/', 'https://b/'])));
  const wide = join(FOLDER, 'wide.idx');
  urlsum(['index', '--width', '32', '--out', wide], 'https://a/\n');
  assert.match(urlsum(['--unseen', wide, '--width', '8'], '').stderr, /its hashes have 32 bytes, but --width is 8/);
});

test('with --against, only what passes both; such lines alone are kept', () => {
  const [known, frontier] = [join(FOLDER, 'known.idx'), join(FOLDER, 'frontier.idx')];
  urlsum(['index', '--out', known], 'https://a/\nhttps://b/\n');
  const input = 'https://a/\nhttps://c/\nhttps://c/\nhttps://b/\nhttps://d/\n';
  const { stdout } = urlsum(['--against', known, '--not', '--unseen', frontier, '--dedup'], input);
  assert.equal(linesOf(stdout), ['https://c/', 'https://d/']);
  assert.equal(hashesIn(frontier), distinct(hashesOf(['https://c/', 'https://d/'])));
});

test('the index has the mode it had, and a link to it stays one', () => {
  const path = join(FOLDER, 'mode.idx');
  urlsum(['index', '--out', path], 'https://a/\n');
  chmodSync(path, 0o640);
  symlinkSync(path, join(FOLDER, 'link.idx'));
  urlsum(['--unseen', join(FOLDER, 'link.idx')], 'https://b/\n');
  assert.is(hashesIn(path).length, 2);
  assert.is(statSync(path).mode & 0o777, 0o640);
});

test('standard output is closed: no line is lost that counts as written', () => {
  if (!existsSync('/proc/self/fdinfo')) return console.log('this system does not tell');
  const path = join(FOLDER, 'closed.idx');
  const run = (rest: string) =>
    spawnSync('bash', ['-c', `echo http://a/ | "$0" dist/esm/cli.js --unseen "$1" ${rest}`, process.execPath, path]);
  const closed = run('>&-');
  assert.is(closed.status, 2);
  assert.match(
    closed.stderr.toString(),
    /^urlsum: standard output is closed.*: --unseen would count its lines as written/,
  );
  assert.is(existsSync(path) || existsSync(`${path}.lock`), false);
  assert.is(run('> /dev/null').status, 0); // as it was asked for
  assert.is(hashesIn(path).length, 1);
});

test('a run that is not whole leaves the index: a bad line, a missing input, a damaged page, a reader that goes', () => {
  const lines = Array.from({ length: 40_000 }, (_, row) => `https://example.com/${row}`);
  const path = join(FOLDER, 'kept.idx');
  urlsum(['index', '--out', path], joined(lines.slice(0, 20_000)));
  const before = readFileSync(path);
  const damaged = Buffer.from(before);
  damaged[4096 * 7 + next(4096)]! ^= 1 << next(8);
  const input = file('more.txt', joined(lines));
  for (const [script, status, reason] of [
    ['printf "https://x/\\nbad\\n" | $U --on-error fail --unseen "$1"', 1, /missing-scheme/],
    ['$U --unseen "$1" "$2" "$2.none" > /dev/null', 2, /none: no such file/],
    ['set -o pipefail; $U --unseen "$1" "$2" | head -n 1 > /dev/null', 0, /^$/],
    ['$U --unseen "$1" "$2" > /dev/full', 2, /ENOSPC/],
  ] as const) {
    const run = spawnSync('bash', [
      '-c',
      script.replaceAll('$U', '"$0" dist/esm/cli.js'),
      process.execPath,
      path,
      input,
    ]);
    assert.is(run.status, status, script);
    assert.match(run.stderr.toString(), reason);
    assert.ok(readFileSync(path).equals(before), script);
  }
  writeFileSync(path, damaged);
  const { status, stderr } = urlsum(['--unseen', path, input]);
  assert.is(status, 2);
  assert.match(stderr, /kept\.idx: page 7 is damaged/);
  assert.ok(readFileSync(path).equals(damaged));
  assert.not(existsSync(`${path}.lock`));
});

/** A run that has the lock of its index and waits for lines. */
async function begun(path: string): Promise<WatchedRun> {
  const run = watchedRun(['--unseen', path]);
  await run.reached('after writeFileSync .lock');
  return run;
}

test('of two runs on one index at once, the second is refused and says who is at work', async () => {
  const path = join(FOLDER, 'two.idx');
  const { child: first, closed } = await begun(path);
  const { status, stdout, stderr } = urlsum(['--unseen', path], 'https://b/\n');
  assert.is(status, 2);
  assert.is(stdout.length, 0);
  assert.match(
    stderr,
    new RegExp(`two\\.idx: process ${first.pid} on ${hostname()}, started 2\\S+Z, is using it; .*two\\.idx\\.lock`),
  );
  first.stdin!.end('https://a/\n');
  assert.equal(await closed, [0, null]);
  assert.equal(hashesIn(path), hashesOf(['https://a/']));
  assert.equal(linesOf(urlsum(['--unseen', path], 'https://a/\nhttps://b/\n').stdout), ['https://b/']);
});

test('an index that came or was replaced meanwhile stays as it is then', async () => {
  const path = join(FOLDER, 'replaced.idx');
  for (const url of ['https://x/', 'https://y/']) {
    const { child, closed, reached } = watchedRun(['--unseen', path]);
    // whether it is an output if there is one, whether it can be replaced, and which it is
    await reached('after statSync .idx', existsSync(path) ? 3 : 2);
    urlsum(['index', '--out', path], `${url}\n`);
    child.stdin!.end('https://a/\n');
    assert.equal(await closed, [2, null]);
    assert.equal(hashesIn(path), hashesOf([url]));
  }
});

test('an index that was written in place, with its size and mtime as they were, is noticed', async () => {
  const seconds = 1_700_000_000; // whole, so that it is the same each time it is set
  for (const isGrown of [false, true]) {
    const path = join(FOLDER, `in-place-${isGrown}.idx`);
    urlsum(['index', '--out', path], 'https://x/\n');
    if (isGrown) urlsum(['--unseen', path], 'https://y/\n');
    utimesSync(path, seconds, seconds);
    const point = 'after write .tmp';
    const { child, closed, reached, resume } = watchedRun(['--unseen', path], { point, signal: 'SIGSTOP' });
    child.stdin!.end('https://a/\n');
    await reached(point);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes);
    utimesSync(path, seconds, seconds);
    resume();
    assert.equal(await closed, [2, null]);
    assert.ok(readFileSync(path).equals(bytes));
  }
});

/** Stops a run that has found the lock of a killed one, at a point of taking it over. */
async function stoppedTakeover(path: string, point: string): Promise<WatchedRun> {
  const killed = await begun(path);
  killed.child.kill('SIGKILL');
  await killed.closed;
  const run = watchedRun(['--unseen', path], { point, signal: 'SIGSTOP' });
  await run.reached(point);
  return run;
}

test('two runs find the lock of a killed one: one of them takes it over, whenever the other comes', async () => {
  const path = join(FOLDER, 'taken.idx');
  // before it guards the lock, another run takes that over
  const late = await stoppedTakeover(path, 'before openSync .takeover');
  const first = await begun(path);
  late.resume();
  assert.equal(await late.closed, [2, null]);
  assert.match(readFileSync(`${path}.lock`, 'utf8'), new RegExp(`^${first.child.pid} `), 'the lock is still there');
  first.child.stdin!.end('https://a/\n');
  assert.equal(await first.closed, [0, null]);
  assert.equal(hashesIn(path), hashesOf(['https://a/']));
  // once it guards the lock, no other run touches that
  for (const point of ['after writeFileSync .takeover', 'before rmSync .lock', 'after rmSync .lock']) {
    const { child, closed, resume } = await stoppedTakeover(path, point);
    const { status, stderr } = urlsum(['--unseen', path], 'https://b/\n');
    if (point === 'after rmSync .lock') {
      assert.is(status, 0, 'it finds no lock'); // and the other finds one, or none
    } else {
      assert.is(status, 2, point);
      assert.match(stderr, new RegExp(`taken\\.idx: process ${child.pid} on .*remove .*\\.lock\\.takeover`));
    }
    child.stdin!.end('https://c/\n');
    resume();
    assert.equal(await closed, [0, null], point);
    assert.equal(
      readdirSync(FOLDER).filter((name) => name.startsWith('taken.idx.')),
      ['taken.idx.d'],
    );
  }
  assert.equal(hashesIn(path), distinct(hashesOf(['https://a/', 'https://b/', 'https://c/'])));
});

test('a run whose lock was removed changes nothing, and leaves the lock of the one after it', async () => {
  const path = join(FOLDER, 'removed.idx');
  const first = await begun(path);
  rmSync(`${path}.lock`);
  const second = await begun(path);
  first.child.stdin!.end('https://a/\n');
  assert.equal(await first.closed, [2, null]);
  assert.ok(existsSync(`${path}.lock`));
  second.child.stdin!.end('https://b/\n');
  assert.equal(await second.closed, [0, null]);
  assert.equal(hashesIn(path), hashesOf(['https://b/']));
});

test('a signal that comes while the lock is made leaves no lock', async () => {
  const path = join(FOLDER, 'signal.idx');
  const { child, closed } = watchedRun(['--unseen', path], { point: 'after writeFileSync .lock', signal: 'SIGTERM' });
  child.stdin!.end(joined(SAMPLE));
  assert.equal(await closed, [null, 'SIGTERM']);
  assert.equal(
    readdirSync(FOLDER).filter((name) => name.startsWith('signal.idx')),
    [],
  );
});

test('what cannot be replaced is refused', () => {
  for (const path of [
    FOLDER,
    '/dev/null',
    '/dev/fd/0',
    join(FOLDER, 'missing', 'x.idx'),
    file('text.idx', 'no index'),
  ]) {
    mustGive(spawned(['--unseen', path], 'https://a/\n'), { status: 2, stdout: '', says: /^urlsum: .+: .+/ }, path);
  }
});

test.run();
