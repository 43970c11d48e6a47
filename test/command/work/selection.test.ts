import { spawnSync } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expectedCollisions, openWordFile } from '../../../src/command/work/against.ts';
import { PROFILE, UrlHasher } from '../../../src/index.ts';
import { sampleLines } from '../../data.ts';
import { FOLDER, file } from '../../scratch.ts';
import { random } from '../../seed.ts';
import { urlsum } from '../command.ts';

const tests = suite('urlsum --dedup, --against, --stats');
const SAMPLE = sampleLines();

/** The hex of each line, '' where it is not a URL. */
function hexes(lines: readonly string[]): string[] {
  const column = new UrlHasher().hashMany(lines);
  return lines.map((_, row) => column.hex(row) ?? '');
}

function repeated(count: number): string[] {
  const next = random();
  return Array.from({ length: count }, () => SAMPLE[next(SAMPLE.length)]!);
}

/** Lines of which the last has an end where it is empty: without one it would be no line. */
const unended = (lines: readonly string[]) => lines.join('\n') + (lines.at(-1) === '' ? '\n' : '');

tests('--dedup: the first line of each hash, in order, across inputs, for every width', () => {
  const lines = repeated(9000);
  const inputs = [file('one', unended(lines.slice(0, 4000))), '-', file('three', unended(lines.slice(6000)))];
  const seen = new Set<string>();
  const sums = hexes(lines);
  const expected = lines.filter((_, row) => sums[row] === '' || (!seen.has(sums[row]!) && seen.add(sums[row]!)));
  for (const width of ['8', '16', '32']) {
    const { stdout } = urlsum(['--dedup', '--width', width, ...inputs], unended(lines.slice(4000, 6000)));
    assert.equal(
      stdout
        .toString()
        .split('\n')
        .slice(0, -1) // lines may end in spaces, which are theirs
        .map((line) => line.slice(line.indexOf('  ') + 2)),
      expected,
      width,
    );
  }
  assert.ok(expected.length > 2000 && expected.length < 5000);
});

tests('--dedup: invalid lines follow --on-error', () => {
  const input = 'bad\nhttp://a/\nbad\nHTTP://A\nworse\n';
  const lines = (way: string) =>
    urlsum(['--dedup', '--on-error', way], input)
      .stdout.toString()
      .split('\n')
      .map((line) => line.replace(/^[0-9a-f]+/, ''))
      .join('|');
  assert.is(lines('null'), '  bad|  http://a/|  bad|  worse|');
  assert.is(lines('keep'), '  bad|  http://a/|  worse|');
  assert.is(lines('skip'), '  http://a/|');
  assert.is(urlsum(['--dedup', '--format', 'bin', '--on-error', 'skip'], input).stdout.length, 32);
});

tests('--dedup says nothing where every line is hashed', () => {
  assert.is(urlsum(['--dedup', file('one.txt', 'https://a.example/\nhttps://A.example\n')]).stderr, '');
});

function wordFile(name: string, words: readonly bigint[]): string {
  return file(name, new Uint8Array(BigUint64Array.from(words).buffer));
}

const ascending = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

tests('--against: the lines whose first word is in the file, or with --not the others', () => {
  const column = new UrlHasher({ width: 8 }).hashMany(SAMPLE);
  const invalid = new Set(column.invalid);
  const members = SAMPLE.map((_, row) => row).filter((row) => row % 3 === 0 && !invalid.has(row));
  const words = members.map((row) => column.words[row]!);
  const path = wordFile('index.u64', [...words, 0n, 2n ** 64n - 1n].sort(ascending));
  const known = new Set(words);
  const isMember = SAMPLE.map((_, row) => !invalid.has(row) && known.has(column.words[row]!));
  for (const width of ['8', '32']) {
    const lines = (...more: string[]) =>
      urlsum(['--width', width, '--against', path, ...more], SAMPLE.join('\n'))
        .stdout.toString()
        .split('\n')
        .slice(0, -1)
        .map((line) => line.slice(line.indexOf('  ') + 2));
    assert.equal(
      lines(),
      SAMPLE.filter((_, row) => isMember[row]),
    );
    assert.equal(
      lines('--not'),
      SAMPLE.filter((_, row) => !isMember[row]),
    );
    assert.equal(
      lines('--not', '--on-error', 'skip'),
      SAMPLE.filter((_, row) => !isMember[row] && !invalid.has(row)),
    );
    assert.equal(lines('--dedup').length, known.size);
  }
});

tests('a file of words: kept in memory or read page by page, the same answers', () => {
  const next = random();
  const wordOf = () => (BigInt(next(2 ** 32)) << 32n) | BigInt(next(2 ** 32));
  for (const count of [0, 1, 2, 511, 512, 513, 5000, 300_000]) {
    const words = Array.from({ length: count }, wordOf).sort(ascending);
    const path = wordFile('words.u64', words);
    for (const searched of [
      openWordFile(path, 1 << 30, openSync(path, 'r')),
      openWordFile(path, 0, openSync(path, 'r')),
    ]) {
      const has = (word: bigint) => searched.hasAt(new Uint32Array(BigUint64Array.of(word).buffer), 0);
      for (let round = 0; round < 300 && count > 0; round++) assert.ok(has(words[next(count)]!));
      for (const edge of [words[0], words.at(-1)]) if (edge !== undefined) assert.ok(has(edge));
      for (let round = 0; round < 300; round++) assert.is(has(wordOf()), false);
      for (const edge of [0n, 2n ** 64n - 1n]) assert.is(has(edge), false);
    }
  }
});

tests('--against a pipe, and what says that it is empty: read to its end, or refused', () => {
  const lines = Array.from({ length: 300_000 }, (_, row) => `http://${row}.example/`);
  const words = [...new UrlHasher({ width: 8 }).hashMany(lines).words].sort(ascending);
  const path = wordFile('piped.u64', words);
  const inShell = (script: string) =>
    spawnSync('bash', ['-c', script, process.execPath, path], { encoding: 'utf8', maxBuffer: 1 << 26 });
  const input = "printf '%s\\n' http://299999.example/ http://other.example/ http://0.example/";
  for (const script of [
    `${input} | "$0" dist/esm/cli.js --against <(cat "$1")`,
    `mkfifo "$1.pipe"; cat "$1" > "$1.pipe" & ${input} | "$0" dist/esm/cli.js --against "$1.pipe"`,
    `${input} | "$0" dist/esm/cli.js --against /dev/fd/3 3< <(cat "$1")`,
  ]) {
    const { status, stdout } = inShell(script);
    assert.equal(stdout.match(/http\S+/g), ['http://299999.example/', 'http://0.example/'], script);
    assert.is(status, 0);
  }
  if (!existsSync('/proc/version')) return console.log('no /proc on this system');
  assert.throws(
    () => openWordFile('/dev/zero', 1 << 22, openSync('/dev/zero', 'r')),
    /zero: only a plain file may have more than 4194304 bytes/,
  );
  const { status, stderr } = urlsum(['--against', '/proc/version'], 'http://a/\n');
  assert.is(status, 2);
  assert.match(stderr, /\/proc\/version: it is text; make an index of it: urlsum index --out NEW.idx/);
});

tests('a file that is not a file of words: exit status 2, the place and the reason', () => {
  for (const [path, reason] of [
    [wordFile('falling', [1n, 2n ** 63n, 5n]), /falling: word 2 is less than the one before it/],
    [file('odd', Buffer.alloc(9)), /odd: 9 bytes are not a whole number of 8-byte words/],
    [file('urls', 'http://a/\n'), /urls: it is text; make an index of it: urlsum index --out NEW.idx/],
    [file('eight', 'a.com/x\n'), /eight: it is text/],
    [file('long', 'http://a.example/'.repeat(100)), /long: it is text/],
    [`${FOLDER}/none`, /none: no such file/],
    [FOLDER, /it is a folder|whole number|shorter/],
  ] as const) {
    const { status, stdout, stderr } = urlsum(['--against', path], 'http://a/\n');
    assert.is(status, 2);
    assert.is(stdout.length, 0);
    assert.match(stderr, reason);
  }
  assert.is(urlsum(['--not'], '').status, 2);
});

tests('--stats=json: one object on one line, and nothing of it on standard output', () => {
  const input = 'http://a/\nHTTP://B:80\nbad\nhttp://\nworse\n';
  const { status, stdout, stderr } = urlsum(['--stats=json', '--width', '8', '--on-error', 'keep'], input);
  assert.is(status, 1);
  assert.is(stdout.toString().split('\n').length, 6);
  const { seconds, linesPerSecond, peakMemoryBytes, ...rest } = JSON.parse(
    stderr.trimEnd().split('\n').at(-1)!,
  ) as Record<string, number>;
  assert.ok(seconds! > 0 && seconds! < 60 && peakMemoryBytes! > 1e7);
  assert.ok(Math.abs(linesPerSecond! - 5 / seconds!) < 1e-6 * linesPerSecond!);
  assert.equal(rest, {
    lines: 5,
    bytes: input.length,
    invalid: 3,
    invalidByReason: { 'missing-scheme-non-relative-URL': 2, 'host-missing': 1 },
    proven: 1,
    rewritten: 1,
    parsed: 3,
    threads: 1,
    profile: PROFILE,
    width: 8,
    expectedCollisions: 1 / 2 ** 64,
  });
});

tests('--stats: the same for people, the file behind it read', () => {
  const { stdout, stderr } = urlsum(['--stats', '--dedup', file('few', 'http://a/\nhttp://a/\n')]);
  assert.is(stdout.toString().split('\n').length, 2);
  for (const row of [
    /^lines +2$/m,
    /^selected +1 \(50\.0 %\)$/m,
    /^proven canonical +2 \(100\.0 %\)$/m,
    /^profile +url\//m,
    /^expected collisions +\S+ at 32 bytes a hash$/m,
  ])
    assert.match(stderr, row);
  assert.is(urlsum(['--stats=xml'], '').status, 2);
});

tests('the expected number of collisions', () => {
  // reference values of the birthday bound: 10^9 words of 64 bits share 2.7 % of one pair
  assert.is(expectedCollisions(1e9, 8).toPrecision(3), '0.0271');
  assert.is(expectedCollisions(5e9, 8).toPrecision(3), '0.678');
  assert.is(expectedCollisions(1, 8), 0);
  assert.is(expectedCollisions(0, 8), 0);
});

tests.run();
