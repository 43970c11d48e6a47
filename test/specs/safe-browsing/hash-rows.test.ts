import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DIGESTS } from '../../../assembly/layout.ts';
import { hexOfBytes } from '../../../src/core/bytes/hex.ts';
import type { Spans } from '../../../src/core/bytes/lines.ts';
import type { KernelName } from '../../../src/core/kernel/kernel.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { ExpressionHasher, SuffixList } from '../../../src/entries/safe-browsing.ts';
import { ExpressionReader } from '../../../src/specs/safe-browsing/batch.ts';
import { settingsOf } from '../../../src/specs/safe-browsing/settings.ts';
import { corpusLines, sampled } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { random } from '../../support/seed.ts';

const test = suite('safe-browsing: ExpressionHasher.hashRows');
const KERNELS = ['simd', 'js'] as const;
const SUFFIXES = SuffixList.parse('com\n*.example\ngithub.io\n');

/** Rows in Arrow's layout, `before` bytes after the beginning. */
function packed(rows: readonly Uint8Array[], before = 0): { bytes: Buffer; offsets: Uint32Array } {
  const offsets = new Uint32Array(rows.length + 1);
  offsets[0] = before;
  for (const [row, { length }] of rows.entries()) offsets[row + 1] = offsets[row]! + length;
  return { bytes: Buffer.concat([Buffer.alloc(before, 'x'), ...rows, Buffer.from('after')]), offsets };
}

/** Everything that a column says, but where it was proven: that depends on how rows come into memory. */
function contents(column: ReturnType<ExpressionHasher['hashMany']>): unknown {
  const { length, width, profile, bytes, offsets, invalid } = column;
  const errors = Array.from(invalid, (row) => {
    const { reason, place } = column.errorAt(row)!;
    return [reason, place];
  });
  return [length, width, profile, Buffer.from(bytes).toString('hex'), [...offsets], [...invalid], errors];
}

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

/** Texts of every kind, with line ends and marks within and around them. */
function urls(count: number): string[] {
  const next = random();
  const ends = ['', '', '', '\r', '\n', '\r\n', '\n\n', ' '];
  return Array.from({ length: count }, () => {
    const url = mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next).toWellFormed();
    return `${next(20) === 0 ? '\ufeff' : ''}${url}${ends[next(ends.length)]}`;
  });
}

for (const kernel of KERNELS) {
  test(`the rows are those of hashMany, of bytes and of strings, in every profile and mode: ${kernel}`, () => {
    const texts = [...urls(kernel === 'simd' ? 2000 : 500), ...sampled(corpusLines('intl'), 400)];
    const rows = texts.map((text) => Buffer.from(text));
    const { bytes, offsets } = packed(rows);
    for (const profile of ['web-risk', 'v5'] as const) {
      for (const mode of ['spec', 'browser', 'union'] as const) {
        const hasher = new ExpressionHasher({ profile, mode, kernel });
        const column = contents(hasher.hashRows(bytes, offsets));
        assert.equal(column, contents(hasher.hashMany(rows)), `${profile} ${mode}, bytes`);
        assert.equal(column, contents(hasher.hashMany(texts)), `${profile} ${mode}, strings`);
      }
    }
  });
}

test('every width, private suffixes and another suffix list', () => {
  const rows = urls(200).map((text) => Buffer.from(text));
  const { bytes, offsets } = packed(rows, 7);
  const options = [...Array(29).keys()].map((more) => ({ width: 4 + more }));
  for (const each of [...options, { privateSuffixes: false }, { suffixList: SUFFIXES }]) {
    const hasher = new ExpressionHasher(each);
    assert.equal(contents(hasher.hashRows(bytes, offsets)), contents(hasher.hashMany(rows)), JSON.stringify(each));
  }
});

test('rows of every size around a chunk and around the memory of the kernel, among short ones', () => {
  const long = [1, 32_000, 33_000, 130_000, 418_000].map((length) =>
    Buffer.from(`http://a.b.com/1/${'x'.repeat(length)}`),
  );
  const rows = long.flatMap((row) => [row, Buffer.from('http://h.com/\n'), Buffer.alloc(0)]);
  const { bytes, offsets } = packed(rows);
  const hasher = new ExpressionHasher();
  assert.equal(contents(hasher.hashRows(bytes, offsets)), contents(hasher.hashMany(rows)));
});

for (const kernel of KERNELS) {
  test(`rows that lie as lines or anywhere, and rows that are not looked at: ${kernel}`, () => {
    const rows = urls(3000).map((text) => Buffer.from(text));
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

test('bytes that are not UTF-8 count as they are', () => {
  const rows = ['http://a.com/\xff', 'http://\xc3.com/', '\xef\xbb\xbfhttp://a.com/', '\xff'].map((text) => {
    return Buffer.from(text, 'latin1');
  });
  const { bytes, offsets } = packed(rows, 3);
  const hasher = new ExpressionHasher({ mode: 'union' });
  assert.equal(contents(hasher.hashRows(bytes, offsets)), contents(hasher.hashMany(rows)));
});

test('no offsets and one offset are no rows; what lies outside of the offsets is not read', () => {
  const hasher = new ExpressionHasher();
  assert.is(hasher.hashRows(Buffer.from('http://a/'), new Uint32Array(0)).length, 0);
  assert.is(hasher.hashRows(Buffer.from('http://a/'), Uint32Array.of(9)).length, 0);
  const column = hasher.hashRows(Buffer.from('xxhttp://a/yy'), Uint32Array.of(2, 11));
  assert.equal(column.hex(0), hasher.hashMany(['http://a/']).hex(0));
});

test('an error shows its row as it was given, and the caller may write over the bytes', () => {
  const rows = ['mailto:x\r', 'http://\n', '\r', '\r\n'].map((text) => Buffer.from(text));
  const { bytes, offsets } = packed(rows);
  const hasher = new ExpressionHasher();
  const columns = [hasher.hashRows(bytes, offsets), hasher.hashMany(rows)];
  const inputs = rows.map((row) => row.toString());
  bytes.fill(0);
  for (const row of rows) row.fill(0);
  for (const column of columns) {
    const shown = inputs.map((_, row) => Buffer.from(column.errorAt(row)!.input as Uint8Array).toString());
    assert.equal(shown, inputs);
  }
});

test.run();
