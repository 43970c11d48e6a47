import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHash } from '../../../src/index.ts';
import { file } from '../../support/scratch.ts';
import { SCALE } from '../../support/seed.ts';
import { mustGive, urlsum } from '../command.ts';

const tests = suite('urlsum --check');

const LINES = ['https://example.com/', 'HTTP://Example.com:80', 'no url', 'https://bücher.example/\tx', ''];
const TEXT = `${LINES.join('\n')}\n`;

function hex(line: string): string {
  return URL.canParse(line) ? UrlHash.of(line).hex : '';
}

tests('--check: a round trip, then a changed hash, a changed line, a malformed one, and nothing to check', () => {
  const sums = urlsum([], TEXT).stdout.toString();
  mustGive(urlsum(['-c', file('sums', sums)]), { status: 0, stdout: LINES.map((line) => `${line}: OK\n`).join('') });
  const changed = urlsum(['--check', '--quiet'], sums.replace(/^0/, '1'));
  assert.is(changed.status, 1);
  assert.is(changed.stdout.toString(), 'https://example.com/: FAILED\n');
  assert.match(changed.stderr, /1 computed hash did NOT match/);
  assert.is(urlsum(['-c', '--status'], sums.replace('example.com/', 'example.com/x')).status, 1);
  assert.is(urlsum(['-c'], 'not a sum\n').status, 1);
  assert.is(urlsum(['-c'], '').status, 1, 'a check that read nothing is not a success');
  assert.is(urlsum(['-c'], `${hex('http://a/').slice(0, 16)}  http://a/\n`).status, 0, 'a short form');
  assert.is(urlsum(['-c'], '  http://a/\n').status, 1, 'a URL said to be none');
  const kept = urlsum(['--on-error', 'keep'], TEXT).stdout.toString();
  assert.is(urlsum(['-c'], kept).status, 0, 'lines kept');
  assert.is(urlsum(['-c'], kept.replace('no url', 'no URL')).status, 1, 'a kept line that has changed');
});

tests('--on-error keep and --check agree on lines that end in carriage returns', () => {
  for (const last of ['bad\r', '\r', 'bad\r\r', 'a\rb\r', 'bad\xff\r', 'http://b/\r', 'bad\r\n', 'bad', 'bad\r\r\n']) {
    const input = Buffer.from(`http://a/\nbad\r\n\r\r\nhttp://c/\r\r\nbad\r\r\n${last}`, 'latin1');
    const path = file('cr', input);
    const kept = urlsum(['--on-error', 'keep', '--quiet'], input).stdout;
    // threads get whole lines, with what ends them, so a short run gives them one of the ends
    for (const args of [[path], ...(SCALE >= 10 || last === '\r' ? [['-j', '2', path]] : [])])
      assert.ok(urlsum(['--on-error', 'keep', '--quiet', ...args]).stdout.equals(kept), JSON.stringify(last));
    const { status, stdout } = urlsum(['-c'], kept);
    assert.equal([status, stdout.toString().match(/: OK$/gm)?.length], [0, 6], JSON.stringify(last));
  }
  const hash = createHash('sha256').update('bad').digest('hex');
  assert.is(
    urlsum(['--on-error', 'keep', '--format', 'hex'], 'bad\r\r\nbad\r').stdout.toString(),
    `${hash}\n${hash}\n`,
  );
});

tests.run();
