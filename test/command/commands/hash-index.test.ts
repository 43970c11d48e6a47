import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashIndex } from '../../../src/entries/hash-index.ts';
import { PROFILE } from '../../../src/index.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { FOLDER as folder } from '../../support/scratch.ts';
import { cases, random } from '../../support/seed.ts';
import { mustGive, urlsum } from '../command.ts';
import { watchedRun } from '../io-points.ts';

const test = suite('urlsum index');
const next = random();
const at = (name: string) => join(folder, name);

const LINES = [
  ...SAMPLE_URLS,
  ...Array.from({ length: 60_000 }, () => `https://example.com/${next(50_000)}#${next(3)}`),
];
writeFileSync(at('lines.txt'), `${LINES.join('\n')}\n`);

/** Distinct packed hashes, by another path through the command. */
function hashesOf(width: number, ...args: string[]): Set<string> {
  const { stdout } = urlsum(['--format', 'hex', '--width', `${width}`, '--on-error', 'skip', ...args, at('lines.txt')]);
  return new Set(stdout.toString().trimEnd().split('\n'));
}

function hashesIn(path: string): Set<string> {
  const index = HashIndex.open(path);
  const found = new Set<string>();
  for (const { units, at: start } of index) {
    found.add(Buffer.from(units.buffer, units.byteOffset + 4 * start, index.width).toString('hex'));
  }
  index.close();
  return found;
}

for (const width of [8, 16, 32]) {
  test(`${width} bytes: the distinct hashes of the lines, spilled or not, on one thread or two`, () => {
    const expected = hashesOf(width);
    for (const [number, args] of [[], ['--memory', '1M'], ['-j', '2']].entries()) {
      const path = at(`${width}-${number}.idx`);
      const { status } = urlsum(['index', '--width', `${width}`, '--out', path, ...args, at('lines.txt')]);
      assert.is(status, 1, 'some samples are not URLs');
      assert.equal(hashesIn(path), expected);
      if (number > 0) assert.equal(readFileSync(path), readFileSync(at(`${width}-0.idx`)));
    }
    assert.not(
      readdirSync(folder).some((name) => name.startsWith('.')),
      'nothing is left beside it',
    );
  });
}

test('rows without a hash add none: headers, nulls, blank and bad rows, on one thread or two', () => {
  const expected = new Set([urlsum(['--format', 'hex', '--width', '8'], 'http://a/').stdout.toString().trimEnd()]);
  const served = (request: string) => `192.0.2.1 - - [01/Nov/2026:00:00:00 +0000] "${request}" 200 2\n`;
  for (const [args, input] of [
    [['--csv', '-f', 'url'], 'n,url\n1,http://a/\n2\n3,no\n'],
    [['--log'], `${served('GET http://a/ HTTP/1.1')}${served('-')}${served('* x')}`],
    [['--json', 'url', '--skip-blank'], '{"url":"http://a/"}\n\n{}\n'],
    [['--cdx'], ' CDX N b a m s k r V g\nk 2026 http://a/ text/html 200 X - 1 f\n'],
  ] as const)
    for (const threads of ['1', '2']) {
      urlsum(['index', '--out', at('rows.idx'), '-j', threads, ...args], input);
      assert.equal(hashesIn(at('rows.idx')), expected, args.join(' '));
    }
});

test('--exclude-fragment names its profile, and such an index does not merge with another', () => {
  urlsum(['index', '--out', at('page.idx'), '--exclude-fragment', at('lines.txt')]);
  assert.equal(hashesIn(at('page.idx')), hashesOf(8, '--exclude-fragment'));
  urlsum(['index', '--out', at('whole.idx'), at('lines.txt')]);
  mustGive(urlsum(['index', '--merge', '--out', at('both.idx'), at('whole.idx'), at('page.idx')]), {
    status: 2,
    says: /page\.idx: its profile is url\/1\+unicode18;exclude-fragment; another index has url\/1\+unicode18/,
  });
  assert.not(readdirSync(folder).includes('both.idx'));
});

test('--merge makes what one run over all lines makes', () => {
  writeFileSync(at('a.txt'), LINES.slice(0, 40_000).join('\n'));
  writeFileSync(at('b.txt'), LINES.slice(30_000).join('\n'));
  for (const name of ['a', 'b']) urlsum(['index', '--out', at(`${name}.idx`), at(`${name}.txt`)]);
  assert.is(urlsum(['index', '--merge', '--out', at('ab.idx'), at('a.idx'), at('b.idx')]).status, 0);
  urlsum(['index', '--out', at('all.idx'), at('lines.txt')]);
  assert.equal(readFileSync(at('ab.idx')), readFileSync(at('all.idx')));
});

test('--info checks every page and says what the index holds', () => {
  urlsum(['index', '--out', at('info.idx'), at('lines.txt')]);
  const { stdout, status } = urlsum(['index', '--info', at('info.idx')]);
  assert.is(status, 0);
  const bytes = readFileSync(at('info.idx'));
  const { size } = hashesOf(8);
  assert.equal(stdout.toString().split('\n'), [
    `hashes         ${size}`,
    'width          8 bytes',
    `profile        ${PROFILE}`,
    'Unicode hosts  some',
    `checksums      of ${bytes.length / 4096} pages, all right`,
    `false matches  ${((size * 1e9) / 2 ** 64).toPrecision(3)} expected in 10^9 look-ups`,
    '',
  ]);
  for (let trial = 0; trial < cases(20); trial++) {
    const damaged = Buffer.from(bytes);
    damaged[next(damaged.length)]! ^= 1 << next(8);
    writeFileSync(at('damaged.idx'), damaged);
    mustGive(urlsum(['index', '--info', at('damaged.idx')]), { status: 2, says: /damaged\.idx: / });
  }
});

test('usage: what is missing or cannot be read is said', () => {
  assert.match(urlsum(['index', at('lines.txt')]).stderr, /index needs --out FILE/);
  assert.match(urlsum(['index', '--out', at('x.idx'), '--memory', '12']).stderr, /--memory must be a size from 1M on/);
  assert.is(urlsum(['index', '--info', at('lines.txt')]).status, 2);
  assert.is(urlsum(['index', '--merge', '--out', at('x.idx')]).status, 2);
});

test('a command that is killed leaves the index that was there, and no runs that were spilled', async () => {
  urlsum(['index', '--out', at('kept.idx'), at('a.txt')]);
  const before = readFileSync(at('kept.idx'));
  for (const point of ['after openSync .tmp', 'after writeSync .run', 'after write .tmp', 'before renameSync .tmp']) {
    const args = ['index', '--width', '32', '--memory', '1M', '--out', at('kept.idx'), at('lines.txt')];
    assert.equal(await watchedRun(args, { point, signal: 'SIGKILL' }).closed, [null, 'SIGKILL'], point);
    assert.equal(readFileSync(at('kept.idx')), before);
  }
  assert.not(readdirSync(folder).some((name) => name.includes('.run')));
});

test.run();
