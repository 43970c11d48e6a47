import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type HashColumn, hashStream, profileOf, UrlHasher } from '../../../src/index.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { cases, random } from '../../support/seed.ts';
import { KERNELS } from '../kernel/kernels.ts';

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

const tests = suite('columns');

tests('a column names the profile of its hashes', () => {
  for (const excludeFragment of [true, false])
    assert.is(new UrlHasher({ excludeFragment }).hashMany([]).profile, profileOf({ excludeFragment }));
});

tests('rowBounds is a boolean, and no option of hashStream', () => {
  assert.throws(() => new UrlHasher({ rowBounds: 1 as never }), /rowBounds must be a boolean, got number/);
  assert.throws(() => hashStream({ rowBounds: true } as never), /options has no "rowBounds"/);
});

tests.run();
