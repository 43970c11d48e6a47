import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFraming } from '../../../src/command/commands/line-plan.ts';
import type { Framing, Records } from '../../../src/command/read/framing.ts';
import type { OnError } from '../../../src/command/work/results.ts';
import { hashStage } from '../../../src/command/work/urls.ts';
import { addedNames, openHashFormat } from '../../../src/command/write/hashes.ts';
import { RecordFormat } from '../../../src/command/write/records.ts';
import { LINE_FEED } from '../../../src/core/bytes/code-points.ts';
import { LineBlocks } from '../../../src/core/bytes/lines.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { canonicalForm } from '../../../src/core/url/canonicalize.ts';
import { FULL_FORM } from '../../../src/core/url/options.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { random } from '../../support/seed.ts';
import { written } from '../rows.ts';

const test = suite('records that gain fields');
const next = random();
const kernel = openKernel();

interface Kind {
  readonly records: Records;
  /** The record that says how many columns there are. */
  readonly first?: string;
  line(url: string): string;
}

/** A line of each kind, now and then one that is not a record, blank or a header. */
const KINDS: Readonly<Record<string, Kind>> = {
  json: {
    records: { kind: 'json', delimiter: '', column: 'url' },
    line: (url) =>
      ['[]', '{}', '', `{"url":${JSON.stringify(url)},"a":1 } `, `{"url":${JSON.stringify(url)}}`][next(5)]!,
  },
  cdx: {
    records: { kind: 'cdx', delimiter: ' ', column: '' },
    line: (url) =>
      [
        ' CDX N b a m s k r V g',
        `k 2026 ${url} text/html 200 X - 1 a.gz`,
        `k 2026 {"url":${JSON.stringify(url)}}`,
        `k 2026 {"url":${JSON.stringify(url)}}\t`,
        'k',
        '',
      ][next(6)]!,
  },
  csv: {
    records: { kind: 'csv', delimiter: ',', column: '2' },
    first: '1,http://a/',
    line: (url) => [`1,"${url.replaceAll('"', '""')}"`, `1,${url}`, '"a\nb",http://a/', '1', '"x"y,', ''][next(6)]!,
  },
  delimited: {
    records: { kind: 'delimited', delimiter: '|', column: '2' },
    first: '1|http://a/',
    line: (url) => [`1|${url}`, '1', ''][next(3)]!,
  },
};

interface Writing {
  readonly framing: Framing;
  readonly records: Records;
  readonly addsCanonical?: boolean;
  readonly onError?: OnError;
}

/** Returns what is written of blocks. */
async function outputOf(
  { framing, records, addsCanonical = false, onError = 'null' }: Writing,
  blocks: readonly Uint8Array[],
): Promise<string> {
  const added = addedNames({ canonical: addsCanonical, hashName: undefined });
  const format = openHashFormat(
    { kernel, lineEnd: LINE_FEED, records, added },
    { format: 'text' },
    { profile: '', formOf: (url) => canonicalForm(url) },
  );
  assert.instance(format, RecordFormat);
  const stage = hashStage({ kernel, width: 16, form: FULL_FORM }, onError);
  return written({ framing, stage, format, onError }, blocks).toString('latin1');
}

/** Blocks of whole rows, as the command cuts them where its input comes in such pieces. */
function cut(framing: Framing, text: Buffer, byteLength: number): Uint8Array[] {
  const lines = new LineBlocks(framing.cutter());
  const blocks: Uint8Array[] = [];
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = Math.min(text.length, at + 1 + next(byteLength));
    blocks.push(lines.push(text.subarray(at, end)).slice());
  }
  return [...blocks, lines.end().slice()].filter(({ length }) => length > 0);
}

for (const [name, { records, first, line }] of Object.entries(KINDS)) {
  test(`${name}: written block by block as whole, whatever the cuts`, async () => {
    for (let round = 0; round < 60; round++) {
      const urls = SAMPLE_URLS.filter((url) => !/[\r\n]/.test(url) && (name !== 'cdx' || !url.includes(' ')));
      const others = Array.from({ length: next(40) }, () => line(urls[next(urls.length)]!));
      const lines = first === undefined ? others : [first, ...others];
      const text = Buffer.from(lines.join(['\n', '\r\n'][next(2)]) + ['', '\n', '\r\n', '\r'][next(4)]);
      const onError = (['null', 'keep', 'skip', 'fail'] as const)[round % 4]!;
      const framing = await openFraming({
        lineEnd: LINE_FEED,
        records,
        skipsBlank: next(2) === 0,
        isText: false,
        kernel,
      });
      const whole = text.length === 0 ? [] : [new Uint8Array(text)];
      const writing = { framing, records, addsCanonical: next(2) === 0, onError };
      const expected = await outputOf(writing, whole);
      if (onError === 'fail') continue; // the end of a run is kept elsewhere
      const pieces = cut(framing, text, 1 + next(200));
      assert.is(await outputOf(writing, pieces), expected, JSON.stringify(text.toString()));
    }
  });
}

test.run();
