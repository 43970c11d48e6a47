import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHasher } from '../../../src/index.ts';
import { sampleLines } from '../../support/data.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { random, SCALE } from '../../support/seed.ts';
import { mustGive, urlsum } from '../command.ts';

const tests = suite('urlsum --dedup, --against');
const next = random();
const PAGE_BYTES = 4096;

const SAMPLE = sampleLines();
const LINES = Array.from({ length: 9000 }, () => SAMPLE[next(SAMPLE.length)]!);
const PARTS = [LINES.slice(0, 1500), LINES.slice(1000, 3000), LINES.slice(2500, 4000)];

const joined = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const linesOf = (stdout: Buffer) => (stdout.length === 0 ? [] : stdout.toString().replace(/\n$/, '').split('\n'));

/** Runs with the lines on standard input and gives those that came out. */
function passed(...args: string[]): string[] {
  const { stdout } = urlsum(args, joined(LINES));
  return linesOf(stdout).map((line) => line.slice(line.indexOf('  ') + 2));
}

function indexOf(name: string, lines: readonly string[], ...args: string[]): string {
  const path = `${FOLDER}/${name}`;
  assert.not.equal(urlsum(['index', '--out', path, ...args], joined(lines)).status, 2);
  return path;
}

/** The first bytes of each line's hash in hex, '' where it has none. */
function hashesOf(lines: readonly string[]): string[] {
  const column = new UrlHasher({ width: 8 }).hashMany(lines);
  return lines.map((_, row) => column.hex(row) ?? '');
}

const HASHES = hashesOf(LINES);

tests('--dedup: the first line of each hash, in order, across inputs, for every width', () => {
  const [before, after] = [LINES.slice(0, 2000), SAMPLE.slice(0, 4000)];
  const inputs = [file('before', joined(before)), '-', file('after', joined(after))];
  const lines = [...before, ...LINES, ...after];
  const hashes = hashesOf(lines);
  const seen = new Set<string>();
  const expected = lines.filter((_, row) => hashes[row] === '' || (!seen.has(hashes[row]!) && seen.add(hashes[row]!)));
  for (const width of ['8', '16', '32']) assert.equal(passed('--dedup', '--width', width, ...inputs), expected, width);
  assert.ok(expected.length > 2000 && expected.length < lines.length / 2);
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

tests('what is not an index is refused before anything comes out, with what makes one', () => {
  const words = BigUint64Array.from(new UrlHasher({ width: 8 }).hashMany(['http://a/', 'http://b/']).words).sort();
  const remedy = 'it is not an index; urlsum index makes one';
  for (const [path, reason] of [
    [file('sorted.u64', new Uint8Array(words.buffer)), `sorted.u64: ${remedy}`],
    [file('urls', 'http://a/\n'), `urls: ${remedy}`],
    [file('empty', ''), `empty: ${remedy}`],
    [`${FOLDER}/none`, 'none: no such file'],
    [FOLDER, 'it is a folder'],
  ] as const) {
    mustGive(urlsum(['--against', path], 'http://a/\n'), { status: 2, stdout: '', says: reason });
    if (!reason.endsWith(remedy)) continue;
    mustGive(urlsum(['--unseen', path], 'http://a/\n'), { status: 2, stdout: '', says: reason });
  }
  assert.is(urlsum(['--not'], '').status, 2);
});

tests(
  '--against: the lines whose hash is in it, in any of several, or in none, for every width and thread count',
  () => {
    for (const indexWidth of ['8', '16', '32']) {
      const paths = PARTS.map((lines, part) => indexOf(`${part}-${indexWidth}.idx`, lines, '--width', indexWidth));
      for (const count of [1, 3]) {
        const known = new Set(hashesOf(PARTS.slice(0, count).flat()).filter((hash) => hash !== ''));
        const members = LINES.filter((_, row) => known.has(HASHES[row]!));
        const others = LINES.filter((_, row) => !known.has(HASHES[row]!));
        const against = paths.slice(0, count).flatMap((path) => ['--against', path]);
        // threads are given one width and several indexes in a short run
        const onThreads = SCALE >= 10 || (count === 3 && indexWidth === '16') ? [['-j', '2']] : [];
        for (const more of [[], ['--width', indexWidth], ...onThreads]) {
          assert.equal(passed(...against, ...more), members, `${indexWidth} ${count} ${more.join(' ')}`);
          assert.equal(passed('--not', ...against, ...more), others);
        }
        assert.ok(members.length > 1000 && others.length > 1000);
      }
    }
  },
);

tests('--against with --dedup: the first of each hash', () => {
  const against = ['--against', indexOf('one.idx', PARTS[0]!), '--against', indexOf('two.idx', PARTS[1]!)];
  const known = new Set(hashesOf([...PARTS[0]!, ...PARTS[1]!]).filter((hash) => hash !== ''));
  const seen = new Set<string>();
  const isFirst = (row: number) => !seen.has(HASHES[row]!) && seen.add(HASHES[row]!) !== undefined;
  const expected = LINES.filter((_, row) => HASHES[row] !== '' && !known.has(HASHES[row]!) && isFirst(row));
  assert.equal(passed(...against, '--not', '--dedup', '--on-error', 'skip'), expected);
  assert.ok(expected.length > 100);
});

tests('fields of records are looked up as lines are', () => {
  const path = indexOf('records.idx', PARTS[0]!);
  const objects = LINES.map((url, row) => JSON.stringify({ row, url }));
  const { stdout } = urlsum(['--json', 'url', '--against', path, '-j', '2'], joined(objects));
  const urls = linesOf(stdout).map((line) => (JSON.parse(line) as { readonly url: string }).url);
  assert.equal(urls, passed('--against', path));
});

tests('wider hashes, another form, a cut and what is not an index are refused before anything comes out', () => {
  const wide = indexOf('wide.idx', PARTS[0]!, '--width', '16');
  const page = indexOf('form.idx', PARTS[0]!, '--exclude-fragment');
  const bytes = readFileSync(wide);
  for (const [args, reason] of [
    [['--width', '8', '--against', wide], /wide\.idx: its hashes have 16 bytes, but --width is 8/],
    [['--against', page], /form\.idx: its profile is url\/1\+unicode18;exclude-fragment, but this run uses url\/1/],
    [
      ['--against', wide, '--against', file('cut.idx', bytes.subarray(0, -1))],
      /cut\.idx: it has no end|cut\.idx: it has/,
    ],
    [['--against', file('short.idx', bytes.subarray(0, 100))], /short\.idx: it ends in its first page/],
  ] as const) {
    for (const threads of ['1', '2']) {
      mustGive(urlsum([...args, '-j', threads], joined(LINES)), { status: 2, stdout: '', says: reason });
    }
  }
  const piped = spawnSync('bash', ['-c', '"$0" dist/esm/cli.js --against <(cat "$1")', process.execPath, wide], {
    input: '',
  });
  assert.is(piped.status, 2);
  assert.match(piped.stderr.toString(), /an index must be a plain file/);
});

tests('a damaged page ends the run where it is read: what came out before is right, and nothing comes after', () => {
  const seen = Array.from({ length: 40_000 }, (_, row) => `https://example.com/${row}`);
  const path = indexOf('whole.idx', seen);
  const bytes = readFileSync(path);
  const number = 2 + next(70); // of 79 pages of hashes, not the last
  const [first, end] = [bytes.readBigUInt64LE(number * PAGE_BYTES), bytes.readBigUInt64LE((number + 1) * PAGE_BYTES)];
  bytes[number * PAGE_BYTES + next(PAGE_BYTES)]! ^= 1 << next(8);
  const damaged = file('damaged.idx', bytes);
  const wordsOf = (lines: readonly string[]) => new UrlHasher({ width: 8 }).hashMany(lines).words;
  const isInPage = (word: bigint) => word >= first && word < end;
  const others = Array.from({ length: 100_000 }, (_, row) => `https://example.org/some/longer/path/${row}`);
  const words = wordsOf(others);
  const before = others.filter((_, row) => !isInPage(words[row]!));
  const culprit = others.find((_, row) => isInPage(words[row]!))!;
  const expected = new UrlHasher().hashMany(before);
  for (const threads of ['1', '2']) {
    const input = joined([...before, culprit, ...before]);
    const { status, stdout, stderr } = urlsum(['--not', '--format', 'hex', '--against', damaged, '-j', threads], input);
    assert.is(status, 2);
    assert.match(stderr, new RegExp(`damaged\\.idx: page ${number} is damaged: its checksum differs`));
    const hashes = linesOf(stdout);
    assert.ok(hashes.length > 10_000 && hashes.length <= before.length, `${hashes.length} lines`);
    assert.equal(
      hashes,
      hashes.map((_, row) => expected.hex(row)),
    );
  }
});

tests('--stats tells the false matches that are to be expected: n·m / 2^(8 · width)', () => {
  const path = indexOf('told.idx', PARTS[0]!);
  const count = new Set(hashesOf(PARTS[0]!).filter((hash) => hash !== '')).size;
  const valid = HASHES.filter((hash) => hash !== '').length;
  const { stderr } = urlsum(['--stats=json', '--quiet', '--against', path, '--against', path], joined(LINES));
  const { expectedFalseMatches } = JSON.parse(stderr.trimEnd().split('\n').at(-1)!) as Record<string, number>;
  assert.is(expectedFalseMatches, (2 * count * valid) / 2 ** 64);
  assert.match(urlsum(['--stats', '--against', path], 'https://a/\n').stderr, /^expected false matches +\d\S+$/m);
  const info = urlsum(['index', '--info', path]).stdout.toString();
  assert.match(
    info,
    new RegExp(`^false matches +${((count * 1e9) / 2 ** 64).toPrecision(3)} expected in 10\\^9 look-ups$`, 'm'),
  );
});

tests.run();
