import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type HashColumn, UrlHasher } from '../../../src/index.ts';
import { corpusLines } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { cases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { KERNELS } from '../kernel/kernels.ts';
import { countsOf } from './counts.ts';

/** Rows in Arrow's layout, after `before` bytes that belong to none. */
function packed(rows: readonly Uint8Array[], before = 0): [bytes: Uint8Array, offsets: Uint32Array] {
  let end = before;
  return [
    Buffer.concat([Buffer.alloc(before, '!'), ...rows, Buffer.from('after')]),
    Uint32Array.of(before, ...rows.map(({ length }) => (end += length))),
  ];
}

const decoded = (row: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(row);
const encoded = (texts: readonly string[]) => texts.map((text) => Buffer.from(text));

function assertSameRows(actual: HashColumn, expected: HashColumn): void {
  assert.is(actual.length, expected.length);
  for (let row = 0; row < expected.length; row++) {
    assert.is(actual.hex(row), expected.hex(row), `row ${row}`);
    assert.is(actual.errorAt(row)?.message, expected.errorAt(row)?.message, `row ${row}`);
  }
}

for (const { name } of KERNELS) {
  const tests = suite(`hashRows: ${name}`);
  const hasher = new UrlHasher({ kernel: name });
  const assertAsMany = (rows: readonly Uint8Array[], before?: number) =>
    assertSameRows(hasher.hashRows(...packed(rows, before)), hasher.hashMany(rows.map(decoded)));

  tests('rows of anything: line feeds, byte order marks, NUL, nothing, ill-formed UTF-8', () => {
    const rows = encoded([
      '\n',
      '',
      'http://a/\nb',
      '\r\nhttp://a\r\n',
      '\ufeffhttp://a/',
      'http://a/\ufeff',
      'http://a/\0',
      '\0http://a/',
      'http://A',
      'http://a',
      'http',
      '://a',
      'http://a/\r',
      'http://a/\r\r',
    ]);
    assertAsMany([...rows, Buffer.from('http://a/\xff\xc3', 'latin1'), ...rows]);
    assertAsMany(rows, 5);
  });

  tests('any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 20 }), fc.nat(9), (rows, before) =>
        assertAsMany(
          rows.map((row, index) => Buffer.concat([Buffer.from(index % 3 === 0 ? '' : 'http://e/'), row])),
          before,
        ),
      ),
      { numRuns: cases(100) },
    );
  });

  tests('mutated URLs, in columns of every size', () => {
    const next = random();
    const sources = [...SAMPLE_URLS, ...corpusLines('changed').slice(0, 2000)];
    for (const size of [0, 1, 2, 3, 100, 2047, 2048, 2049, cases(5000)])
      assertAsMany(encoded(Array.from({ length: size }, () => mutated(sources[next(sources.length)]!, next))));
  });

  tests('rows larger than a batch and than memory, among small ones', () => {
    const sizes = [131_063, 131_064, 131_072, 131_073, 300_000, 600_000];
    assertAsMany(encoded(sizes.flatMap((size) => ['http://a/', `http://b/${'x'.repeat(size - 9)}`, 'HTTP://c', ''])));
  });

  tests('the fast path is taken, as by lines', () => {
    const lines = Array.from({ length: 5000 }, (_, row) => `${row % 5 === 0 ? 'http://A' : 'http://a'}/${row}`);
    const hash = () => hasher.hashRows(...packed(encoded(lines)));
    const known = name === 'simd' ? 1 : 0;
    assert.equal(countsOf(hash), { provenCount: 4000 * known, rewrittenCount: 1000 * known });
    assertSameRows(hash(), hasher.hashLines(Buffer.from(lines.join('\n'))));
  });

  tests('a row with a line feed takes no other row off the fast path', () => {
    const lines = Array.from({ length: 3000 }, (_, row) => `http://a/${row}${row === 1500 ? '\n' : ''}`);
    const hash = () => hasher.hashRows(...packed(encoded(lines)));
    assert.is(countsOf(hash).provenCount, name === 'simd' ? 2999 : 0);
    assert.is(hash().invalid.length, 0);
  });

  tests('widths, and fragments left out', () => {
    const rows = SAMPLE_URLS.map((url) => Buffer.from(url));
    for (const width of [8, 16, 32] as const) {
      const other = new UrlHasher({ kernel: name, width, excludeFragment: true });
      assertSameRows(other.hashRows(...packed(rows)), other.hashMany(rows.map(decoded)));
    }
  });

  tests.run();
}

const offsets = suite('hashRows: offsets');
const hasher = new UrlHasher();
const bytes = Buffer.from('http://a/http://b/');

offsets('none, one, and those of a part', () => {
  assert.is(hasher.hashRows(bytes, new Uint32Array()).length, 0);
  assert.is(hasher.hashRows(bytes, Uint32Array.of(7)).length, 0);
  assertSameRows(hasher.hashRows(bytes, Uint32Array.of(9, 18)), hasher.hashMany(['http://b/']));
  assertSameRows(hasher.hashRows(bytes.subarray(9), Uint32Array.of(0, 0, 9)), hasher.hashMany(['', 'http://b/']));
});

offsets('that descend or lie outside are refused by their index', () => {
  for (const [wrong, message] of [
    [[0, 9, 8, 18], 'offsets must be ascending, got 8 after 9 at index 2'],
    [[1, 0], 'offsets must be ascending, got 0 after 1 at index 1'],
    [[0, 19], 'offsets must not exceed the 18 bytes, got 19 at index 1'],
    [[19], 'offsets must not exceed the 18 bytes, got 19 at index 0'],
    [[0, 9, 2 ** 32 - 1], 'offsets must not exceed the 18 bytes, got 4294967295 at index 2'],
  ] as const) {
    const error = errorOf(() => hasher.hashRows(bytes, Uint32Array.from(wrong)));
    assert.instance(error, RangeError);
    assert.is(error.message, message);
  }
});

offsets('of the wrong kind are refused', () => {
  for (const wrong of [[0, 9], Int32Array.of(0, 9), new BigUint64Array(2), null, undefined, 'x'])
    assert.instance(
      errorOf(() => hasher.hashRows(bytes, wrong as never)),
      TypeError,
    );
  for (const wrong of ['http://a/', null, new ArrayBuffer(9)])
    assert.instance(
      errorOf(() => hasher.hashRows(wrong as never, Uint32Array.of(0, 0))),
      TypeError,
    );
});

offsets.run();
