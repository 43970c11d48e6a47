import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Diagnostics } from '../../../src/command/arguments/diagnostics.ts';
import { planOf } from '../../../src/command/commands/commands.ts';
import type { READER_FLAGS } from '../../../src/command/commands/line-flags.ts';
import { isFault } from '../../../src/command/fault.ts';
import type { Framing } from '../../../src/command/read/framing.ts';
import { Input } from '../../../src/command/read/inputs.ts';
import { framedBlocks } from '../../../src/command/work/work.ts';
import { file } from '../../support/scratch.ts';
import { SCALE } from '../../support/seed.ts';

const tests = suite('readers: no line takes more than linear time');

type ReaderName = (typeof READER_FLAGS)[number] | 'plain' | 'zero';

/** Each reader, by its flag: its options, and a row with a URL. One that is not here does not compile. */
const READERS: Readonly<Record<ReaderName, readonly [args: readonly string[], row: (url: string) => string]>> = {
  plain: [[], (url) => `${url}\n`],
  zero: [['-z'], (url) => `${url}\0`],
  csv: [['--csv', '-f', 'url', '--comment', ''], (url) => `id,url\n1,${url}\n`],
  tsv: [['--tsv', '-f', 'url', '--comment', ''], (url) => `id\turl\n1\t${url}\n`],
  delimiter: [['--delimiter', ' ', '-f', '2', '--comment', ''], (url) => `a ${url} b\n`],
  json: [['--json', 'a.url'], (url) => `{"x":[1],"a":{"url":"${url}"}}\n`],
  cdx: [['--cdx'], (url) => `com,a)/ 20260101000000 ${url} text/html 200 X - 1 a.gz\n`],
  log: [['--log'], (url) => `192.0.2.1 - - [24/Nov/2026:02:01:00 +0000] "GET ${url} HTTP/1.1" 200 5 "-" "x"\n`],
  logFormat: [['--log-format', '$status "$request"'], (url) => `200 "GET ${url} HTTP/1.1"\n`],
  links: [['--links'], (url) => `<!DOCTYPE html><p><a href="${url}">x</a>\n`],
};

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
for (const [name, [args, row]] of Object.entries(READERS)) {
  tests(`${name}: lines of ${SHAPES.length} shapes, alone and as a URL`, async () => {
    assert.ok(SHAPES.length >= 90);
    const framing = async () => (await planOf(['canon', ...args], new Diagnostics())).framing;
    const shapes = SCALE >= 10 ? SHAPES : SHAPES.filter((_, at) => at % 3 === name.length % 3);
    for (const shape of shapes) {
      const pumped = (byteLength: number) => shape.repeat(Math.ceil(byteLength / shape.length));
      for (const lineOf of [pumped, (byteLength: number) => row(`http://h/${pumped(byteLength)}`)]) {
        const found = await ratio(framing, path, (byteLength) => Buffer.from(lineOf(byteLength), 'latin1'));
        assert.ok(found <= LIMIT, `${JSON.stringify(shape)}: 4 times the input took ${found.toFixed(1)} times as long`);
      }
    }
  });
}

tests.run();
