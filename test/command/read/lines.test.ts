import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TEXT } from '../../../assembly/layout.ts';
import { type FramingOptions, openFraming } from '../../../src/command/commands/line-plan.ts';
import type { Records } from '../../../src/command/read/framing.ts';
import { NUL } from '../../../src/command/read/lines.ts';
import { BATCH_BYTES, foundLines } from '../../../src/core/bulk/hash-rows.ts';
import { LINE_FEED } from '../../../src/core/bytes/code-points.ts';
import { findLines, withoutLineEnd, withoutRecordEnd } from '../../../src/core/bytes/lines.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { UrlHasher } from '../../../src/index.ts';
import { KERNELS } from '../../core/kernel/kernels.ts';
import { file } from '../../support/scratch.ts';
import { mustGive, urlsum } from '../command.ts';
import { batchesOf, spanAt } from '../rows.ts';

const tests = suite('where lines end');

/** The rows that an input is cut into: the table of docs/command.md, "Lines". */
interface Case {
  readonly input: string;
  readonly lines: readonly string[];
  /** The rows of text that ends in NUL: `-z`. */
  readonly texts: readonly string[];
  readonly records: readonly string[];
}

function of(input: string, lines: readonly string[], texts: readonly string[], records = lines): Case {
  return { input, lines, texts, records };
}

const DOCUMENTED: readonly Case[] = [
  of('a\nb\n', ['a', 'b'], ['a\nb\n']),
  of('a\r\nb', ['a', 'b'], ['a\r\nb']),
  of('a\r', ['a\r'], ['a\r'], ['a']),
  of('a\r\r\n', ['a\r'], ['a\r\r\n']),
  of('a\rb\n', ['a\rb'], ['a\rb\n']),
  of('\n\r\na', ['', '', 'a'], ['\n\r\na']),
  of('a\0\0b\r', ['a\0\0b\r'], ['a', '', 'b\r'], ['a\0\0b']),
];

const CASES: readonly Case[] = [
  ...DOCUMENTED,
  of('', [], []),
  of('\n', [''], ['\n']),
  of('\r', ['\r'], ['\r'], ['']),
  of('\r\n', [''], ['\r\n']),
  of('a', ['a'], ['a']),
  of('a\n\n', ['a', ''], ['a\n\n']),
  of('a\r\n\r', ['a', '\r'], ['a\r\n\r'], ['a', '']),
  of('a\r\r', ['a\r\r'], ['a\r\r'], ['a\r']),
  of('\n\r', ['', '\r'], ['\n\r'], ['', '']),
  of('a\0', ['a\0'], ['a']),
  of('\0\r\0', ['\0\r\0'], ['', '\r']),
  of('a\r\0\nb', ['a\r\0', 'b'], ['a\r', '\nb']),
];

const written = (texts: readonly string[]) => JSON.stringify(texts);

/** All rows of an input, as one framing gives them. */
async function rowsOf(input: string, options: Partial<FramingOptions>): Promise<string[]> {
  const framing = await openFraming({
    lineEnd: LINE_FEED,
    records: undefined,
    skipsBlank: false,
    isText: true,
    kernel: openKernel(),
    ...options,
  });
  const blocks = input === '' ? [] : [new Uint8Array(Buffer.from(input))];
  return Array.from(batchesOf(framing, blocks), ({ rows, length }) =>
    Array.from({ length }, (_, row) => spanAt(rows, row).toString()),
  ).flat();
}

for (const { input, lines, texts, records } of CASES) {
  const bytes = new Uint8Array(Buffer.from(input));
  const name = JSON.stringify(input);

  for (const kernel of KERNELS)
    tests(`${name}: ${kernel.name}`, async () => {
      for (const [lineEnd, expected] of [
        [LINE_FEED, lines],
        [NUL, texts],
      ] as const) {
        const { lines: rows, rowCount } = foundLines(kernel, bytes, 0, lineEnd);
        const found = Array.from({ length: input === '' ? 0 : rowCount }, (_, row) => spanAt(rows, row).toString());
        assert.is(written(found), written(expected));
        assert.is(written(await rowsOf(input, { kernel, lineEnd })), written(expected));
        if (!input.endsWith(String.fromCharCode(lineEnd))) continue;
        kernel.memory.bytes.set(bytes, TEXT); // whole lines, as findLines itself takes them
        assert.is(kernel.findLines(TEXT, TEXT + bytes.length, lineEnd), expected.length);
        assert.is(kernel.memory.scannedEnd, TEXT + bytes.length);
      }
    });

  tests(`${name}: JavaScript`, async () => {
    for (const [lineEnd, expected] of [
      [LINE_FEED, lines],
      [NUL, texts],
    ] as const) {
      const bounds = { starts: new Uint32Array(10), ends: new Uint32Array(10) };
      const { rowCount, next } = findLines(bytes, 0, bytes.length, lineEnd, bounds, 10);
      assert.is(next, bytes.length);
      const found = Array.from({ length: rowCount }, (_, row) => spanAt({ bytes, ...bounds }, row).toString());
      assert.is(written(found), written(expected));
      assert.is(written(await rowsOf(input, { lineEnd })), written(expected));
    }
    const ended = input.split(/(?<=\n)/).map((each) => Buffer.from(each));
    const cut = (endOf: typeof withoutLineEnd) =>
      input === '' ? [] : ended.map((each) => each.subarray(0, endOf(each, 0, each.length)).toString());
    assert.is(written(cut(withoutLineEnd)), written(lines));
    assert.is(written(cut(withoutRecordEnd)), written(records));
  });

  tests(`${name}: JSON lines, CDX, CSV, TSV`, async () => {
    const kinds: readonly (readonly [Records, readonly string[]])[] = [
      [{ kind: 'json', delimiter: '', column: 'x' }, lines],
      [{ kind: 'cdx', delimiter: ' ', column: '' }, lines],
      [{ kind: 'csv', delimiter: ',', column: '1' }, records],
      [{ kind: 'delimited', delimiter: '\t', column: '1' }, records],
    ];
    for (const [kind, expected] of kinds)
      assert.is(written(await rowsOf(input, { records: kind })), written(expected), kind.kind);
  });

  tests(`${name}: the command`, () => {
    const outputOf = (...args: string[]) => JSON.stringify(urlsum(['--quiet', ...args], input).stdout.toString());
    assert.is(outputOf(), unhashed(lines, '\n'));
    assert.is(outputOf('-z'), unhashed(texts, '\0'));
    assert.is(outputOf('--json', 'x'), JSON.stringify(endedByFeed(input)));
    for (const [flag, delimiter] of [
      ['--csv', ','],
      ['--tsv', '\t'],
    ] as const)
      assert.is(outputOf(flag, '-f', '1'), JSON.stringify(withField(input, records, delimiter)), flag);
  });
}

/** No line here is a URL. */
function unhashed(lines: readonly string[], end: string): string {
  return JSON.stringify(lines.map((line) => `  ${line}${end}`).join(''));
}

function endedByFeed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Each record gains an empty field before its line end, which stands. */
function withField(input: string, records: readonly string[], delimiter: string): string {
  let [output, at] = ['', 0];
  records.forEach((record, index) => {
    const end = at + record.length;
    const last = input.indexOf('\n', end);
    const next = index === records.length - 1 || last === -1 ? input.length : last + 1;
    output += record + delimiter + input.slice(end, next);
    at = next;
  });
  return endedByFeed(output);
}

tests('a line of about as many bytes as a batch, or of more, ends as any other', async () => {
  for (let length = BATCH_BYTES - 3; length < BATCH_BYTES + 3; length++)
    for (const [end, kept] of [
      ['', ''],
      ['\n', ''],
      ['\r\n', ''],
      ['\r', '\r'],
    ] as const) {
      const line = 'x'.repeat(length);
      const after = end.endsWith('\n') ? ['b'] : [];
      const rows = await rowsOf([line + end, ...after].join(''), {});
      assert.ok(rows[0] === line + kept, `${length} ${JSON.stringify(end)}: ${rows[0]!.length} bytes`);
      assert.equal(rows.slice(1), after);
    }
});

tests('docs/command.md has the same table', () => {
  const spelled = (text: string) => (text === '' ? 'empty' : `\`${JSON.stringify(text).slice(1, -1)}\``);
  const cells = (texts: readonly string[]) => texts.map(spelled).join(', ').replaceAll('\\u0000', '\\0');
  const rows = readFileSync('docs/command.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `') && line.includes('\\'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const expected = DOCUMENTED.map(({ input, ...cut }) =>
    [[input], cut.lines, cut.texts, cut.records].map((texts) => cells(texts)),
  );
  for (const row of expected)
    assert.ok(
      rows.some((each) => JSON.stringify(each) === JSON.stringify(row)),
      JSON.stringify(row),
    );
});

tests.run();

const zeroTests = suite('urlsum --zero');

const TEXTS = [
  ...['http://a/', 'http://b/\nc', 'no\nurl', 'http://d/\r', '', 'http://\u00fc/\ud83d\ude00', '\ufeffhttp://e/'],
];

zeroTests('NUL for LF on input and output, the text between as given', () => {
  const column = new UrlHasher().hashMany(TEXTS);
  const expected = TEXTS.map((text, row) => `${column.hex(row) ?? ''}  ${text}\0`).join('');
  for (const input of [TEXTS.join('\0'), `${TEXTS.join('\0')}\0`]) {
    mustGive(urlsum(['-z'], input), { status: 1, stdout: expected });
  }
});

zeroTests('the same hashes as lines have, for the formats that write one', () => {
  const sample = readFileSync('bench/sample/urls.txt', 'utf8');
  for (const format of ['hex', 'u64', 'bin', 'tsv', 'ndjson', 'text']) {
    const lines = urlsum(['--format', format], sample).stdout;
    const texts = urlsum(['--zero', '--format', format], sample.replaceAll('\n', '\0')).stdout;
    assert.ok(
      format === 'bin' ? texts.equals(lines) : texts.toString() === lines.toString().replaceAll('\n', '\0'),
      format,
    );
    assert.ok(lines.length > 30_000);
  }
});

zeroTests('blocks with a line feed or CR in them hash as those without', () => {
  const texts = Array.from(
    { length: 30_000 },
    (_, index) => `http://${index}.example/${index % 7000 === 6999 ? 'a\nb\r' : 'path'}`,
  );
  const expected = new UrlHasher({ width: 8 }).hashMany(texts);
  assert.ok(
    urlsum(['-z', '--format', 'bin', '--width', '8', file('texts', texts.join('\0'))]).stdout.equals(expected.bytes),
  );
});

zeroTests('bad texts are named by their number, and kept ones hashed as given', () => {
  const { stdout, stderr } = urlsum(['-z', '--on-error', 'keep', '--format', 'hex'], 'http://a/\0b\nad\0');
  assert.match(stderr, /^urlsum: -:2: not a URL: "b\\nad"/);
  assert.match(stdout.toString(), /^[0-9a-f]{64}\0[0-9a-f]{64}\0$/);
});

zeroTests('canon and --check', () => {
  assert.is(urlsum(['canon', '-z'], 'HTTP://A\0http://b/\nc\0bad').stdout.toString(), 'http://a/\0http://b/c\0\0');
  const sums = urlsum(['-z'], TEXTS.join('\0')).stdout;
  for (const options of [['--check', '--zero'], ['-zc'], ['-c', '-z']]) {
    mustGive(urlsum(options, sums), { status: 0, stdout: TEXTS.map((text) => `${text}: OK\0`).join('') });
  }
});

zeroTests.run();
