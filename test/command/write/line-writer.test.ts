import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROW_CAPACITY, TEXT, TEXT_END } from '../../../assembly/layout.ts';
import {
  FIXED_BYTES,
  STOPPED,
  TEMPLATE,
  TEMPLATE_BYTES,
  WRITTEN,
  WRITTEN_END,
} from '../../../assembly/lines/layout.ts';
import { plainBatch } from '../../../src/command/read/batch.ts';
import { linesEndingIn, NUL } from '../../../src/command/read/lines.ts';
import { type OnError, type RowFormat, rowByRow, type Stage } from '../../../src/command/work/results.ts';
import { openTextFormat } from '../../../src/command/work/texts.ts';
import { canonicalStage, hashStage } from '../../../src/command/work/urls.ts';
import { attached, detached } from '../../../src/command/work/work.ts';
import { ROW_FORMATS } from '../../../src/command/write/hashes.ts';
import { fits, LINE_FIELDS, lineWriter, templateOf } from '../../../src/command/write/line-writer.ts';
import { BATCH_BYTES } from '../../../src/core/bulk/hash-rows.ts';
import { LINE_FEED } from '../../../src/core/bytes/code-points.ts';
import { GrowingBytes } from '../../../src/core/bytes/growing-bytes.ts';
import type { Width } from '../../../src/core/kernel/kernel.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { canonicalForm } from '../../../src/core/url/canonicalize.ts';
import { FULL_FORM, formOf as formOfOptions } from '../../../src/core/url/options.ts';
import { parsedUrl } from '../../../src/core/url/parsed-url.ts';
import type { UrlRecord } from '../../../src/core/url/record.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { cases, random, SCALE } from '../../support/seed.ts';
import { batchesOf, spanAt, written, writtenInEach } from '../rows.ts';

const tests = suite('lines, many at once');
const kernel = openKernel();
const FORMATS = ['tsv', 'ndjson', 'text', 'hex', 'u64'] as const;
const BASE = parsedUrl('https://base.example/a/b', undefined) as UrlRecord;
const WAYS: readonly OnError[] = ['null', 'keep', 'skip', 'fail'];

/** How many rows all formats wrote, and how many of them the module left. */
let rowCount = 0;
let rowsLeft = 0;

type FormatName = (typeof FORMATS)[number];

interface Reading {
  readonly base?: UrlRecord | undefined;
  readonly excludeFragment?: boolean;
  readonly profile?: string;
}

type FormOf = (url: string) => ReturnType<typeof canonicalForm>;

/** The canonical form of a text, made once: both ways of a format ask for those of the same rows, again and again. */
function formsIn({ base, excludeFragment = false }: Reading): FormOf {
  const form = formOfOptions({ excludeFragment });
  const known = new Map<string, ReturnType<FormOf>>();
  return (url) => {
    const found = known.get(url) ?? canonicalForm(url, base, form);
    known.set(url, found);
    return found;
  };
}

/** The format that is tested, and the one that it must equal, row by row. */
function openBoth(name: FormatName, lineEnd: number, { profile = 'p/1' }: Reading, formOf: FormOf) {
  const writeRow = ROW_FORMATS[name]({ profile, formOf }, lineEnd);
  const counted: RowFormat = (...args) => {
    rowsLeft++;
    writeRow(...args);
  };
  return [lineWriter(kernel, LINE_FIELDS[name](profile), lineEnd, counted), rowByRow(writeRow)] as const;
}

/** The stage in this thread, and its results as another thread has sent them. */
function threadsOf(stage: Stage): readonly Stage[] {
  return [stage, (rows, rowsBefore) => attached(detached(stage(rows, rowsBefore)), kernel)];
}

/** Every format, width and onError, written many rows at once and row by row. */
function mustAgree(
  block: Uint8Array,
  lineEnd: number,
  widths: readonly Width[] = [8, 16, 32],
  reading: Reading = {},
): void {
  const { excludeFragment = false, base } = reading;
  const hashing = { kernel, form: formOfOptions({ excludeFragment }), base };
  const formOf = formsIn(reading);
  const framing = linesEndingIn({ lineEnd, skipsBlank: false, kernel });
  for (const width of widths) {
    for (const onError of WAYS) {
      const stages = threadsOf(hashStage({ ...hashing, width }, onError));
      // how rows are chosen does not depend on where they are, nor does the width of their hashes
      const isEverywhere = SCALE >= 10 || (width === widths[0] && (onError === 'null' || onError === 'keep'));
      for (const stage of isEverywhere ? stages : stages.slice(0, 1)) {
        const opened = FORMATS.map((name) => openBoth(name, lineEnd, reading, formOf));
        const formats = [...opened.map(([, byRow]) => byRow), ...opened.map(([atOnce]) => atOnce)];
        const outputs = writtenInEach({ framing, stage, onError }, formats, [block, block]); // the second begins anew
        for (const [index, name] of FORMATS.entries()) {
          const [byRow, atOnce] = [outputs[index]!, outputs[FORMATS.length + index]!];
          if (!atOnce.equals(byRow))
            mustBeSame(atOnce.toString('latin1'), byRow.toString('latin1'), `${name} ${width} ${onError}`);
        }
      }
      rowCount += 2 * FORMATS.length * count(block, lineEnd);
    }
  }
  mustAgreeOnForms(block, lineEnd, reading, formOf);
}

/** The canonical forms alone, against those of the parser. They are written by the thread that has made them. */
function mustAgreeOnForms(block: Uint8Array, lineEnd: number, reading: Reading, formOf: FormOf): void {
  const { base, excludeFragment = false } = reading;
  const form = formOfOptions({ excludeFragment });
  const format = openTextFormat({ lineEnd, records: undefined, added: [] });
  const framing = linesEndingIn({ lineEnd, skipsBlank: false, kernel });
  const stage = canonicalStage({ kernel, form, base });
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const expected = Array.from(batchesOf(framing, [block]), ({ rows, length }) =>
    Array.from({ length }, (_, row) => {
      const canonical = formOf(decoder.decode(spanAt(rows, row)));
      return (typeof canonical === 'string' ? canonical : '') + String.fromCharCode(lineEnd);
    }),
  ).flat();
  mustBeSame(written({ framing, stage, format }, [block]).toString('latin1'), expected.join(''), 'forms');
}

function mustBeSame(found: string, expected: string, what: string): boolean {
  if (found.length < 1e5) assert.is(found, expected, what);
  assert.ok(found === expected, what); // differences of megabytes take minutes to print
  return true;
}

function count(block: Uint8Array, lineEnd: number): number {
  let lineCount = 0;
  for (const byte of block) if (byte === lineEnd) lineCount++;
  return lineCount;
}

tests('the longest row fits in the memory of the module, and its template', () => {
  assert.ok(STOPPED + 4 <= TEMPLATE && TEMPLATE + TEMPLATE_BYTES + 64 <= WRITTEN);
  const longestFields = 4 * 20 + 3 * 3 + 64; // words, what stands between them, hex
  assert.ok(FIXED_BYTES >= longestFields + TEMPLATE_BYTES);
  assert.ok(WRITTEN_END - WRITTEN >= FIXED_BYTES + BATCH_BYTES + (TEXT_END - TEXT - BATCH_BYTES));
});

tests('every format, of blocks of every shape', () => {
  for (const text of [
    ...['', '\n', '\n\n\n', '\r\n', '\r\r\n\n', 'http://a/', 'http://a/\n', 'no', 'no\nno\n'],
    ...['http://a/\r\nhttp://b/\r\n', '\0', 'http://é/\n\xff'],
    ...['http://a/"\n\thttp://b/\\#\\"\nhttp://c/\u2028\nhttp://d/\x7f\x1b\n'],
  ]) {
    mustAgree(Buffer.from(text), LINE_FEED);
    mustAgree(Buffer.from(text.replaceAll('\n', '\0')), 0);
    mustAgree(Buffer.from(text), 0); // line feeds that end no line
  }
});

tests('every length of a line about the 16 bytes of a vector, and both ends', () => {
  const lines = Array.from({ length: 150 }, (_, length) => 'http://a/'.padEnd(length, 'x').slice(0, length));
  for (const end of ['\n', '\r\n'])
    for (const last of ['', 'http://last/', 'last']) mustAgree(Buffer.from(lines.join(end) + end + last), LINE_FEED);
});

const LONG = `http://a/${'x'.repeat(120)}`;

tests('more rows and more bytes than a batch has', () => {
  for (const count of [ROW_CAPACITY - 1, ROW_CAPACITY, ROW_CAPACITY + 1, 2 * ROW_CAPACITY + 7]) {
    const isOfRows = count <= ROW_CAPACITY;
    for (const line of SCALE >= 10 ? ['', 'http://a/', LONG] : [isOfRows ? '' : LONG])
      mustAgree(Buffer.from(`${line}\n`.repeat(count)), LINE_FEED, [32]);
  }
  const whole = 'http://a/'.padEnd(BATCH_BYTES - 1, 'x');
  mustAgree(Buffer.from(`${whole}\n${whole}\nhttp://b/\n${whole}`), LINE_FEED, [32]);
});

tests('lines longer than a batch, and forms for which memory has no room, are written row by row', () => {
  const longer = [0, 1, 2, BATCH_BYTES].map((more) => 'http://a/'.padEnd(BATCH_BYTES - 1 + more, 'x'));
  mustAgree(Buffer.from(`http://b/\n${longer.join('\nhttp://c/\n')}`), LINE_FEED, [32]);
  const grows = `http://a/${'<'.repeat(BATCH_BYTES - 10)}`; // the room holds three times as much, but for the line
  mustAgree(Buffer.from(`http://b/\n${grows}\nhttp://c/\n${grows}`), LINE_FEED, [8]);
  const base = parsedUrl(`https://base.example/${'b'.repeat(60_000)}/`, undefined) as UrlRecord;
  mustAgree(Buffer.from('x\nhttp://c/\n'.repeat(10)), LINE_FEED, [8], { base });
});

tests('more output than the module has room for', () => {
  const lines = Array.from({ length: ROW_CAPACITY }, (_, row) => `http://a/${row}`.padEnd(60, 'x'));
  assert.ok(lines.length * (60 + 60 + 64 + 4 * 18) > WRITTEN_END - WRITTEN, 'line, form, hex and words');
  const before = rowsLeft;
  mustAgree(Buffer.from(lines.join('\n')), LINE_FEED, [32]);
  assert.is(
    rowsLeft - before,
    2 * 2 * 2 * lines.length,
    'tsv and ndjson of lines from another thread, whose forms stayed there',
  );
});

tests('a last line that ends in a CR has it', () => {
  const [format] = openBoth('text', LINE_FEED, {}, formsIn({}));
  const before = rowsLeft;
  const framing = linesEndingIn({ lineEnd: LINE_FEED, skipsBlank: false, kernel });
  for (const stage of threadsOf(hashStage({ kernel, width: 8, form: FULL_FORM }, 'null')))
    assert.match(written({ framing, stage, format }, [Buffer.from('http://a/\nhttp://b/\r')]).toString(), /\r\n$/);
  assert.is(rowsLeft, before);
  mustAgree(Buffer.from('http://a/\nhttp://b/\r'), LINE_FEED, [32]);
});

tests('the module leaves only what is invalid, has something to escape, or is not UTF-8', () => {
  const lines = Array.from({ length: 3 * ROW_CAPACITY }, (_, row) => `https://example.com/${row}`);
  for (const [index, text] of ['é', '€', '😀', '\u2028'].entries()) lines[20 + index] += text;
  const special = [7, ROW_CAPACITY, 2 * ROW_CAPACITY - 1, 3 * ROW_CAPACITY - 1];
  for (const [index, text] of ['"', '\\', '\x1f', '\xff'].entries()) lines[special[index]!] += text;
  lines[100] = 'not a URL';
  const text = Buffer.from(lines.join('\n'));
  const bytes = text.subarray(0, -1); // half of the last character
  const framing = linesEndingIn({ lineEnd: LINE_FEED, skipsBlank: false, kernel });
  const stage = hashStage({ kernel, width: 32, form: FULL_FORM }, 'null');
  for (const name of FORMATS) {
    const before = rowsLeft;
    const [format] = openBoth(name, LINE_FEED, {}, formsIn({}));
    written({ framing, stage, format }, [bytes]);
    const hasForms = name === 'tsv' || name === 'ndjson';
    assert.is(rowsLeft - before, hasForms ? special.length + 1 : 1, name);
  }
});

tests('lines that are not ASCII, in UTF-8 or not', () => {
  const sequences = [
    ...['c280', 'dfbf', 'e0a080', 'ed9fbf', 'ee8080', 'efbfbf', 'efbbbf', 'f0908080', 'f48fbfbf'],
    ...['80', 'bf', 'c080', 'c1bf', 'c2', 'c220', 'e09fbf', 'e2', 'e282', 'eda080', 'edbfbf'],
    ...['f08fbfbf', 'f09f98', 'f4908080', 'f5808080', 'f888808080', 'fe', 'ff'],
  ].map((hex) => Buffer.from(hex, 'hex'));
  const around = ['', 'x', '"', '\\', '\t', 'x'.repeat(16), 'é'];
  const lines = sequences.flatMap((sequence) =>
    around.flatMap((text) => [
      Buffer.concat([Buffer.from(`http://a/${text}`), sequence, Buffer.from('\n')]),
      Buffer.concat([Buffer.from('http://a/'), sequence, Buffer.from(`${text}\n`)]),
    ]),
  );
  mustAgree(Buffer.concat(lines), LINE_FEED, [32]);
});

tests('with a base, and without fragments', () => {
  const lines = ['x', '/y#z', '//c', 'https://d/e#f', '', '?q', 'https://[', 'https://d/#'].join('\n');
  mustAgree(Buffer.from(lines), LINE_FEED, [32], { base: BASE });
  mustAgree(Buffer.from(lines), LINE_FEED, [32], { excludeFragment: true });
  mustAgree(Buffer.from(lines), LINE_FEED, [32], { base: BASE, excludeFragment: true });
});

tests('words of every number of digits', () => {
  const numbers = Array.from({ length: 20 }, (_, digits) => [10n ** BigInt(digits) - 1n, 10n ** BigInt(digits)]).flat();
  const words = BigUint64Array.from([...numbers, 2n ** 64n - 1n, 10n ** 16n + 1n, 10n ** 8n + 1n, 2n ** 32n]);
  const [format] = openBoth('u64', LINE_FEED, {}, formsIn({}));
  const { length } = words;
  const spans = { bytes: new Uint8Array(1), starts: new Uint32Array(length), ends: new Uint32Array(length) };
  const batch = plainBatch(0, length, spans);
  const posted = { batch, problems: [], digests: new Uint8Array(words.buffer), width: 8, counts: {} };
  const kept = { rows: Uint32Array.from(words.keys()), count: length, fields: new Uint8Array(length) };
  const out = new GrowingBytes();
  const before = rowsLeft;
  format.write(attached(posted, kernel), kept, out);
  assert.is(Buffer.from(out.take()).toString(), [...words].map((word) => `${word}\n`).join(''));
  assert.is(rowsLeft, before);
});

tests('profiles as long as a template may be, in literals of up to 255 bytes; none that is longer', () => {
  for (const length of [1, 230, 241, 242, 254, 255, 256, 420]) {
    const lines = Buffer.from('http://a/\nhttp://b/\nno\nhttp://c/');
    mustAgree(lines, LINE_FEED, [8], { profile: 'p'.repeat(length) });
  }
  for (const name of ['tsv', 'ndjson'] as const) assert.not(fits(templateOf(LINE_FIELDS[name]('p'.repeat(510)))), name);
});

tests('mutated blocks', () => {
  const next = random();
  for (let round = 0; round < cases(60); round++) {
    const lines = Array.from({ length: next(40) }, () =>
      next(4) === 0 ? 'x'.repeat(next(400)) : SAMPLE_URLS[next(SAMPLE_URLS.length)]!,
    );
    const lineEnd = [LINE_FEED, NUL][next(2)]!;
    mustAgree(Buffer.from(lines.join(next(2) === 0 ? '\r\n' : String.fromCharCode(lineEnd))), lineEnd, [
      ([8, 16, 32] as const)[next(3)]!,
    ]);
  }
  assert.ok(rowCount > 1e5 && rowsLeft < rowCount, `${rowCount} rows, of which ${rowsLeft} were left`);
});

tests.run();
