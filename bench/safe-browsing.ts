// Canonical form, expressions and SHA-256 of URLs, against the npm package that does it and against a
// plain reading of the page with node:crypto, in one run: `npm run bench`.
// --smoke: a few lines and one round, to see that it runs. --prefixes N: look-ups in a set of so many, 10^8 for one
// that takes seconds to build and 1.5 GiB, and nothing else.

import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import {
  canonicalize,
  ExpressionHasher,
  type ExpressionHasherOptions,
  expressions,
  hashes,
  PUBLIC_SUFFIX_LIST,
} from '../src/entries/safe-browsing.ts';
import { kernelName, UrlHasher } from '../src/index.ts';
import { Canonicalizer } from '../src/specs/safe-browsing/canonicalize.ts';
import { CanonicalUrl } from '../src/specs/safe-browsing/url-bytes.ts';
import { lastComponents, readPage, tries } from '../test/specs/safe-browsing/page-reading.ts';
import { corpusLines, LINE_KIND } from './corpus.ts';
import { isSmoke, LINE_COUNT } from './extent.ts';
import { type Contender, type Measure, measure, ratio } from './measure.ts';
import { benchCommand } from './safe-browsing/command.ts';
import { benchGo } from './safe-browsing/go.ts';
import { benchPrefixes } from './safe-browsing/prefixes.ts';

/** What is used of the package; its releases carry no such types for all of it. */
interface WebriskHash {
  getPrefixes(url: string, bits: number): Set<Uint8Array>;
}

const ROUNDS = isSmoke ? 1 : 7;

const lines = corpusLines('main').slice(0, LINE_COUNT);
const bytes = lines.map((line) => new TextEncoder().encode(line));
/** As they come from a file: a block of some 640 KB at a time. */
const BLOCK_LINES = 10_000;
const blocks = Array.from({ length: Math.ceil(lines.length / BLOCK_LINES) }, (_, index) =>
  Buffer.from(`${lines.slice(index * BLOCK_LINES, (index + 1) * BLOCK_LINES).join('\n')}\n`),
);

function forEachBlock(name: string, options: ExpressionHasherOptions): Contender {
  const hasher = new ExpressionHasher(options);
  const run = () => blocks.reduce((sum, block) => sum + hasher.hashLines(block).bytes.length, 0);
  return { name: `hashLines, ${name}`, run, count: lines.length };
}

/** A rival is timed on fewer lines, as many times slower as it is. */
function forEachLine(name: string, share: number, work: (url: string) => number): Contender {
  const part = lines.slice(0, Math.ceil(lines.length / share));
  return { name, run: () => part.reduce((sum, line) => sum + work(line), 0), count: part.length };
}

function plainReading(url: string): string[] {
  const reading = readPage(Buffer.from(url).toString('latin1'), 'web-risk');
  const list = reading === undefined ? [] : tries(reading, lastComponents(reading));
  return list.map((each) => createHash('sha256').update(each).digest('hex'));
}

function safely<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise; // a line without a host, or one that the rival cannot read: it is timed all the same
  }
}

/** undefined where it is not installed. */
async function webriskHash(): Promise<WebriskHash | undefined> {
  const name = 'webrisk-hash';
  return import(name).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.log(`\n!!! ${name} is not installed: it is not compared\n`);
    return undefined;
  }) as Promise<WebriskHash | undefined>;
}

/** The plain reading must agree before anything is timed; the package need not, and its share of equal sets is told. */
function checkHashes(rival: WebriskHash | undefined): void {
  const column = new ExpressionHasher({ profile: 'web-risk' }).hashMany(lines);
  let equal = 0;
  let checked = 0;
  for (let row = 0; row < lines.length; row += isSmoke ? 1 : 20) {
    const ours = column.hex(row);
    if (ours.join() !== plainReading(lines[row]!).join()) throw new Error(`${lines[row]}: the plain reading disagrees`);
    checked++;
    if (rival !== undefined)
      equal += sameSet(
        ours,
        safely(() => [...rival.getPrefixes(lines[row]!, 256)], []),
      )
        ? 1
        : 0;
  }
  if (rival !== undefined)
    console.log(
      `webrisk-hash gives the page's hashes for ${((100 * equal) / checked).toFixed(1)} % of ${checked} URLs`,
    );
}

function sameSet(ours: readonly string[], theirs: readonly Uint8Array[]): boolean {
  return (
    [...ours].sort().join() ===
    theirs
      .map((hash) => Buffer.from(hash).toString('hex'))
      .sort()
      .join()
  );
}

function printTable(title: string, measures: readonly Measure[], rivals: readonly Measure[]): void {
  const heads = rivals.map(({ name }) => ` times as fast as ${name} |`).join('');
  const rows = measures.map((each) => {
    const ratios = rivals.map((rival) => ` ${ratio(rival, each).toFixed(2)} |`).join('');
    return `| ${each.name} | ${each.value.toFixed(0)} | ${(1e6 / each.value).toFixed(0)} |${ratios}`;
  });
  console.log(
    `\n${title}\n\n| | ns | thousand a second |${heads}\n|---|---:|---:|${'---:|'.repeat(rivals.length)}\n${rows.join('\n')}`,
  );
}

function benchUrls(rival: WebriskHash | undefined): void {
  const ours: Contender[] = [
    forEachBlock('web-risk', { profile: 'web-risk' }),
    forEachBlock('v5', {}),
    forEachBlock('v5, union', { mode: 'union' }),
    forEachBlock('v5, without SIMD', { kernel: 'js' }),
    {
      name: 'hashMany, web-risk',
      run: () => new ExpressionHasher({ profile: 'web-risk' }).hashMany(lines),
      count: lines.length,
    },
    { name: 'hashMany, v5', run: () => new ExpressionHasher().hashMany(lines), count: lines.length },
    { name: 'hashMany, v5, bytes', run: () => new ExpressionHasher().hashMany(bytes), count: lines.length },
    {
      name: 'hashMany, v5, union',
      run: () => new ExpressionHasher({ mode: 'union' }).hashMany(lines),
      count: lines.length,
    },
    forEachLine('hashes(url), v5', 4, (url) => safely(() => hashes(url).length, 0)),
    forEachLine('expressions(url), v5', 4, (url) => safely(() => expressions(url).length, 0)),
    forEachLine('canonicalize(url)', 4, (url) => safely(() => canonicalize(url).length, 0)),
  ];
  const hasher = new UrlHasher();
  const rivals = [
    {
      name: 'UrlHasher.hashLines',
      run: () => blocks.reduce((sum, block) => sum + hasher.hashLines(block).length, 0),
      count: lines.length,
    },
    forEachLine('plain reading', 20, (url) => plainReading(url).length),
  ];
  if (rival !== undefined)
    rivals.push(forEachLine('webrisk-hash', 20, (url) => safely(() => rival.getPrefixes(url, 256).size, 0)));
  const measures = measure([...ours, ...rivals], ROUNDS);
  printTable(
    `A URL, of ${lines.length} ${LINE_KIND} ones, with its expressions' SHA-256`,
    measures,
    measures.slice(ours.length),
  );
}

/** What a hostile megabyte costs, beside a plain one of the same length, through all steps. */
function benchNasty(): void {
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
  const contenders = Object.entries(urls).map(([name, text]): Contender => {
    const input = new TextEncoder().encode(text);
    return {
      name,
      run: () => canonicalizer.run(input, 0, input.length, { profile: 'v5', mode: 'spec' }, url),
      count: input.length,
    };
  });
  const measures = measure(contenders, ROUNDS);
  const plain = measures[0]!;
  const rows = measures.map(
    (each) => `| ${each.name} | ${each.value.toFixed(2)} | ${(1 / ratio(plain, each)).toFixed(1)} |`,
  );
  console.log(`\nA byte, of ${size}\n\n| | ns | times a plain path |\n|---|---:|---:|\n${rows.join('\n')}`);
}

const MACHINE = `${cpus()[0]?.model}, Node ${process.versions.node}, kernel ${kernelName()}`;
const { values: options } = parseArgs({ options: { smoke: { type: 'boolean' }, prefixes: { type: 'string' } } });

async function benchAll(): Promise<void> {
  const rival = await webriskHash();
  checkHashes(rival);
  console.log(`${MACHINE}, suffix list ${PUBLIC_SUFFIX_LIST}, ${ROUNDS} rounds, medians`);
  benchUrls(rival);
  benchCommand(lines, isSmoke ? 1 : 3);
  benchNasty();
  benchPrefixes(isSmoke ? 1000 : 1_000_000, ROUNDS);
  benchGo(lines, isSmoke ? 1000 : 1_000_000);
}

if (options.prefixes === undefined) await benchAll();
else benchPrefixes(Number(options.prefixes), 3);
