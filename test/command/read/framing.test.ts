import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Diagnostics } from '../../../src/command/arguments/diagnostics.ts';
import { planOf } from '../../../src/command/commands/commands.ts';
import type { READER_FLAGS } from '../../../src/command/commands/line-flags.ts';
import { isFault } from '../../../src/command/fault.ts';
import { MALFORMED, NO_VALUE_REASONS, VALUE, valueCountOf, valueText } from '../../../src/command/read/batch.ts';
import type { Framing } from '../../../src/command/read/framing.ts';
import { Input } from '../../../src/command/read/inputs.ts';
import { framedBlocks } from '../../../src/command/work/work.ts';
import { definedRecords } from '../../support/csv-definition.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { cases, random, SCALE } from '../../support/seed.ts';
import { textOf, urlsum } from '../command.ts';
import { parquet } from '../parquet.ts';

const tests = suite('readers');
const next = random();

/** A reader of rows, and how rows are written for it. */
interface Reader {
  /** The options that choose it. */
  readonly args: readonly string[];
  /** The start of the input: a row that is known to have no value. */
  readonly head?: string;
  /** Returns a row with this URL. */
  row(url: string): string;
  /** Rows that are known to have no value, and bad ones. */
  readonly none: readonly string[];
  readonly bad: readonly string[];
  /** The end of the input, which is not a row. */
  readonly tail?: string;
  /** Counts the rows of any text in another way; only written rows can be counted without it. */
  countOf?(text: string): number;
  /** Makes the file of rows, where it is not their text. */
  fileOf?(rows: readonly string[]): Uint8Array;
  /** Whether a specification says how bytes become characters, so that other bytes are U+FFFD. */
  readonly isOfCharacters?: boolean;
}

const BLANK = ['\n', ' \t\n', '\r\n'];
const TIME = '[24/Nov/2026:02:01:00 +0000]';

function countOfLines(text: string, end = '\n'): number {
  return text.split(end).length - (text.endsWith(end) || text === '' ? 1 : 0);
}

/** All readers, by their flags: one that is not here does not compile. */
const READERS: Readonly<Record<(typeof READER_FLAGS)[number] | 'plain' | 'zero' | 'parquet', Reader>> = {
  plain: { args: ['--skip-blank'], row: (url) => `${url}\n`, none: BLANK, bad: [], countOf: countOfLines },
  zero: {
    args: ['-z', '--skip-blank'],
    row: (url) => `${url}\0`,
    none: ['\0', ' \t\0'],
    bad: [],
    countOf: (text) => countOfLines(text, '\0'),
  },
  csv: {
    args: ['--csv', '-f', 'url', '--skip-blank', '--comment', ''],
    head: 'id,url\n',
    row: (url) => `"a, ""b""\n",${url}\n`,
    none: BLANK,
    bad: ['1\n', '1,http://a/,3\n', '"x"y,http://a/\n'],
    countOf: (text) => definedRecords(text).length,
  },
  tsv: {
    args: ['--tsv', '-f', 'url', '--skip-blank', '--comment', ''],
    head: 'id\turl\n',
    row: (url) => `1\t${url}\r\n`,
    none: BLANK,
    bad: ['1\n', '1\thttp://a/\t3\n'],
    countOf: countOfLines,
  },
  delimiter: {
    args: ['--delimiter', ' ', '-f', '2', '--skip-blank', '--comment', ''],
    row: (url) => `a   ${url} b c\n`,
    none: BLANK,
    bad: ['1\n', 'http://a/\n'],
    countOf: countOfLines,
  },
  json: {
    args: ['--json', 'a.url', '--skip-blank'],
    row: (url) => `{"x":[1],"a":{${next(2) === 0 ? '"url"' : '"\\u0075rl"'}:"${url}"}}\n`,
    none: BLANK,
    bad: ['{}\n', '[]\n', 'x\n', '{"a":{"url":null}}\n', '{"a":{"url":["http://a/"]}}\n', '{"a":\n'],
    countOf: countOfLines,
  },
  cdx: {
    args: ['--cdx', '--skip-blank'],
    row: (url) =>
      next(2) === 0
        ? `com,a)/ 20260101000000 ${url} text/html 200 X - 1 a.gz\n`
        : `com,a)/ 20260101000000 {"url":"${url}"}\n`,
    none: [...BLANK, ' CDX N b a m s k r V g\n'],
    bad: ['a b\n', 'com,a)/ 20260101000000 {}\n', ' CDX a b\n'],
    countOf: countOfLines,
  },
  log: {
    args: ['--log', '--skip-blank'],
    row: (url) => `192.0.2.1 - - ${TIME} "GET ${url} HTTP/1.1" 200 5 "-" "x"\n`,
    none: [...BLANK, `192.0.2.1 - - ${TIME} "-" 408 0 "-" "-"\n`],
    bad: ['x\n', '# a comment\n', `192.0.2.1 - - ${TIME} "GET / HTTP/1.1" 200 5 "-" "x"\n`, '{}\n'],
    countOf: countOfLines,
  },
  logFormat: {
    args: ['--log-format', '$status "$request"', '--skip-blank'],
    row: (url) => `200 "GET ${url} HTTP/1.1"\n`,
    none: [...BLANK, '400 "\\x16\\x03\\x01"\n', '408 "-"\n'],
    bad: ['x\n', '#\n', '200 "GET / HTTP/1.1"\n', `192.0.2.1 - - ${TIME} "GET http://a/ HTTP/1.1" 200 5\n`],
    countOf: countOfLines,
  },
  links: {
    args: ['--links'],
    head: '<!DOCTYPE html><title>t</title>',
    row: (url) => `<p><a href="${url}">x</a>`,
    none: [],
    bad: ['<a href="login">', '<a href="//b.example/">', '<area href="?x">', '<img srcset="y 1x">'],
    isOfCharacters: true,
  },
  parquet: {
    args: ['-f', 'url', '--skip-blank'],
    row: (url) => url,
    none: [''],
    bad: [],
    fileOf: (rows) =>
      parquet([
        { name: 'url', data: rows.map((row) => (row === '' ? null : Buffer.from(row, 'latin1'))), type: 'BYTE_ARRAY' },
      ]),
  },
};

/** The values of rows in order, and how many rows there are of other kinds. */
interface Tally {
  readonly values: string[];
  none: number;
  bad: number;
}

/** Reads an input, in chunks of any size, and checks what each batch says of its rows. */
async function tallyOf(framing: Framing, name: string, bytes: Uint8Array): Promise<Tally> {
  const tally: Tally = { values: [], none: 0, bad: 0 };
  async function* chunks() {
    for (let at = 0, end = 0; at < bytes.length; at = end) {
      end = at + 1 + next(200);
      yield bytes.slice(at, end);
    }
  }
  const input = Object.assign(new Input(name), { chunks: chunks() });
  for await (const { block, state } of framedBlocks(framing, input, 'utf-8'))
    for (const batch of framing.batches(block, state)) {
      const kinds = [...batch.kinds.subarray(0, batch.length)];
      const value = kinds.filter((kind) => kind === VALUE).length;
      const bad = kinds.filter((kind) => kind === MALFORMED).length;
      const none = NO_VALUE_REASONS.reduce((sum, reason) => sum + batch.withoutValue[reason], 0);
      assert.equal([valueCountOf(batch), batch.problems.length, value + bad + none], [value, bad, batch.length]);
      assert.equal(
        batch.problems.map(({ row }) => kinds[row]),
        Array(bad).fill(MALFORMED),
      );
      for (let row = 0; row < batch.length; row++) if (kinds[row] === VALUE) tally.values.push(valueText(batch, row)!);
      tally.none += none;
      tally.bad += bad;
    }
  return tally;
}

async function framingOf({ args, fileOf }: Reader, path: string): Promise<Framing> {
  return (await planOf(['canon', ...args, ...(fileOf === undefined ? [] : [path])], new Diagnostics())).framing;
}

type Kind = 'value' | 'none' | 'bad';

/** Random rows of a reader, of these kinds. */
function written({ row, none, bad, head }: Reader, kinds: readonly Kind[], count = next(30)) {
  const tally: Tally = { values: [], none: head === undefined || head.startsWith('<') ? 0 : 1, bad: 0 };
  const rows = Array.from({ length: count }, () => {
    const kind = kinds[next(kinds.length)]!;
    if (kind === 'value') {
      const url = `http://${next(9)}.example/?${'x'.repeat(next(200))}${next(99)}`;
      tally.values.push(url);
      return [row(url)];
    }
    const texts = { none, bad }[kind];
    if (texts.length === 0) return [];
    tally[kind]++;
    return [texts[next(texts.length)]!];
  }).flat();
  return { rows, tally };
}

function bytesOf({ head = '', tail = '', fileOf }: Reader, rows: readonly string[]): Uint8Array {
  return fileOf?.(rows) ?? Buffer.from(head + rows.join('') + tail, 'latin1');
}

const MIXES: readonly (readonly Kind[])[] = [['value', 'none', 'bad'], ['none', 'bad'], ['none'], ['bad']];

for (const [name, reader] of Object.entries(READERS)) {
  tests(
    `${name}: values and other rows are those that were written, and bad ones without a value end with 2`,
    async () => {
      for (let round = 0; round < cases(name === 'parquet' ? 6 : 40); round++) {
        const { rows, tally } = written(reader, MIXES[round % MIXES.length]!);
        if (reader.fileOf !== undefined && rows.length === 0) continue;
        const path = file(`rows-${name}${reader.fileOf === undefined ? '' : '.parquet'}`, bytesOf(reader, rows));
        const shown = JSON.stringify(rows);
        assert.equal(await tallyOf(await framingOf(reader, path), path, bytesOf(reader, rows)), tally, shown);
        if (round >= cases(12)) continue;
        const { status, stderr } = textOf(['canon', ...reader.args, '--exit-zero', '--quiet', '--stats=json', path]);
        const { lines, blankLines = 0, comments = 0, invalid } = JSON.parse(stderr.trimEnd().split('\n').at(-1)!);
        const headerCount = reader.head?.endsWith('\n') === true ? 1 : 0;
        const rowCount = tally.values.length + tally.none + tally.bad;
        assert.is(lines + blankLines + comments + headerCount, rowCount, shown);
        assert.is(invalid, tally.bad, shown);
        const isEmpty = tally.bad > 0 && tally.values.length === 0;
        assert.is(status, isEmpty ? 2 : 0, shown + stderr);
        assert.is(stderr.startsWith(`urlsum: ${path}: none of its ${rowCount} row`), isEmpty, stderr);
      }
    },
  );

  tests(
    `${name}: two inputs of several blocks, in pipes or files, packed or not, by threads or not, are the same`,
    () => {
      const bytes = bytesOf(reader, written(reader, MIXES[0]!, 24_000).rows);
      const path = file(`blocks-${name}`, bytes);
      const packed = reader.fileOf === undefined ? file(`blocks-${name}.gz`, gzipSync(bytes, { level: 1 })) : path;
      const run = (args: readonly string[], inputs: readonly string[], input: string | Uint8Array = '') => {
        const { status, stdout, stderr } = textOf(['canon', ...reader.args, ...args, ...inputs], input);
        return { stdout, ends: [status, stderr.replaceAll(/^urlsum: [^ ]+:(?=\d+: )/gm, 'urlsum: ')] };
      };
      const expected = run([], [path, packed]);
      assert.ok(expected.stdout.length > 1 << 20);
      const inPipe = reader.fileOf === undefined ? [run([], ['-', path], bytes)] : [];
      for (const { stdout, ends } of [run(['-j', '2'], [path, packed]), run(['-j', '3'], [packed, path]), ...inPipe]) {
        assert.equal(ends, expected.ends);
        assert.ok(stdout === expected.stdout);
      }
    },
  );

  const { countOf } = reader;
  if (countOf !== undefined)
    tests(`${name}: of any text, all rows are counted`, async () => {
      const parts = ['\n', '\r', '\0', '"', ',', '\t', ' ', '{', '}', '#', '\xe9', '\\', '[', ':', 'http://a/', '-'];
      const path = `${FOLDER}/any`;
      let countedCount = 0;
      for (let round = 0; round < cases(150); round++) {
        const text = written(reader, MIXES[0]!).rows.join('');
        let changed = text;
        for (let change = next(6); change > 0; change--) {
          const at = next(changed.length + 1);
          changed = changed.slice(0, at) + parts[next(parts.length)] + changed.slice(at + next(3));
        }
        const all = (reader.head ?? '') + changed;
        try {
          const found = await tallyOf(await framingOf(reader, path), path, Buffer.from(all, 'latin1'));
          assert.is(found.values.length + found.none + found.bad, countOf(all), JSON.stringify(all));
          countedCount++;
        } catch (error) {
          if (!isFault(error, 'input')) throw error; // the whole input is refused, and it is said why
        }
      }
      assert.ok(countedCount > cases(75), `${countedCount} texts were read`);
    });
}

tests('a byte that is not UTF-8 is found by every reader, on every kernel', () => {
  const list = `${FOLDER}/bytes.list`;
  assert.is(urlsum(['list', 'build', '--out', list], Buffer.from('http://e.example/caf\xe9\n', 'latin1')).status, 0);
  const escaped = file('escaped.txt', 'http://e.example/caf%E9\n');
  assert.is(urlsum(['lookup', '--list', list, escaped]).status, 1);
  for (const [name, reader] of Object.entries(READERS)) {
    if (reader.isOfCharacters === true) continue;
    for (let round = 0; round < 4; round++) {
      const rows = [reader.row('http://e.example/caf\xe9'), reader.row('http://e.example/caf\xc3\xa9')];
      const path = file(`byte-${name}${reader.fileOf === undefined ? '' : '.parquet'}`, bytesOf(reader, rows));
      const built = `${FOLDER}/built.list`;
      assert.is(urlsum(['list', 'build', '--allow-shrink', '--out', built, ...reader.args, path]).status, 0, name);
      assert.is(urlsum(['lookup', '--list', built, escaped]).status, 1, name);
      for (const kernel of ['simd', 'js']) {
        const { status, stdout } = urlsum(['lookup', '--list', list, ...reader.args, '--kernel', kernel, path]);
        assert.is(status, 1, name);
        assert.is(stdout.toString('latin1').split('e.example/caf%E9').length, 2, `${name}, ${kernel}`);
      }
    }
  }
});

const SHAPES = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at)).filter((each) => /\W/.test(each)),
  ...['a', '0', '\t', '\r', '\0', '\xe9', '\xff', '\xc3\xa9', '%41', '%', '\\x41', '\\"', '""', '","', '"a', 'a"'],
  ...['{"', '[[', '{"a":', ':{', '\\u0041', '\\ud83d', 'http://', '://', '//', '/..', '/.', '@a', '||', '$,', '!.'],
  ...['.x', '#Fields: ', '- - ', '] "', '["', 'GET ', ' HTTP/1.1', '=?', '<a ', 'href="', '<a href=', '](', '[x]:'],
  ...['<!--', '-->', '&', '&amp;', '&#65;', '<svg>', '</', '<![CDATA[', '<?xml ', '<b/>', ';a', 'xn--', 'a.', 'a=b&'],
  ...['  a', '<\r[ '],
];

/** Lengths of a line, and so many times as long: linear work takes 4 times the time, quadratic 16. */
const BYTE_LENGTH = 1 << 13;
const LIMIT = 10;
const ATTEMPTS = 5;
/** Below this nothing can be told. */
const LEAST_MICROSECONDS = 2000;

async function* once(bytes: Uint8Array) {
  yield bytes;
}

async function microseconds(framing: () => Promise<Framing>, path: string, bytes: Uint8Array): Promise<number> {
  const read = await framing();
  const input = Object.assign(new Input(path), { chunks: once(bytes) });
  const start = process.cpuUsage();
  try {
    for await (const { block, state } of framedBlocks(read, input, 'utf-8'))
      for (const batch of read.batches(block, state)) assert.ok(batch.length >= 0);
  } catch (error) {
    if (!isFault(error, 'input')) throw error; // a text that the reader refuses
  }
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** The least of five attempts, or the first that tells: others only add to a time. */
async function ratio(framing: () => Promise<Framing>, path: string, textOf: (byteLength: number) => Buffer) {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    most = Math.min(most, await microseconds(framing, path, textOf(4 * BYTE_LENGTH)));
    if (most < LEAST_MICROSECONDS) return 0;
    least = Math.min(least, await microseconds(framing, path, textOf(BYTE_LENGTH)));
    if (most <= LIMIT * least) break;
  }
  return most / least;
}

const path = file('pumped', '');
for (const [name, { args, head = '', row, fileOf }] of Object.entries(READERS)) {
  if (fileOf !== undefined) continue;
  tests(`${name}: lines of ${SHAPES.length} shapes, alone and as a URL, take linear time`, async () => {
    assert.ok(SHAPES.length >= 90);
    const framing = async () => (await planOf(['canon', ...args], new Diagnostics())).framing;
    const shapes = SCALE >= 10 ? SHAPES : SHAPES.filter((_, at) => at % 3 === name.length % 3);
    for (const shape of shapes) {
      const pumped = (byteLength: number) => shape.repeat(Math.ceil(byteLength / shape.length));
      for (const lineOf of [pumped, (byteLength: number) => head + row(`http://h/${pumped(byteLength)}`)]) {
        const found = await ratio(framing, path, (byteLength) => Buffer.from(lineOf(byteLength), 'latin1'));
        assert.ok(found <= LIMIT, `${JSON.stringify(shape)}: 4 times the input took ${found.toFixed(1)} times as long`);
      }
    }
  });
}

tests.run();
