import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHasher } from '../../../src/index.ts';
import { file } from '../../support/scratch.ts';
import { urlsum } from '../command.ts';

const tests = suite('urlsum --zero');

const TEXTS = [
  'http://a/',
  'http://b/\nc',
  'no\nurl',
  'http://d/\r',
  '',
  'http://\u00fc/\ud83d\ude00',
  '\ufeffhttp://e/',
];

tests('NUL for LF on input and output, the text between as given', () => {
  const column = new UrlHasher().hashMany(TEXTS);
  const expected = TEXTS.map((text, row) => `${column.hex(row) ?? ''}  ${text}\0`).join('');
  for (const input of [TEXTS.join('\0'), `${TEXTS.join('\0')}\0`]) {
    const { status, stdout } = urlsum(['-z'], input);
    assert.is(stdout.toString(), expected);
    assert.is(status, 1);
  }
});

tests('the same hashes as lines have, for the formats that write one', () => {
  const sample = readFileSync('bench/sample/urls.txt', 'utf8');
  for (const format of ['hex', 'u64', 'bin', 'tsv', 'ndjson', 'text']) {
    const lines = urlsum(['--format', format], sample).stdout;
    const texts = urlsum(['--zero', '--format', format], sample.replaceAll('\n', '\0')).stdout;
    assert.ok(
      format === 'bin' ? texts.equals(lines) : texts.toString() === lines.toString().replaceAll('\n', '\0'),
      format,
    );
    assert.ok(lines.length > 30_000);
  }
});

tests('blocks with a line feed or CR in them hash as those without', () => {
  const texts = Array.from(
    { length: 30_000 },
    (_, index) => `http://${index}.example/${index % 7000 === 6999 ? 'a\nb\r' : 'path'}`,
  );
  const expected = new UrlHasher({ width: 8 }).hashMany(texts);
  assert.ok(
    urlsum(['-z', '--format', 'bin', '--width', '8', file('texts', texts.join('\0'))]).stdout.equals(expected.bytes),
  );
});

tests('bad texts are named by their number, and kept ones hashed as given', () => {
  const { stdout, stderr } = urlsum(['-z', '--on-error', 'keep', '--format', 'hex'], 'http://a/\0b\nad\0');
  assert.match(stderr, /^urlsum: -:2: not a URL: "b\\nad"/);
  assert.match(stdout.toString(), /^[0-9a-f]{64}\0[0-9a-f]{64}\0$/);
});

tests('canon and --check', () => {
  assert.is(urlsum(['canon', '-z'], 'HTTP://A\0http://b/\nc\0bad').stdout.toString(), 'http://a/\0http://b/c\0\0');
  const sums = urlsum(['-z'], TEXTS.join('\0')).stdout;
  for (const options of [['--check', '--zero'], ['-zc'], ['-c', '-z']]) {
    const check = urlsum(options, sums);
    assert.is(check.stdout.toString(), TEXTS.map((text) => `${text}: OK\0`).join(''));
    assert.is(check.status, 0);
  }
});

tests.run();
