import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DIGESTS } from '../../../assembly/layout.ts';
import { hexOfBytes } from '../../../src/core/bytes/hex.ts';
import type { Spans } from '../../../src/core/bytes/lines.ts';
import type { KernelName } from '../../../src/core/kernel/kernel.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { ExpressionHasher } from '../../../src/entries/safe-browsing.ts';
import { ExpressionReader } from '../../../src/specs/safe-browsing/batch.ts';
import { settingsOf } from '../../../src/specs/safe-browsing/settings.ts';
import { sharedBytes } from '../../support/data.ts';
import { cases } from '../../support/seed.ts';
import { compareLines, compareMutatedLines, READINGS, urlTexts } from './mutated-lines.ts';

const test = suite('safe-browsing: batches of expressions');
const KERNELS = ['simd', 'js'] as const;

for (const kernel of KERNELS) {
  test(`mutated lines have the hashes of their expressions, in every reading: ${kernel}`, () => {
    const { lines, expressions, proven } = compareMutatedLines(cases(kernel === 'simd' ? 6_000 : 2_000), kernel);
    const share = proven / lines;
    console.log(
      `  ${kernel}: ${expressions} expressions of ${lines} lines, ${(100 * share).toFixed(0)} % took no steps`,
    );
    assert.ok(expressions > 3 * lines, `${expressions} expressions`);
    // 0.41 and 0.22 on average; of the seeds tried, 0.40 and 0.198 are the least
    assert.ok(share > (kernel === 'simd' ? 0.35 : 0.17), `only ${share} took no steps`);
  });
}

for (const name of ['main', 'changed', 'intl', 'schemeless', 'files'] as const) {
  const bytes = sharedBytes(`corpus/${name}.txt.gz`);
  if (bytes === undefined) continue;
  const all = bytes.toString('latin1').split('\n');
  const lines = all.filter((_, index) => index % Math.ceil(all.length / cases(1000)) === 0);
  test(`${lines.length} lines of ${name}, in every reading`, () => {
    const buffers = lines.map((line) => Buffer.from(line, 'latin1'));
    for (const reading of READINGS) {
      const { proven } = compareLines(buffers, reading);
      if (name === 'main') assert.ok(proven > 0.985 * lines.length, `only ${proven} of ${lines.length} took no steps`);
    }
  });
}

/** Each stands for what the kernel rewrites; the last column is what it may not touch. */
test('what the kernel takes to a canonical form itself, and what it leaves', () => {
  const taken = [
    'http://example.com',
    'http://example.com#f',
    'http://example.com?q',
    'HTTPS://Example.COM/A',
    'example.com/a',
    'http://example.com:8080/a',
    'http://example.com:/a',
    'http://example.com//a///b/',
    'http://example.com/.well-known',
    'http://example.com/%7euser/%c3%bc?%2f%3F',
    'http://example.com/\xc3\xbc?\xff',
    'http://1.2.3.4/a',
    'http://example.com/a?',
    'http://example.com/?#',
    'http://a_b.-c.example/',
  ];
  const left = [
    'http://example.com./',
    'http://.example.com/',
    'http://a..b/',
    'http://1.2.3/',
    'http://user@example.com/',
    'http://example.com/a/./b',
    'http://example.com/a/..',
    'http://example.com/%2e%2e/',
    'http://example.com/a%2fb',
    'http://example.com/a\\b',
    'http://example.com/%25',
    'http://example.com/%zz',
    'http://example.com/a b?c d',
    'http://example.com/a ',
    'http://example.com/a #b',
    'example.com/?u=http://b.example/',
    'http://example.com:65536/',
    'example.com:80/',
    'http://b\xc3\xbccher.example/',
    'ftp://example.com/',
    `http://${'a'.repeat(64)}.com/`,
    '',
    'http://example.com/\x7f',
  ];
  const provenOf = (urls: readonly string[]) =>
    READINGS.map(
      (reading) =>
        compareLines(
          urls.map((url) => Buffer.from(url, 'latin1')),
          reading,
        ).proven,
    );
  assert.equal(
    provenOf(taken),
    READINGS.map(() => taken.length),
  );
  // the long host is proven in JavaScript, where its length does not matter
  assert.equal(
    provenOf(left),
    READINGS.map(() => 1),
  );
});

test('every byte in each part of a URL', () => {
  const parts = (byte: string) => [
    `${byte}http://a.example.com/b`,
    `http://a${byte}b.example.com/b`,
    `http://a.example.com${byte}b`,
    `http://a.example.com/b${byte}c`,
    `http://a.example.com/b/${byte}c/d`,
    `http://a.example.com/b?c${byte}d`,
    `http://a.example.com/b#c${byte}d`,
    `http://a.example.com/b${byte}`,
    `http://a.example.com/%${byte}0/%4${byte}`,
  ];
  const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter((byte) => byte !== '\n');
  const lines = bytes.flatMap(parts).map((line) => Buffer.from(line, 'latin1'));
  for (const kernel of KERNELS) for (const reading of READINGS) compareLines(lines, reading, kernel);
});

test('lines whose four readings are three times as long as they are, until memory is full', () => {
  for (const length of [250, 1000, 4000]) {
    const lines = Array.from({ length: Math.floor(60_000 / length) }, (_, row) =>
      Buffer.from(`http://h${row}.example/@%5c\\${'\xe9'.repeat(length)}`, 'latin1'),
    );
    for (const kernel of KERNELS) for (const reading of READINGS) compareLines(lines, reading, kernel);
  }
});

test('lines of every length, in every place of a word', () => {
  const lines = Array.from({ length: 300 }, (_, length) => [
    Buffer.from(`http://a.example.com/${'x'.repeat(length)}`),
    Buffer.from(`http://a.example.com/x/${'y/'.repeat(length)}?q`),
    Buffer.from(`http://${'h'.repeat(length)}.example.com`),
    Buffer.from('z'.repeat(length)),
  ]).flat();
  for (const kernel of KERNELS)
    for (const reading of READINGS.slice(kernel === 'simd' ? 0 : 5)) compareLines(lines, reading, kernel);
});

test("lines that are longer than a chunk or the kernel's memory, or whose canonical form is", () => {
  const lines = [20_000, 33_000, 140_000, 200_000, 500_000].flatMap((byteLength) => [
    Buffer.from(`http://a.b.example.com/1/2/${'x'.repeat(byteLength)}?q`),
    Buffer.from(`http://a.b.example.com/${' '.repeat(byteLength)}/../x`),
    Buffer.from('http://short.example/'),
  ]);
  for (const kernel of KERNELS) compareLines(lines, READINGS[5]!, kernel);
});

/** Returns the hashes of each row's expressions, or why it has none, as the reader of batches gives them. */
function readRows(name: KernelName, spans: Spans, rowCount: number, kinds?: Uint8Array): (string | string[])[] {
  const kernel = openKernel(name);
  const { bytes } = kernel.memory;
  const found: (string | string[])[] = [];
  for (const batch of new ExpressionReader(kernel, 32, settingsOf({})).rows(spans, rowCount, kinds)) {
    assert.is(batch.firstRow, found.length);
    const hashes = Array.from({ length: batch.count }, (_, at) => DIGESTS + 32 * at);
    const hex = hashes.map((at) => hexOfBytes(bytes, at, at + 32));
    for (const [row, end] of batch.spanEnds.entries()) found.push(hex.slice(batch.spanEnds[row - 1] ?? 0, end));
    for (const { row, failure } of batch.rejected) found[row] = failure.reason;
  }
  return found;
}

for (const kernel of KERNELS) {
  test(`rows that lie as lines or anywhere, and rows that are not looked at: ${kernel}`, () => {
    const rows = urlTexts(3000).map((text) => Buffer.from(text));
    const kinds = Uint8Array.from(rows, (_, row) => (row % 7 === 3 ? 1 : 0));
    const column = new ExpressionHasher({ kernel }).hashMany(rows);
    const known = rows.map((_, row) => column.errorAt(row)?.reason ?? column.hex(row));
    for (const gap of ['\n', '\r\n', '', 'x']) {
      const bytes = Buffer.concat(rows.flatMap((row) => [row, Buffer.from(gap)]));
      const starts = new Uint32Array(rows.length + 9); // longer than the rows, as those of a batch are
      for (const [row, { length }] of rows.entries()) starts[row + 1] = starts[row]! + length + gap.length;
      const ends = starts.map((start, row) => start + (rows[row]?.length ?? 0));
      const spans = { bytes, starts, ends };
      assert.equal(readRows(kernel, spans, rows.length), known, `gap ${JSON.stringify(gap)}`);
      const ofKinds = known.map((row, index) => (kinds[index] === 0 ? row : []));
      assert.equal(readRows(kernel, spans, rows.length, kinds), ofKinds, `gap ${JSON.stringify(gap)}, kinds`);
    }
  });
}

test.run();
