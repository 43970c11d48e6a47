import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_MESSAGE } from '../../../assembly/layout.ts';
import { linesEndingIn } from '../../../src/command/read/lines.ts';
import { canonicalStage } from '../../../src/command/work/urls.ts';
import { batchesOfLines, batchesOfRows, type Hashing, type UrlBatch } from '../../../src/core/bulk/hash-rows.ts';
import { LINE_FEED } from '../../../src/core/bytes/code-points.ts';
import { canonicalForm } from '../../../src/core/url/canonicalize.ts';
import { formOf } from '../../../src/core/url/options.ts';
import { parsedUrl } from '../../../src/core/url/parsed-url.ts';
import type { UrlRecord } from '../../../src/core/url/record.ts';
import { batchesOf, spanAt } from '../../command/rows.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { cases, random } from '../../support/seed.ts';
import { KERNELS } from '../kernel/kernels.ts';

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
  const { bytes, spans } = kernel.memory;
  const forms: string[] = [];
  for (const batch of batches) {
    if (isHashed) batch.hash(width);
    for (let row = 0; row < batch.rowCount; row++) {
      const [at, byteLength] = [spans[2 * row]!, spans[2 * row + 1]!];
      const form = byteLength === NO_MESSAGE ? '' : Buffer.from(bytes.slice(at, at + byteLength)).toString('latin1');
      forms.push(batch.longForms.get(row) ?? form);
    }
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
