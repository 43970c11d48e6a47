import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linesEndingIn } from '../../../src/command/read/lines.ts';
import { canonicalStage } from '../../../src/command/work/urls.ts';
import { batchesOfLines, batchesOfRows, type Hashing, type UrlBatch } from '../../../src/core/bulk/hash-rows.ts';
import { LINE_FEED } from '../../../src/core/bytes/code-points.ts';
import { canonicalForm } from '../../../src/core/url/canonicalize.ts';
import { formOf } from '../../../src/core/url/options.ts';
import { parsedUrl } from '../../../src/core/url/parsed-url.ts';
import type { UrlRecord } from '../../../src/core/url/record.ts';
import { type HashColumn, hashStream, profileOf, UrlHasher } from '../../../src/index.ts';
import { batchesOf, spanAt } from '../../command/rows.ts';
import { corpusLines } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { cases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { KERNELS, messageOf } from '../kernel/kernels.ts';
import { countsOf } from './counts.ts';

const BASE = parsedUrl('https://base.example/a/b', undefined) as UrlRecord;
const next = random();

const SOURCES: Readonly<Record<string, readonly string[]>> = {
  // The first is plain, since a byte order mark at the start of a text belongs to no line.
  'of every kind': [
    'http://a/',
    // What long runs stumbled on: halves of a surrogate pair in neighbours, a byte order mark, a carriage return.
    'http://a/\ud83d',
    '\ude00',
    '\ude00http://b/',
    '\ufeffhttp://c/',
    'http://c/\ufeff',
    ...Array.from({ length: cases(500) }, () =>
      mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next).replaceAll(/[\r\n]/g, ''),
    ),
  ],
  'longer than memory, among short ones': [
    'http://a/',
    `http://a/${'x'.repeat(500_000)}`,
    'HTTP://B',
    `http://A/${'é'.repeat(200_000)}/./`,
    'not a URL',
    `not a URL ${'y'.repeat(500_000)}`,
    'http://c',
  ],
  'of which the parser fills the room again and again': Array.from(
    { length: 3000 },
    (_, row) => `http://例え.example/${row}/${'中'.repeat(60)}/./`,
  ),
  'of which the kernel rewrites so many bytes that the room after the text fills': Array.from(
    { length: 3000 },
    (_, row) => `http://example.com/${row}/${'中'.repeat(30 + (row % 40))} /`,
  ),
};

for (const kernel of KERNELS) {
  const tests = suite(`canonical forms of a batch: ${kernel.name}`);

  for (const [what, urls] of Object.entries(SOURCES)) {
    for (const [base, excludeFragment] of [
      [undefined, false],
      [BASE, true],
    ] as const) {
      tests(
        `${what}${base ? ', with a base and without fragments' : ''}: alone, beside the hashes, and by the command's stage`,
        () => {
          const form = formOf({ excludeFragment });
          const hashing = { kernel, base, form, width: 8 } as const;
          const expected = urls.map((url) => {
            const canonical = canonicalForm(url, base, form);
            return typeof canonical === 'string' ? canonical : '';
          });
          const text = Buffer.from(urls.map((url) => `${url}\n`).join(''));
          const { rows, offsets } = encoded(urls);
          for (const [name, forms] of Object.entries({
            lines: formsIn(hashing, batchesOfLines(hashing, text), false),
            'lines and hashes': formsIn(hashing, batchesOfLines(hashing, text), true),
            rows: formsIn(hashing, batchesOfRows(hashing, rows, offsets), false),
            'rows and hashes': formsIn(hashing, batchesOfRows(hashing, rows, offsets), true),
            'the stage': formsOfStage(hashing, text),
          })) {
            assert.is(forms.length, urls.length, name);
            forms.forEach((found, row) => void (found === expected[row] || assert.is(found, expected[row], name)));
          }
        },
      );
    }
  }

  tests.run();
}

/** The form of each row, '' for one without: where the batch says, before or after it was hashed. */
function formsIn({ kernel, width }: Hashing, batches: Iterable<UrlBatch>, isHashed: boolean): string[] {
  const forms: string[] = [];
  for (const batch of batches) {
    if (isHashed) batch.hash(width);
    for (let row = 0; row < batch.rowCount; row++)
      forms.push(batch.longForms.get(row) ?? messageOf(kernel.memory, row) ?? '');
  }
  return forms;
}

function formsOfStage(hashing: Hashing, text: Uint8Array): string[] {
  const { kernel } = hashing;
  const framing = linesEndingIn({ lineEnd: LINE_FEED, skipsBlank: false, kernel });
  const stage = canonicalStage(hashing);
  return Array.from(batchesOf(framing, [text]), (rows) => {
    const { texts } = stage(rows, 0);
    return Array.from({ length: rows.length }, (_, row) => spanAt(texts!, row).toString('latin1'));
  }).flat();
}

/** Each URL encoded by itself: joined first, half a surrogate pair would meet its other half in the next URL. */
function encoded(urls: readonly string[]): { rows: Buffer; offsets: Uint32Array } {
  const pieces = urls.map((url) => Buffer.from(url));
  const offsets = new Uint32Array(urls.length + 1);
  for (const [row, piece] of pieces.entries()) offsets[row + 1] = offsets[row]! + piece.length;
  return { rows: Buffer.concat(pieces), offsets };
}

/** Rows in Arrow's layout, after `before` bytes that belong to none. */
function packed(rows: readonly Uint8Array[], before = 0): [bytes: Uint8Array, offsets: Uint32Array] {
  let end = before;
  return [
    Buffer.concat([Buffer.alloc(before, '!'), ...rows, Buffer.from('after')]),
    Uint32Array.of(before, ...rows.map(({ length }) => (end += length))),
  ];
}

const decoded = (row: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(row);
const bytesOf = (texts: readonly string[]) => texts.map((text) => Buffer.from(text));

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
    const rows = bytesOf([
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
      assertAsMany(bytesOf(Array.from({ length: size }, () => mutated(sources[next(sources.length)]!, next))));
  });

  tests('rows larger than a batch and than memory, among small ones', () => {
    const sizes = [131_063, 131_064, 131_072, 131_073, 300_000, 600_000];
    assertAsMany(bytesOf(sizes.flatMap((size) => ['http://a/', `http://b/${'x'.repeat(size - 9)}`, 'HTTP://c', ''])));
  });

  tests('the fast path is taken, as by lines', () => {
    const lines = Array.from({ length: 5000 }, (_, row) => `${row % 5 === 0 ? 'http://A' : 'http://a'}/${row}`);
    const hash = () => hasher.hashRows(...packed(bytesOf(lines)));
    const known = name === 'simd' ? 1 : 0;
    assert.equal(countsOf(hash), { provenCount: 4000 * known, rewrittenCount: 1000 * known });
    assertSameRows(hash(), hasher.hashLines(Buffer.from(lines.join('\n'))));
  });

  tests('a row with a line feed takes no other row off the fast path', () => {
    const lines = Array.from({ length: 3000 }, (_, row) => `http://a/${row}${row === 1500 ? '\n' : ''}`);
    const hash = () => hasher.hashRows(...packed(bytesOf(lines)));
    assert.is(countsOf(hash).provenCount, name === 'simd' ? 2999 : 0);
    assert.is(hash().invalid.length, 0);
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

/** The lines of a text and where they are, by a loop over its bytes. */
function linesOf(text: Uint8Array): [start: number, end: number][] {
  const lines: [number, number][] = [];
  let start = text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? 3 : 0;
  for (let at = start; at <= text.length; at++) {
    if (at < text.length && text[at] !== 0x0a) continue;
    if (at === text.length && start === at) break;
    const isReturn = at < text.length && at > start && text[at - 1] === 0x0d;
    lines.push([start, isReturn ? at - 1 : at]);
    start = at + 1;
  }
  return lines;
}

function boundsOf({ rowStarts, rowEnds }: HashColumn): [number, number][] {
  return Array.from(rowStarts!, (start, row) => [start, rowEnds![row]!]);
}

const TEXTS: Readonly<Record<string, Uint8Array>> = {
  'no text': Buffer.from(''),
  'one line without an end': Buffer.from('http://a/'),
  'line ends of every kind': Buffer.from('http://a/\n\r\n\nHTTP://B\r\nhttp://c\r\r\n'),
  'a byte order mark': Buffer.from('\ufeffhttp://a/\nx\n\ufeffy'),
  'only a byte order mark': Buffer.from('\ufeff'),
  'a line longer than a batch': Buffer.from(`http://a/\nhttp://b/${'x'.repeat(300_000)}\r\nhttp://c/\n`),
  'more rows than a batch has': Buffer.from('http://Example.com\r\n\n'.repeat(5000)),
  'bytes that are not UTF-8': Buffer.from('http://a/\xff\n\xc3\nhttp://\xe4/\n', 'latin1'),
};

for (const { name } of KERNELS) {
  const tests = suite(`rowBounds: ${name}`);
  const hasher = new UrlHasher({ kernel: name, rowBounds: true });
  const plain = new UrlHasher({ kernel: name });

  for (const [kind, text] of Object.entries(TEXTS)) {
    tests(`lines: ${kind}`, () => {
      const column = hasher.hashLines(text);
      assert.equal(boundsOf(column), linesOf(text));
      assert.equal(column.bytes, plain.hashLines(text).bytes);
    });
  }

  tests('lines: random ones, with any line ends', () => {
    const next = random();
    for (let count = 0; count < cases(30); count++) {
      const text = Buffer.concat(
        Array.from({ length: next(100) }, () =>
          Buffer.from(mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next) + ['\n', '\r\n', '\r', ''][next(4)]),
        ),
      );
      assert.equal(boundsOf(hasher.hashLines(text)), linesOf(text));
    }
  });

  tests('rows: the offsets given', () => {
    const bytes = Buffer.from('..http://a/\nHTTP://B..');
    const column = hasher.hashRows(bytes, Uint32Array.of(2, 11, 12, 12, 20));
    assert.equal(boundsOf(column), [
      [2, 11],
      [11, 12],
      [12, 12],
      [12, 20],
    ]);
    assert.equal(boundsOf(hasher.hashRows(bytes, new Uint32Array(0))), []);
  });

  tests('undefined for strings, and unless asked for', () => {
    for (const column of [hasher.hashMany(['http://a/']), plain.hashLines(Buffer.from('http://a/'))])
      assert.equal([column.rowStarts, column.rowEnds], [undefined, undefined]);
  });

  tests.run();
}

const columns = suite('columns');

columns('a column names the profile of its hashes', () => {
  for (const excludeFragment of [true, false])
    assert.is(new UrlHasher({ excludeFragment }).hashMany([]).profile, profileOf({ excludeFragment }));
});

columns('rowBounds is a boolean, and no option of hashStream', () => {
  assert.throws(() => new UrlHasher({ rowBounds: 1 as never }), /rowBounds must be a boolean, got number/);
  assert.throws(() => hashStream({ rowBounds: true } as never), /options has no "rowBounds"/);
});

columns.run();
