// How long do the expressions of a URL and their hashes take, and look-ups of prefixes, beside what others write?
// `npm run bench -- safe-browsing`. --prefixes N: look-ups in a set of so many alone; 10^8 need 2 GiB.

import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import {
  canonicalize,
  type ExpressionColumn,
  ExpressionHasher,
  type ExpressionHasherOptions,
  expressions,
  hashes,
  PrefixSet,
  PUBLIC_SUFFIX_LIST,
} from '../src/entries/safe-browsing.ts';
import { UrlHasher } from '../src/index.ts';
import { Canonicalizer } from '../src/specs/safe-browsing/canonicalize.ts';
import { CanonicalUrl } from '../src/specs/safe-browsing/url-bytes.ts';
import { lastComponents, readPage, tries } from '../test/specs/safe-browsing/page-reading.ts';
import { corpusLines, extentOf, isSmoke, LINE_COUNT, textOf } from './corpus.ts';
import { type Turn, turn } from './measure.ts';
import { processTurn, repeatedLines, urlsum } from './process.ts';
import { Report } from './report.ts';
import { builtNatives } from './rivals/natives.ts';
import { startAll } from './rivals/program.ts';

const PLAIN_READING = 'plain reading of the page, node:crypto';
/** Blocks as they come from a file: one of some 640 KB at a time. */
const BLOCK_LINES = 10_000;

const lines = corpusLines('main').slice(0, LINE_COUNT);
const bytes = lines.map((line) => new TextEncoder().encode(line));
const blocks = Array.from({ length: Math.ceil(lines.length / BLOCK_LINES) }, (_, index) =>
  textOf(lines.slice(index * BLOCK_LINES, (index + 1) * BLOCK_LINES)),
);

function forEachBlock(name: string, options: ExpressionHasherOptions): Turn {
  const hasher = new ExpressionHasher(options);
  const run = () => blocks.reduce((sum, block) => sum + hasher.hashLines(block).bytes.length, 0);
  return turn(`hashLines, ${name}`, lines.length, run);
}

function hashMany(name: string, urls: readonly (string | Uint8Array)[], options: ExpressionHasherOptions): Turn {
  return turn(`hashMany, ${name}`, urls.length, () => new ExpressionHasher(options).hashMany(urls));
}

/** Measures work on lines, fewer where it is slow. A line without a host is timed all the same. */
function forEachLine(name: string, share: number, work: (url: string) => number): Turn {
  const part = lines.slice(0, Math.ceil(lines.length / share));
  const safely = (line: string) => {
    try {
      return work(line);
    } catch {
      return 0;
    }
  };
  return turn(name, part.length, () => part.reduce((sum, line) => sum + safely(line), 0));
}

function plainReading(url: string): string[] {
  const reading = readPage(Buffer.from(url).toString('latin1'), 'web-risk');
  const list = reading === undefined ? [] : tries(reading, lastComponents(reading));
  return list.map((each) => createHash('sha256').update(each).digest('hex'));
}

/** The plain reading must agree before anything is timed. */
function checkHashes(): void {
  const column = new ExpressionHasher({ profile: 'web-risk' }).hashMany(lines);
  for (let row = 0; row < lines.length; row += isSmoke ? 1 : 20) {
    if (column.hex(row).join() !== plainReading(lines[row]!).join())
      throw new Error(`${lines[row]}: the plain reading disagrees`);
  }
}

async function addUrls(): Promise<void> {
  const hasher = new UrlHasher();
  const turns = [
    forEachBlock('web-risk', { profile: 'web-risk' }),
    forEachBlock('v5', {}),
    forEachBlock('v5, union', { mode: 'union' }),
    hashMany('web-risk', lines, { profile: 'web-risk' }),
    hashMany('v5', lines, {}),
    hashMany('v5, bytes', bytes, {}),
    forEachLine('hashes(url), v5', 4, (url) => hashes(url).length),
    forEachLine('expressions(url), v5', 4, (url) => expressions(url).length),
    forEachLine('canonicalize(url)', 4, (url) => canonicalize(url).length),
    turn('UrlHasher.hashLines', lines.length, () =>
      blocks.reduce((sum, each) => sum + hasher.hashLines(each).length, 0),
    ),
    forEachLine(PLAIN_READING, 20, (url) => plainReading(url).length),
  ];
  const programs = await startAll(natives.starts, lines);
  for (const program of programs)
    for (const way of program.introduction.ways.expressions ?? [])
      turns.push({ name: `${way}, ${program.title}`, round: () => program.round(way) });
  const title = `The hashes of a URL's expressions: ${extentOf(lines)}`;
  await report.time('expressions', title, turns, PLAIN_READING, { seconds: 20 });
  for (const program of programs) program.stop();
}

/** The command from file to file. */
async function addCommand(): Promise<void> {
  const file = repeatedLines(textOf(lines), lines.length, isSmoke ? 1 : 5);
  const turns = [processTurn('urlsum expressions --hash', urlsum('expressions --hash --quiet --exit-zero'), file)];
  const title = 'A line of the command, start included';
  await report.time('expressions-command', title, turns, turns[0]!.name, { seconds: 6, warmUps: 0 });
}

/** Measures what a hostile megabyte costs, beside a plain one of the same length, through all steps. */
async function addNasty(): Promise<void> {
  const size = isSmoke ? 1 << 14 : 1 << 20;
  const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
  const urls = {
    'plain path': `http://a.com/${fill('a')}`,
    'nested %25': `http://a.com/%${fill('25')}`,
    dots: `http://a${fill('.')}/`,
    slashes: `http://a.com${fill('/')}`,
    '/../': `http://a.com${fill('/../')}`,
    'host labels': `http://${fill('a.')}com/`,
    'bytes to escape': `http://a.com/${fill('\0')}x`,
  };
  const canonicalizer = new Canonicalizer();
  const url = new CanonicalUrl();
  const turns = Object.entries(urls).map(([name, text]) => {
    const input = new TextEncoder().encode(text);
    return turn(name, input.length, () =>
      canonicalizer.run(input, 0, input.length, { profile: 'v5', mode: 'spec' }, url),
    );
  });
  await report.time('hostile', `A byte, of ${size}`, turns, 'plain path', { seconds: 3, headlines: [] });
}

const PREFIX_BYTES = 4;
const ROW_COUNT = 125_000;
/** The largest number of values of a Set, which has room for 2^24. */
const SET_LIMIT = 1.5e7;

/** Spreads values as SHA-256 does: evenly, by a cheaper generator (xorshift32). */
function randomPrefixes(count: number): Uint8Array {
  const words = new Uint32Array(count);
  let state = createHash('sha256').update('prefixes').digest().readUInt32LE();
  for (let index = 0; index < count; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return new Uint8Array(words.buffer);
}

/** Hashes that no order helps to find: eight of each row, and of each fiftieth row one is in the set. */
function columnOf(prefixes: Uint8Array): ExpressionColumn {
  const urls = Array.from({ length: ROW_COUNT }, (_, index) => `http://a.h${index}.com/x/y?q`);
  const column = new ExpressionHasher({ width: PREFIX_BYTES }).hashMany(urls);
  for (let row = 0; row < column.length; row += 50) {
    const from = ((row * 7919) % (prefixes.length / PREFIX_BYTES)) * PREFIX_BYTES;
    column.bytes.set(prefixes.subarray(from, from + PREFIX_BYTES), column.offsets[row]! * PREFIX_BYTES);
  }
  return column;
}

const wordAt = (all: Uint8Array, at: number) =>
  ((all[at]! << 24) | (all[at + 1]! << 16) | (all[at + 2]! << 8) | all[at + 3]!) >>> 0;

function searched(sorted: Uint32Array, word: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === word;
}

/** Counts the rows of a column of which some hash is in a set. */
function lookUps(name: string, column: ExpressionColumn, has: (all: Uint8Array, at: number) => boolean): Turn {
  return turn(name, column.bytes.length / PREFIX_BYTES, () => rowsFound(column, has));
}

function rowsFound(column: ExpressionColumn, has: (all: Uint8Array, at: number) => boolean): number {
  let found = 0;
  for (let row = 0; row < column.length; row++) {
    let at = PREFIX_BYTES * column.offsets[row]!;
    const end = PREFIX_BYTES * column.offsets[row + 1]!;
    while (at < end && !has(column.bytes, at)) at += PREFIX_BYTES;
    if (at < end) found++;
  }
  return found;
}

/** Look-ups in a set of `count` prefixes of 4 bytes; in the JavaScript sets only where they can hold them. */
async function addPrefixes(count: number): Promise<void> {
  const prefixes = randomPrefixes(count);
  const set = PrefixSet.from(prefixes, PREFIX_BYTES);
  const column = columnOf(prefixes);
  const each = Array.from({ length: column.bytes.length / 4 }, (_, at) => column.bytes.slice(4 * at, 4 * at + 4));
  const words = Uint32Array.from({ length: count }, (_, index) => wordAt(prefixes, 4 * index));
  const sorted = words.slice().sort();
  const ways: Record<string, (all: Uint8Array, at: number) => boolean> = {
    'PrefixSet.has': (_, at) => set.has(each[at / PREFIX_BYTES]!),
    'Uint32Array, binary search': (all, at) => searched(sorted, wordAt(all, at)),
  };
  if (count <= SET_LIMIT) {
    const numbers = new Set(words);
    const texts = new Set(Array.from(words, (word) => word.toString(16).padStart(8, '0')));
    ways['Set of numbers'] = (all, at) => numbers.has(wordAt(all, at));
    ways['Set of hex strings'] = (all, at) => texts.has(wordAt(all, at).toString(16).padStart(8, '0'));
  }
  const found = [set.matches(column).length, ...Object.values(ways).map((has) => rowsFound(column, has))];
  if (new Set(found).size !== 1) throw new Error(`they find ${found.join(', ')}`);
  const turns = Object.entries(ways).map(([name, has]) => lookUps(name, column, has));
  turns.unshift(turn('PrefixSet.matches', each.length, () => set.matches(column).length));
  const bytesEach = (set.byteLength / set.size).toFixed(2);
  const title = `A look-up among ${count.toLocaleString('en-US')} prefixes of 4 bytes, which take ${bytesEach} each`;
  await report.time('prefixes', title, turns, 'Uint32Array, binary search', { seconds: 10 });
}

const { values: options } = parseArgs({ options: { smoke: { type: 'boolean' }, prefixes: { type: 'string' } } });
const natives = await builtNatives(['Go']);
const report = new Report('safe-browsing', natives.absent, `suffix list ${PUBLIC_SUFFIX_LIST}, `);
if (options.prefixes !== undefined) await addPrefixes(Number(options.prefixes));
else {
  checkHashes();
  await addUrls();
  await addCommand();
  await addNasty();
  await addPrefixes(isSmoke ? 1000 : 1_000_000);
  report.write();
}
