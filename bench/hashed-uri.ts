// Hashed URIs and hash-URIs against what a user would write instead, in one run: `npm run bench`.
// --smoke: a few lines and one round, to see that it runs.

import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import { make, verify } from '../src/entries/hash-uri.ts';
import { canonicalize, HashedUriError, HashedUriSet, hash, matches } from '../src/entries/hashed-uri.ts';
import { KernelSha256 } from '../src/specs/hash-uri/file-module.ts';
import { corpusLines, LINE_KIND } from './corpus.ts';
import { isSmoke } from './extent.ts';
import { type Contender, type Measure, measure, ratio } from './measure.ts';

const ROUNDS = isSmoke ? 1 : 7;
const N = { variant: 'N' } as const;
const uris = corpusLines('main')
  .filter(isUri)
  .slice(0, isSmoke ? 500 : 50_000);

/** Only lines that both this host and RFC 2396 take for a URI: all contenders do the same work. */
function isUri(line: string): boolean {
  try {
    return canonicalize(line, N) !== '' && URL.canParse(line);
  } catch (error) {
    if (error instanceof HashedUriError) return false;
    throw error;
  }
}

function forEachUri(name: string, work: (uri: string) => string | boolean): Contender {
  const run = () => uris.reduce((sum, uri) => sum + (work(uri) ? 1 : 0), 0);
  return { name, run, count: uris.length };
}

function printTable(title: string, measures: readonly Measure[], rival: Measure): void {
  const rows = measures.map((each) => `| ${each.name} | ${each.value.toFixed(1)} | ${ratio(rival, each).toFixed(2)} |`);
  console.log(`\n${title}\n\n| | ns | times as fast as \`${rival.name}\` |\n|---|---:|---:|\n${rows.join('\n')}`);
}

function benchHashing(): void {
  const nodeSha1 = (text: string) => createHash('sha1').update(text).digest('hex');
  const first = uris[0]!;
  if (hash(first, { ...N, algorithm: 'sha1' }).value !== nodeSha1(canonicalize(first, N)))
    throw new Error('the digests differ');
  const measures = measure(
    [
      forEachUri('canonicalize, N', (uri) => canonicalize(uri, N)),
      forEachUri('canonicalize, P', (uri) => canonicalize(uri, { variant: 'P' })),
      forEachUri('new URL(uri).href', (uri) => new URL(uri).href),
      forEachUri('hash, N, sha1', (uri) => hash(uri, { ...N, algorithm: 'sha1' }).value),
      forEachUri('hash, N, md5', (uri) => hash(uri, { ...N, algorithm: 'md5' }).value),
      forEachUri("createHash('sha1').update(new URL(uri).href)", (uri) => nodeSha1(new URL(uri).href)),
    ],
    ROUNDS,
  );
  printTable(`A URI, of ${uris.length} ${LINE_KIND} ones`, measures, measures.at(-1)!);
}

function benchMatching(): void {
  const entries = uris.slice(0, 100).map((uri) => hash(uri, { ...N, algorithm: 'sha1' }));
  const short = new HashedUriSet(entries, N);
  const long = new HashedUriSet(
    uris.map((uri) => hash(uri, { ...N, algorithm: 'sha1' })),
    N,
  );
  const candidates = uris.slice(-100);
  const oneByOne = () => candidates.filter((uri) => entries.some((entry) => matches(uri, entry, N)));
  const measures = measure(
    [
      forEachUri('HashedUriSet, 100 entries', (uri) => short.has(uri)),
      forEachUri(`HashedUriSet, ${long.size} entries`, (uri) => long.has(uri)),
      { name: 'matches, for each of 100 entries', run: oneByOne, count: candidates.length },
    ],
    ROUNDS,
  );
  printTable('A candidate against a filter list', measures, measures.at(-1)!);
}

function benchContent(): void {
  const content = new Uint8Array(1 << 20).map((_, at) => at);
  const uri = make('http://e/', content);
  const inPieces = () => {
    const sha256 = new KernelSha256();
    sha256.update(content);
    return sha256.digest();
  };
  const ofNode = () => createHash('sha256').update(content).digest('base64url');
  if (uri !== `http://e/FA${ofNode()}`) throw new Error('the codes differ');
  const measures = measure(
    [
      { name: 'verify', run: () => verify(uri, content), count: 1024 },
      { name: 'in pieces', run: inPieces, count: 1024 },
      { name: 'node:crypto', run: ofNode, count: 1024 },
    ],
    isSmoke ? 1 : 50,
  );
  printTable("A kilobyte of a hash-URI's content, of a megabyte", measures, measures.at(-1)!);
}

console.log(`${cpus()[0]?.model}, Node ${process.versions.node}, ${ROUNDS} rounds, medians`);
benchHashing();
benchMatching();
benchContent();
