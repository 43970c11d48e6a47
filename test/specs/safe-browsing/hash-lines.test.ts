import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import { ExpressionHasher, hashes } from '../../../src/entries/safe-browsing.ts';
import { sharedBytes } from '../../support/data.ts';
import { cases } from '../../support/seed.ts';
import { compareLines, compareMutatedLines, READINGS } from './mutated-lines.ts';

const test = suite('safe-browsing: ExpressionHasher.hashLines');
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

test('blocks of every size around a chunk give the same rows as their lines alone', () => {
  const lines = Array.from(
    { length: 3000 },
    (_, index) => `http://h${index}.example.co.uk/${'p/'.repeat(index % 40)}?${index}`,
  );
  const whole = new ExpressionHasher().hashMany(lines);
  for (const count of [1, 2, 300, 500, 700, 3000]) {
    for (const end of ['\n', '\r\n']) {
      const column = new ExpressionHasher().hashLines(Buffer.from(lines.slice(0, count).join(end)));
      assert.is(column.length, count);
      assert.ok(
        Buffer.from(column.bytes).equals(Buffer.from(whole.bytes.subarray(0, column.bytes.length))),
        `${count} lines`,
      );
      assert.equal(column.offsets, whole.offsets.slice(0, count + 1));
    }
  }
});

test('a last line without an end counts, a text without lines has none, and many empty lines are as many rows', () => {
  assert.is(new ExpressionHasher().hashLines(Buffer.from('http://a.com/')).length, 1);
  assert.is(new ExpressionHasher().hashLines(Buffer.from('http://a.com/\n')).length, 1);
  assert.is(new ExpressionHasher().hashLines(new Uint8Array(0)).length, 0);
  const count = 3 * ROW_CAPACITY + 1;
  const column = new ExpressionHasher().hashLines(Buffer.from('\n'.repeat(count)));
  assert.equal([column.length, column.invalid.length, column.bytes.length], [count, count, 0]);
});

test("lines that are longer than a chunk or the kernel's memory, or whose canonical form is", () => {
  const lines = [20_000, 33_000, 140_000, 200_000, 500_000].flatMap((byteLength) => [
    Buffer.from(`http://a.b.example.com/1/2/${'x'.repeat(byteLength)}?q`),
    Buffer.from(`http://a.b.example.com/${' '.repeat(byteLength)}/../x`),
    Buffer.from('http://short.example/'),
  ]);
  for (const kernel of KERNELS) compareLines(lines, READINGS[5]!, kernel);
});

test('a batch goes on after another one has used the kernel', () => {
  const urls = Array.from({ length: 2000 }, (_, index) => `http://a.b.example.co.uk/${index}`);
  function* interrupted() {
    for (const [index, url] of urls.entries()) {
      if (index % 300 === 7)
        new ExpressionHasher({ profile: 'web-risk' }).hashLines(Buffer.from('http://other.example/x/y\n'.repeat(900)));
      if (index % 300 === 9) hashes('http://one.example/');
      yield url;
    }
  }
  const column = new ExpressionHasher().hashMany(interrupted());
  assert.ok(Buffer.from(column.bytes).equals(Buffer.from(new ExpressionHasher().hashMany(urls).bytes)));
});

test('the column is its own memory, and bad lines cost their own rows', () => {
  const text = Buffer.from('http://a.com/\nmailto:x\nhttp://b.com/\n');
  const column = new ExpressionHasher({ width: 4 }).hashLines(text);
  text.fill(0);
  new ExpressionHasher().hashLines(Buffer.from('http://c.com/\n'));
  const expected = createHash('sha256').update('b.com/').digest('hex').slice(0, 8);
  assert.equal([column.hex(2), [...column.invalid], [...column.offsets]], [[expected], [1], [0, 1, 1, 2]]);
  assert.match(column.errorAt(1)!.message, /"mailto:x": its scheme is not followed/);
});

test('what is not bytes is refused', () => {
  assert.throws(() => new ExpressionHasher().hashLines('http://a.com/' as never), TypeError);
  assert.throws(() => new ExpressionHasher({ width: 3 }).hashLines(new Uint8Array(0)), RangeError);
  assert.throws(() => new ExpressionHasher({ suffixList: {} as never }).hashLines(new Uint8Array(0)), TypeError);
});

test.run();
