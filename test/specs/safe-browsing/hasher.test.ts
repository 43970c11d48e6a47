import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import {
  type ExpressionColumn,
  ExpressionHasher,
  type ExpressionHasherOptions,
  hashes,
  SafeBrowsingUrlError,
  SuffixList,
  type UrlInput,
} from '../../../src/entries/safe-browsing.ts';
import { corpusLines, sampled } from '../../support/data.ts';
import { errorOf } from '../../support/thrown.ts';
import { compareColumn, READINGS, urlTexts } from './mutated-lines.ts';

const test = suite('safe-browsing: ExpressionHasher');

/** Rows in Arrow's layout, `before` bytes after the beginning. */
function packed(rows: readonly Uint8Array[], before = 0): { bytes: Buffer; offsets: Uint32Array } {
  const offsets = new Uint32Array(rows.length + 1);
  offsets[0] = before;
  for (const [row, { length }] of rows.entries()) offsets[row + 1] = offsets[row]! + length;
  return { bytes: Buffer.concat([Buffer.alloc(before, 'x'), ...rows, Buffer.from('after')]), offsets };
}

/** Everything that a column says, but where it was proven: that depends on how rows come into memory. */
function contents(column: ExpressionColumn): unknown {
  const { length, width, profile, bytes, offsets, invalid } = column;
  const errors = Array.from(invalid, (row) => {
    const { reason, place } = column.errorAt(row)!;
    return [reason, place];
  });
  return [length, width, profile, Buffer.from(bytes).toString('hex'), [...offsets], [...invalid], errors];
}

/** The inputs of the rows without a host, which were given as bytes. */
function rejectedIn(column: ExpressionColumn): string[] {
  return Array.from(column.invalid, (row) => Buffer.from(column.errorAt(row)!.input as Uint8Array).toString());
}

/** Compares what each method makes of texts with what each text has by itself. */
function compareDoors(texts: readonly string[], options: ExpressionHasherOptions): void {
  const hasher = new ExpressionHasher(options);
  const { width: _, kernel, ...others } = options;
  const column = hasher.hashMany(texts);
  compareColumn(column, texts, others, kernel);
  const rows = texts.map((text) => Buffer.from(text));
  const { bytes, offsets } = packed(rows, 7);
  assert.equal(contents(hasher.hashMany(rows)), contents(column), `${JSON.stringify(options)}, bytes`);
  assert.equal(contents(hasher.hashRows(bytes, offsets)), contents(column), `${JSON.stringify(options)}, rows`);
}

for (const kernel of ['simd', 'js'] as const) {
  test(`rows are the hashes of the expressions, one by one, however they are given: ${kernel}`, () => {
    const texts = [...urlTexts(kernel === 'simd' ? 2000 : 500), ...sampled(corpusLines('intl'), 400)];
    for (const reading of READINGS) compareDoors(texts, { ...reading, kernel });
  });
}

test('every width, private suffixes and another suffix list', () => {
  const texts = urlTexts(200);
  for (let width = 4; width <= 32; width++) compareDoors(texts, { width });
  compareDoors(texts, { privateSuffixes: false });
  compareDoors(texts, { suffixList: SuffixList.parse('com\n*.example\ngithub.io\n') });
});

test('URLs of every length around the limits of a batch and of the memory of the kernel, among short ones', () => {
  const long = (byteLength: number) => `http://a.b.c.d.e.f.com/1/2/3/4/${'x'.repeat(byteLength)}?q=%20`;
  const lengths = [1, 32_000, 33_000, 130_000, 200_000, 417_000, 418_000, 900_000];
  const texts = lengths.flatMap((byteLength) => [long(byteLength), 'http://h.com/\n', '']);
  compareDoors(texts, {});
  compareDoors(texts, { mode: 'union', profile: 'web-risk' });
});

test('a thousand rows of thirty expressions, which is more than a kernel call takes', () => {
  const urls = Array.from({ length: 1000 }, (_, index) => `http://a.b.c.d.e.f.g/1/2/3/4/${index}?q`);
  const column = new ExpressionHasher({ profile: 'web-risk' }).hashMany(urls);
  compareColumn(column, urls, { profile: 'web-risk' });
  assert.is(column.offsets[1000], 30_000);
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
  const hasher = new ExpressionHasher();
  assert.is(hasher.hashLines(Buffer.from('http://a.com/')).length, 1);
  assert.is(hasher.hashLines(Buffer.from('http://a.com/\n')).length, 1);
  assert.is(hasher.hashLines(new Uint8Array(0)).length, 0);
  const count = 3 * ROW_CAPACITY + 1;
  const column = hasher.hashLines(Buffer.from('\n'.repeat(count)));
  assert.equal([column.length, column.invalid.length, column.bytes.length], [count, count, 0]);
  assert.equal(rejectedIn(hasher.hashLines(Buffer.from('mailto:x\r\nmailto:x\r'))), ['mailto:x', 'mailto:x\r']);
});

test('there are no rows without offsets, or with one; bytes outside of the offsets are not read', () => {
  const hasher = new ExpressionHasher();
  assert.is(hasher.hashRows(Buffer.from('http://a/'), new Uint32Array(0)).length, 0);
  assert.is(hasher.hashRows(Buffer.from('http://a/'), Uint32Array.of(9)).length, 0);
  const column = hasher.hashRows(Buffer.from('xxhttp://a/yy'), Uint32Array.of(2, 11));
  assert.equal(column.hex(0), hasher.hashMany(['http://a/']).hex(0));
});

test('the caller may hash, and write over its bytes, between two URLs', () => {
  const scratch = new Uint8Array(32);
  function* urls(): Generator<UrlInput> {
    for (let index = 0; index < 1000; index++) {
      hashes(`http://elsewhere.com/${index}`);
      if (index % 300 === 7)
        new ExpressionHasher({ profile: 'web-risk' }).hashLines(Buffer.from('http://other.example/x/y\n'.repeat(900)));
      if (index % 2) yield `http://host.com/${index}`;
      else yield scratch.subarray(0, new TextEncoder().encodeInto(`http://host.com/${index}`, scratch).written);
    }
    new TextEncoder().encodeInto('http:///', scratch);
    yield scratch.subarray(0, 8);
    scratch.fill(0x78);
    const buffer = Buffer.from('http:///');
    yield buffer;
    buffer.fill(0x78);
  }
  const column = new ExpressionHasher().hashMany(urls());
  const given = Array.from({ length: 1000 }, (_, index) => `http://host.com/${index}`);
  compareColumn(column, [...given, Buffer.from('http:///'), Buffer.from('http:///')], {});
  for (const row of [1000, 1001])
    assert.is(column.errorAt(row)?.message, 'nothing to look up: "http:///": the host is empty (host-missing)');
});

test('a URL without a host costs its own row, and an error shows it as it was given', () => {
  const urls = ['http://a.com/', new URL('http://b.com/'), 'mailto:x', 'http://c.com/'];
  const column = new ExpressionHasher().hashMany(urls);
  assert.equal([[...column.invalid], [...column.offsets]], [[2], [0, 1, 2, 2, 3]]);
  assert.equal([column.errorAt(2)?.reason, column.errorAt(2)?.input], ['scheme-without-authority', 'mailto:x']);
  assert.instance(column.errorAt(2), SafeBrowsingUrlError);
  const rows = ['mailto:x\r', 'http://\n', '\r', '\r\n'].map((text) => Buffer.from(text));
  const { bytes, offsets } = packed(rows);
  const text = Buffer.concat(rows);
  const inputs = rows.map((row) => row.toString());
  const hasher = new ExpressionHasher();
  const columns = [hasher.hashRows(bytes, offsets), hasher.hashMany(rows)];
  const ofLines = hasher.hashLines(text);
  for (const given of [bytes, text, ...rows]) given.fill(0);
  for (const each of columns) assert.equal(rejectedIn(each), inputs);
  assert.equal(rejectedIn(ofLines), ['mailto:x\rhttp://', '\r']);
});

test('a column has its own memory, and nothing for rows that it does not have', () => {
  const column = new ExpressionHasher().hashMany(['http://a.com/', 'http://b.com/']);
  const [before] = column.hex(0);
  new ExpressionHasher().hashMany(['http://c.com/', 'http://d.com/']);
  assert.is(column.hex(0)[0], before);
  column.at(0)[0]!.fill(0);
  assert.is(column.hex(0)[0], before);
  for (const row of [-1, 2, 0.5, Number.NaN])
    assert.equal([column.at(row), column.hex(row), column.errorAt(row)], [[], [], undefined]);
  assert.is(new ExpressionHasher().hashMany([]).length, 0);
});

test('one URL is not a list: in a look-up its characters would read as safe', () => {
  const url = 'http://evil.example/';
  for (const urls of [url, new String(url), Buffer.from(url), null, undefined, 5, {}, { length: 1, 0: url }]) {
    const error = errorOf(() => new ExpressionHasher().hashMany(urls as never));
    assert.match(String(error), /^TypeError: urls must be a list of URLs, got/);
  }
  assert.is(new ExpressionHasher().hashMany(new Set([url])).length, 1);
});

test('lines are bytes, and rows are bytes and their offsets', () => {
  const hasher = new ExpressionHasher();
  const bytes = Buffer.from('http://evil.example/');
  const rows = (given: unknown, offsets: unknown) => () => hasher.hashRows(given as never, offsets as never);
  for (const [call, message] of [
    [() => hasher.hashLines('http://a.com/' as never), 'TypeError: text must be a Uint8Array, got string'],
    [rows('http://a/', Uint32Array.of(0)), 'TypeError: bytes must be a Uint8Array, got string'],
    [rows(bytes, [0]), 'TypeError: offsets must be a Uint32Array, got Array'],
    [rows(bytes, Uint32Array.of(0, 2, 1)), 'RangeError: offsets must be ascending, got 1 after 2 at index 2'],
    [rows(bytes, Uint32Array.of(0, 21)), 'RangeError: offsets must not exceed the 20 bytes, got 21 at index 1'],
  ] as const)
    assert.is(String(errorOf(call)), message);
});

test.run();
