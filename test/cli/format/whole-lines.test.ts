import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FIXED_BYTES, FORMS_BYTES, LINES_BYTES, ROW_CAPACITY, WRITTEN } from '../../../assembly/text-lines/layout.ts';
import { BlockWriter } from '../../../src/cli/format/block-writer.ts';
import { RowByRow, type RowFormat } from '../../../src/cli/format/format.ts';
import { hasForms, type LineFormatName, templateOf } from '../../../src/cli/format/line-template.ts';
import { ROW_FORMATS } from '../../../src/cli/format/row-formats.ts';
import { WholeLines } from '../../../src/cli/format/whole-lines.ts';
import { linesEndingIn } from '../../../src/cli/rows/lines.ts';
import { type HashedRows, HashStage } from '../../../src/cli/stage/hashes.ts';
import type { Width } from '../../../src/kernel/kernel.ts';
import { openKernel } from '../../../src/kernel/open.ts';
import { canonicalForm } from '../../../src/url/canonicalize.ts';
import { checkedForm, FULL_FORM } from '../../../src/url/options.ts';
import { parseUrl } from '../../../src/url/parser.ts';
import type { UrlRecord } from '../../../src/url/record.ts';
import { SAMPLE_URLS } from '../../samples.ts';
import { cases, random, SCALE } from '../../seed.ts';

const PAGE_BYTES = 65_536;

const tests = suite('whole blocks of lines');
const kernel = openKernel();
const FORMATS = ['text', 'hex', 'u64', 'tsv', 'ndjson'] as const;
const BASE = parseUrl('https://base.example/a/b', undefined) as UrlRecord;

/** How often a block was written as a whole, and how many of its rows the module left. */
let wholeBlocks = 0;
let rowsLeft = 0;

class CountedLines extends WholeLines {
  override block(...args: Parameters<WholeLines['block']>): Uint8Array | undefined {
    const block = super.block(...args);
    if (block !== undefined) wholeBlocks++;
    return block;
  }
}

interface Reading {
  readonly base?: UrlRecord | undefined;
  readonly excludeFragment?: boolean;
  readonly profile?: string;
}

/** The format as a whole, and row by row. */
function openBoth(name: LineFormatName, lineEnd: number, { base, excludeFragment = false, profile = 'p/1' }: Reading) {
  const form = checkedForm({ excludeFragment });
  const formOf = (url: string) => canonicalForm(url, base, form);
  const rowFormat = ROW_FORMATS[name]({ profile, formOf, base, form });
  const counted: RowFormat<HashedRows> = (...args) => {
    rowsLeft++;
    rowFormat(...args);
  };
  const whole = new CountedLines(name, { lineEnd, template: templateOf(name, profile)!, rowFormat: counted });
  return [whole, new RowByRow(rowFormat, lineEnd)] as const;
}

/** Every format, width and onError, written as a whole and row by row. */
function mustAgree(block: Uint8Array, lineEnd: number, widths: readonly Width[] = [8, 16, 32], reading: Reading = {}) {
  const rows = linesEndingIn(lineEnd).rows(block);
  for (const name of FORMATS) {
    for (const width of widths) {
      for (const onError of ['null', 'keep', 'skip', 'fail'] as const) {
        const { excludeFragment = false, base } = reading;
        const hashing = { kernel, width, form: checkedForm({ excludeFragment }), base };
        const stage = new HashStage(hashing, onError, { keepsForms: hasForms(name) });
        const [whole, byRow] = openBoth(name, lineEnd, reading).map((format) => {
          const writer = new BlockWriter(format, onError);
          // a second block begins anew
          return [1, 2].map(() => Buffer.from(writer.written(stage.run(rows))).toString('latin1')).join('then\n');
        });
        assert.is(whole, byRow, `${name} ${width} ${onError}`);
      }
    }
  }
}

tests('the longest rows fit in the memory of the module', () => {
  const { targets } = JSON.parse(readFileSync('asconfig.json', 'utf8'));
  const writtenEnd = WRITTEN + ROW_CAPACITY * FIXED_BYTES + LINES_BYTES + FORMS_BYTES;
  assert.ok(writtenEnd + 64 <= targets['text-lines'].initialMemory * PAGE_BYTES);
});

tests('every format, of blocks of every shape', () => {
  for (const text of [
    '',
    '\n',
    '\n\n\n',
    '\r\n',
    '\r\r\n\n',
    'http://a/',
    'http://a/\n',
    'no',
    'no\nno\n',
    'http://a/\r\nhttp://b/\r\n',
    '\0',
    'http://é/\n\xff',
    'http://a/"\n\thttp://b/\\#\\"\nhttp://c/\u2028\nhttp://d/\x7f\x1b\n',
  ]) {
    mustAgree(Buffer.from(text), 0x0a);
    mustAgree(Buffer.from(text.replaceAll('\n', '\0')), 0);
    mustAgree(Buffer.from(text), 0); // line feeds that end no line
  }
});

tests('every length of a line about the 16 bytes of a vector, and both ends', () => {
  const lines = Array.from({ length: 150 }, (_, length) => 'http://a/'.padEnd(length, 'x').slice(0, length));
  for (const end of ['\n', '\r\n'])
    for (const last of ['', 'http://last/', 'last']) mustAgree(Buffer.from(lines.join(end) + end + last), 0x0a);
});

const LONG = `http://a/${'x'.repeat(120)}`;

tests('more rows and more bytes than memory holds at once', () => {
  for (const count of [ROW_CAPACITY - 1, ROW_CAPACITY, ROW_CAPACITY + 1, 3 * ROW_CAPACITY + 7]) {
    for (const line of SCALE >= 10 ? ['', 'http://a/', LONG] : [LONG])
      mustAgree(Buffer.from(`${line}\n`.repeat(count)), 0x0a, [32]);
  }
  const fits = 'http://a/'.padEnd(LINES_BYTES - 1, 'x');
  mustAgree(Buffer.from(`${fits}\n${fits}\nhttp://b/\n${fits}`), 0x0a, [32]);
});

tests('lines and forms that are longer than memory are written row by row, and their neighbours as a whole', () => {
  mustAgree(Buffer.from(`http://b/\n${'http://a/'.padEnd(LINES_BYTES, 'x')}\nhttp://c/`), 0x0a, [32]);
  const grows = `http://a/${'<'.repeat(LINES_BYTES - 10)}`;
  assert.ok(3 * grows.length > FORMS_BYTES);
  mustAgree(Buffer.from(`http://b/\n${grows}\nhttp://c/\n${grows}`), 0x0a, [8]);
});

tests('a block whose last line ends in a CR that is part of it goes row by row', () => {
  const before = wholeBlocks;
  mustAgree(Buffer.from('http://a/\nhttp://b/\r'), 0x0a, [32]);
  assert.is(wholeBlocks, before);
});

tests('the module leaves only what is invalid or has something to escape', () => {
  const lines = Array.from({ length: 3 * ROW_CAPACITY }, (_, row) => `https://example.com/${row}`);
  const special = [7, ROW_CAPACITY, 2 * ROW_CAPACITY - 1];
  for (const row of special) lines[row] = `https://example.com/é${row}`;
  lines[100] = 'not a URL';
  const rows = linesEndingIn(0x0a).rows(Buffer.from(lines.join('\n')));
  const hashing = { kernel, width: 32, form: FULL_FORM } as const;
  const hashed = new HashStage(hashing, 'null', { keepsForms: true }).run(rows);
  for (const name of FORMATS) {
    const before = rowsLeft;
    const [whole] = openBoth(name, 0x0a, {});
    assert.ok(whole.block(hashed, 'null'));
    assert.is(rowsLeft - before, hasForms(name) ? special.length + 1 : 1, name);
  }
});

tests('with a base, and without fragments', () => {
  const lines = ['x', '/y#z', '//c', 'https://d/e#f', '', '?q', 'https://[', 'https://d/#'].join('\n');
  mustAgree(Buffer.from(lines), 0x0a, [32], { base: BASE });
  mustAgree(Buffer.from(lines), 0x0a, [32], { excludeFragment: true });
  mustAgree(Buffer.from(lines), 0x0a, [32], { base: BASE, excludeFragment: true });
});

tests('words of every number of digits', () => {
  const numbers = Array.from({ length: 20 }, (_, digits) => [10n ** BigInt(digits) - 1n, 10n ** BigInt(digits)]).flat();
  const words = BigUint64Array.from([...numbers, 2n ** 64n - 1n, 10n ** 16n + 1n, 10n ** 8n + 1n, 2n ** 32n]);
  const [whole] = openBoth('u64', 0x0a, {});
  const rows = linesEndingIn(0x0a).rows(Buffer.from('\n'.repeat(words.length)));
  const column = { bytes: new Uint8Array(words.buffer), width: 8, length: words.length, invalid: [] };
  const written = whole.block({ rows, column } as unknown as HashedRows, 'null')!;
  assert.is(Buffer.from(written).toString(), [...words].map((word) => `${word}\n`).join(''));
});

tests('profiles as long as a template may be, in literals of up to 255 bytes; none that is longer', () => {
  for (const length of [1, 230, 241, 242, 254, 255, 256, 420]) {
    const lines = Buffer.from('http://a/\nhttp://b/\nno\nhttp://c/');
    mustAgree(lines, 0x0a, [8], { profile: 'p'.repeat(length) });
  }
  for (const name of ['tsv', 'ndjson'] as const) assert.is(templateOf(name, 'p'.repeat(510)), undefined, name);
});

tests('mutated blocks', () => {
  const next = random();
  for (let round = 0; round < cases(60); round++) {
    const lines = Array.from({ length: next(40) }, () =>
      next(4) === 0 ? 'x'.repeat(next(400)) : SAMPLE_URLS[next(SAMPLE_URLS.length)]!,
    );
    const lineEnd = next(2) * 0x0a;
    mustAgree(Buffer.from(lines.join(next(2) === 0 ? '\r\n' : String.fromCharCode(lineEnd))), lineEnd, [
      ([8, 16, 32] as const)[next(3)]!,
    ]);
  }
  assert.ok(wholeBlocks > 500, `${wholeBlocks} blocks were written as a whole`);
});

tests.run();
