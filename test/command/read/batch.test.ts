import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SCANNED, SPANS, STATE } from '../../../assembly/layout.ts';
import { expressionStage } from '../../../src/command/commands/expression-lines.ts';
import { openFraming } from '../../../src/command/commands/line-plan.ts';
import { ListEntryStage, ListFile } from '../../../src/command/commands/list-entries.ts';
import { openAnswerFormat, SumStage } from '../../../src/command/commands/sum-lines.ts';
import { addedName, type Framing, type Records } from '../../../src/command/read/framing.ts';
import type { Format, OnError, Results, Stage } from '../../../src/command/work/results.ts';
import { LINES, openTextFormat, textStage } from '../../../src/command/work/texts.ts';
import { canonicalStage, hashStage } from '../../../src/command/work/urls.ts';
import { attached, buffersOf, detached } from '../../../src/command/work/work.ts';
import { addedNames, type HashFormatName, openHashFormat } from '../../../src/command/write/hashes.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { canonicalForm } from '../../../src/core/url/canonicalize.ts';
import { FULL_FORM } from '../../../src/core/url/options.ts';
import { PROFILE } from '../../../src/index.ts';
import { settingsOf } from '../../../src/specs/safe-browsing/settings.ts';
import { BUNDLED_LIST } from '../../../src/specs/safe-browsing/suffix-list.ts';
import { urlLineReader } from '../../../src/specs/safe-browsing/url-line.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { file } from '../../support/scratch.ts';
import { random, SCALE } from '../../support/seed.ts';
import { urlsum } from '../command.ts';
import { type Way, written } from '../rows.ts';

const tests = suite('batches in the kernel’s memory');
const next = random();
const kernel = openKernel();

/** Fills what the kernel knows of rows, their text and their digests: who still reads them reads this. */
function poison(): void {
  kernel.memory.bytes.fill(0xaa, SCANNED, STATE);
  kernel.memory.bytes.fill(0xaa, SPANS);
}

/** Each batch is gone when the next is asked for, and all of memory when a batch is written. */
function poisoned<R extends Results>({ framing, stage, format, ...way }: Way<R>): Way<R> {
  return {
    ...way,
    stage,
    framing: {
      cutter: () => framing.cutter(),
      ...(framing.stateOf && { stateOf: (block: Uint8Array, before: unknown) => framing.stateOf!(block, before) }),
      *batches(block, state) {
        poison();
        for (const rows of framing.batches(block, state)) {
          yield rows;
          poison();
        }
      },
    } satisfies Framing,
    format: {
      write(results, kept, out) {
        format.write(results, kept, out);
        poison();
      },
      end: () => format.end?.() ?? [],
    },
  };
}

/** Results as they come from another thread: what lies in the kernel's memory was copied there. */
function posted<R extends Results>(way: Way<R>): Way<R> {
  const stage: Stage<R> = (batch, rowsBefore) => {
    const results = detached(way.stage(batch, rowsBefore));
    poison();
    return attached(structuredClone(results, { transfer: buffersOf(results) }), kernel) as R;
  };
  return { ...way, stage };
}

const URLS = Array.from({ length: 2200 }, (_, row) => {
  const url = [`https://example.com/${row}`, SAMPLE_URLS[next(SAMPLE_URLS.length)]!][next(2)]!;
  return (next(3) === 0 ? mutated(url, next) : url).replace(/[\r\n\0\t]/g, '');
});
URLS[1234] = `http://a/${'x'.repeat(200_000)}`;
URLS[1235] = `http://A/${'é'.repeat(10_000)}/./`;

const lineOf: Readonly<Record<Records['kind'], (url: string) => string>> = {
  csv: (url) => `${next(50) === 0 ? '' : '1,'}"${url.replaceAll('"', '""')}"`,
  delimited: (url) => `${next(50) === 0 ? '' : '1\t'}${url}`,
  json: (url) => (next(50) === 0 ? '{}' : `{"a":1,"url":${JSON.stringify(url)} }`),
  cdx: (url) => (next(50) === 0 ? ' CDX N b a m' : `k 2026 {"url":${JSON.stringify(url)}}`),
  log: (url) => (next(50) === 0 ? '"-"' : `10.0.0.7 - - [24/Nov/2026:02:01:00 +0000] "GET ${url} HTTP/1.1" 200 5`),
};

interface Input {
  readonly name: string;
  readonly lineEnd: number;
  readonly skipsBlank: boolean;
  readonly records: Records | undefined;
  readonly text: Buffer;
}

const INPUTS: readonly Input[] = [
  { name: 'lines', lineEnd: 0x0a, skipsBlank: false, records: undefined, text: Buffer.from(URLS.join('\n')) },
  { name: 'CR LF', lineEnd: 0x0a, skipsBlank: true, records: undefined, text: Buffer.from(URLS.join('\r\n')) },
  { name: '-z', lineEnd: 0, skipsBlank: false, records: undefined, text: Buffer.from(URLS.join('\0')) },
  ...(
    [
      { kind: 'csv', delimiter: ',', column: 'url' },
      { kind: 'delimited', delimiter: '\t', column: '2' },
      { kind: 'json', delimiter: '', column: 'url' },
      { kind: 'cdx', delimiter: ' ', column: '' },
      { kind: 'log', delimiter: '\t', column: '' },
    ] as const
  ).map((records) => ({
    name: records.kind,
    lineEnd: 0x0a,
    skipsBlank: records.kind === 'json',
    records,
    text: Buffer.from([records.kind === 'csv' ? 'id,url' : '1\tb', ...URLS.map(lineOf[records.kind])].join('\n')),
  })),
];

const LINE_FORMATS = ['text', 'hex', 'u64', 'tsv', 'ndjson', 'bin'] as const;
const RECORD_FORMATS = ['text', 'u64'] as const;

/** All of them in the long run: skip and fail choose rows as keep does, and threads do not know of formats. */
const ON_ERROR: readonly OnError[] = SCALE < 10 ? ['null', 'keep'] : ['null', 'keep', 'skip', 'fail'];

/** Threads do not know how rows were found: a short run tries one input of each kind on them. */
const ON_THREADS = ['lines', 'csv', 'json'];

function threadFormats(records: Records | undefined): readonly HashFormatName[] {
  const formats = records === undefined ? LINE_FORMATS : RECORD_FORMATS;
  return SCALE < 10 ? formats.filter((format) => ['text', 'tsv'].includes(format)) : formats;
}

/** Several blocks, each of whole rows. */
function blocksOf({ text, lineEnd }: Input): readonly Uint8Array[] {
  const middle = text.indexOf(lineEnd, text.length / 2) + 1;
  // as the command has them: `slice` of a Buffer is no copy
  return [Uint8Array.from(text.subarray(0, middle)), Uint8Array.from(text.subarray(middle))];
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the whole output, by a format of its own each time. */
async function outputOf<R extends Results>(open: () => Promise<Way<R>>, input: Input, change: (way: Way<R>) => Way<R>) {
  const way = change(await open());
  const output = Buffer.concat([
    written(way, blocksOf(input)),
    ...Array.from(way.format.end?.() ?? [], (each) => each.slice()),
  ]);
  return output.length < 100_000 ? output.toString('latin1') : `${output.length} bytes, ${digestOf(output)}`;
}

function framingOf({ lineEnd, skipsBlank, records }: Input): Promise<Framing> {
  return openFraming({ lineEnd, skipsBlank, records, isText: true, kernel });
}

function hashFormat(format: HashFormatName, { lineEnd, records }: Input, addsCanonical: boolean): Format {
  const added = addedNames({ canonical: addsCanonical, hashName: undefined });
  const forms = { profile: PROFILE, formOf: (url: string) => canonicalForm(url) };
  return openHashFormat({ kernel, lineEnd, records, added }, { format }, forms);
}

/** Formats of lines do not know how rows were found: for the other inputs of lines, one of each kind is enough. */
function formatsOf({ name, records }: Input): readonly HashFormatName[] {
  if (records !== undefined) return RECORD_FORMATS;
  return name === 'lines' || SCALE >= 10 ? LINE_FORMATS : ['text', 'bin'];
}

for (const input of INPUTS) {
  const formats = formatsOf(input);
  tests(
    `${input.name}: hashes in every format are the same whatever lies in memory later, and when posted`,
    async () => {
      for (const format of formats) {
        for (const onError of ON_ERROR) {
          const addsCanonical = input.records !== undefined && onError === 'keep';
          const open = async () => ({
            framing: await framingOf(input),
            stage: hashStage({ kernel, width: 16, form: FULL_FORM }, onError),
            format: hashFormat(format, input, addsCanonical),
            onError,
          });
          const expected = await outputOf(open, input, (way) => way);
          assert.is(await outputOf(open, input, poisoned), expected, `${format} ${onError}`);
          assert.is(await outputOf(open, input, posted), expected, `${format} ${onError}, posted`);
        }
      }
    },
  );

  tests(
    `${input.name}: canonical forms, texts, expressions and lists are the same whatever lies in memory later`,
    async () => {
      const form = (value: Uint8Array) => `<${Buffer.from(value).toString('latin1')}>`;
      const settings = settingsOf({});
      const reading = { profile: 'v5', mode: 'spec' } as const;
      const readLine = urlLineReader(false);
      const entryOptions = {
        ...{ kernel, width: 8, reading, suffixList: BUNDLED_LIST, readLine },
        ...{ hasRules: false, namesLeftOut: false },
      };
      const ways: readonly ((framing: Framing) => Way<Results>)[] = [
        (framing) => ({
          framing,
          stage: canonicalStage({ kernel, form: FULL_FORM }),
          format: openTextFormat({ ...input, added: [addedName('canonical')] }),
        }),
        (framing) => ({
          framing,
          stage: textStage(form),
          format: openTextFormat({ ...input, added: [addedName('text')] }),
        }),
        (framing) => ({
          framing,
          stage: expressionStage(kernel, { settings, shownBytes: 32, keepsInvalid: false, lineEnd: input.lineEnd }),
          format: LINES,
        }),
        (framing) => ({
          framing,
          stage: new ListEntryStage(entryOptions).run,
          format: new ListFile(8, { profile: 'v5' }) as Format,
          onError: 'skip',
        }),
      ];
      for (const [index, way] of ways.entries()) {
        const open = async () => way(await framingOf(input));
        const expected = await outputOf(open, input, (each) => each);
        assert.ok(expected.length > 40, `${index}`);
        assert.is(await outputOf(open, input, poisoned), expected, `${index}`);
      }
    },
  );
}

for (const input of INPUTS.filter(({ records }) => records === undefined)) {
  tests(`${input.name}: a check says the same whatever lies in memory later`, async () => {
    const open = async () => ({
      framing: await framingOf(input),
      stage: hashStage({ kernel, width: 16, form: FULL_FORM }, 'keep'),
      format: hashFormat('text', input, false),
      onError: 'keep' as const,
    });
    const sums = written(await open(), [input.text]);
    for (let at = 100; at < sums.length; at += 5000) sums[at] = sums[at]! ^ 1; // some fail
    const check = async () => ({
      framing: await framingOf(input),
      stage: new SumStage({ kernel, width: 32, form: FULL_FORM }).run,
      format: openAnswerFormat({ kernel, lineEnd: input.lineEnd }, 'all'),
    });
    const expected = await outputOf(check, { ...input, text: sums }, (way) => way);
    assert.is(await outputOf(check, { ...input, text: sums }, poisoned), expected);
  });
}

tests('--dedup on two threads: every format as on one', () => {
  for (const { name, records, text, lineEnd } of INPUTS) {
    if (SCALE < 10 && !ON_THREADS.includes(name)) continue;
    const path = file('input', text);
    const reading = {
      csv: ['--csv', '-f', 'url'],
      delimited: ['--tsv', '-f', '2'],
      json: ['--json', 'url'],
      cdx: ['--cdx'],
      log: ['--log'],
    };
    const flags = records === undefined ? (lineEnd === 0 ? ['-z'] : []) : reading[records.kind];
    for (const format of threadFormats(records)) {
      const args = ['--dedup', '--quiet', '--format', format, ...flags, path];
      const [one, two] = ['1', '2'].map((threads) => urlsum(['-j', threads, ...args]));
      assert.ok(one!.stdout.length > 1000, `${name} ${format}: ${one!.stderr}`);
      assert.is(digestOf(two!.stdout), digestOf(one!.stdout), `${name} ${format}`);
      assert.equal([two!.status, two!.stderr], [one!.status, one!.stderr], `${name} ${format}`);
    }
  }
});

tests.run();
