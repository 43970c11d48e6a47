import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHasher } from '../../../src/index.ts';
import { sampleLines } from '../../support/data.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { random } from '../../support/seed.ts';
import { mustGive, urlsum } from '../command.ts';

const tests = suite('urlsum --dedup, --against');
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

tests.run();
