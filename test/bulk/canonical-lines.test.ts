import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CanonicalLines } from '../../src/bulk/canonical-lines.ts';
import { addLines, hashLines } from '../../src/bulk/lines.ts';
import { addRows, hashRows } from '../../src/bulk/rows.ts';
import { LINE_FEED } from '../../src/bytes/code-points.ts';
import { canonicalForm } from '../../src/url/canonicalize.ts';
import { formOf } from '../../src/url/options.ts';
import { parseUrl } from '../../src/url/parser.ts';
import type { UrlRecord } from '../../src/url/record.ts';
import { KERNELS } from '../kernel/kernels.ts';
import { mutated, SAMPLE_URLS } from '../samples.ts';
import { cases, random } from '../seed.ts';

const BASE = parseUrl('https://base.example/a/b', undefined) as UrlRecord;
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
    ...Array.from({ length: cases(1500) }, () =>
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
};

for (const kernel of KERNELS) {
  const tests = suite(`canonical lines: ${kernel.name}`);

  for (const [what, urls] of Object.entries(SOURCES)) {
    for (const [base, excludeFragment] of [
      [undefined, false],
      [BASE, true],
    ] as const) {
      tests(`${what}${base ? ', with a base and without fragments' : ''}: alone and beside the hashes`, () => {
        const form = formOf({ excludeFragment });
        const reading = { kernel, base, form };
        const forms = urls.map((url) => canonicalForm(url, base, form));
        const expected = forms.map((form) => (typeof form === 'string' ? `${form}\n` : '\n')).join('');
        const text = Buffer.from(urls.map((url) => `${url}\n`).join(''));
        const { rows, offsets } = encoded(urls);
        for (const collect of [
          (lines: CanonicalLines) => addLines(reading, text, lines),
          (lines: CanonicalLines) => hashLines({ ...reading, width: 8 }, text, lines),
          (lines: CanonicalLines) => addRows(reading, rows, offsets, lines),
          (lines: CanonicalLines) => hashRows({ ...reading, width: 8 }, rows, offsets, lines),
        ]) {
          const lines = new CanonicalLines(reading, LINE_FEED);
          collect(lines);
          assert.ok(Buffer.from(lines.bytes).equals(Buffer.from(expected)), String(collect));
          assert.is(lines.rowCount, urls.length);
        }
      });
    }
  }

  tests.run();
}

/** Each URL encoded by itself: joined first, half a surrogate pair would meet its other half in the next URL. */
function encoded(urls: readonly string[]): { rows: Buffer; offsets: Uint32Array } {
  const pieces = urls.map((url) => Buffer.from(url));
  const offsets = new Uint32Array(urls.length + 1);
  for (const [row, piece] of pieces.entries()) offsets[row + 1] = offsets[row]! + piece.length;
  return { rows: Buffer.concat(pieces), offsets };
}
