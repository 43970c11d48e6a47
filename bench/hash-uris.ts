// How long do hashed URIs and hash-URIs take, beside what a user would write instead? `npm run bench -- hash-uris`.

import { createHash } from 'node:crypto';
import { make, verify } from '../src/entries/hash-uri.ts';
import { canonicalize, HashedUriError, HashedUriSet, hash, matches } from '../src/entries/hashed-uri.ts';
import { KernelSha256 } from '../src/specs/hash-uri/file-module.ts';
import { corpusLines, extentOf, isSmoke } from './corpus.ts';
import { type Turn, turn } from './measure.ts';
import { Report } from './report.ts';

const N = { variant: 'N' } as const;
const uris = corpusLines('main')
  .filter(isUri)
  .slice(0, isSmoke ? 500 : 20_000);

/** Only lines that both this host and RFC 2396 take for a URI: all contenders do the same work. */
function isUri(line: string): boolean {
  try {
    return canonicalize(line, N) !== '' && URL.canParse(line);
  } catch (error) {
    if (error instanceof HashedUriError) return false;
    throw error;
  }
}

function forEachUri(name: string, work: (uri: string) => string | boolean): Turn {
  return turn(name, uris.length, () => uris.reduce((sum, uri) => sum + (work(uri) ? 1 : 0), 0));
}

const report = new Report('hash-uris');
const sha1 = (uri: string) => hash(uri, { ...N, algorithm: 'sha1' });
const nodeSha1 = (text: string) => createHash('sha1').update(text).digest('hex');
const [first] = uris as [string];
if (sha1(first).value !== nodeSha1(canonicalize(first, N))) throw new Error('the digests differ');
const hashing = [
  forEachUri('canonicalize, N', (uri) => canonicalize(uri, N)),
  forEachUri('canonicalize, P', (uri) => canonicalize(uri, { variant: 'P' })),
  forEachUri('new URL(uri).href', (uri) => new URL(uri).href),
  forEachUri('hash, N, sha1', (uri) => sha1(uri).value),
  forEachUri('hash, N, md5', (uri) => hash(uri, { ...N, algorithm: 'md5' }).value),
  forEachUri("createHash('sha1').update(new URL(uri).href)", (uri) => nodeSha1(new URL(uri).href)),
];
await report.time('hashed-uris', `A hashed URI: ${extentOf(uris)}`, hashing, hashing.at(-1)!.name, {
  seconds: 10,
  headlines: ['hash, N, sha1'],
});

const entries = uris.slice(0, 100).map(sha1);
const short = new HashedUriSet(entries, N);
const long = new HashedUriSet(uris.map(sha1), N);
const candidates = uris.slice(-100);
const matching = [
  forEachUri('HashedUriSet, 100 entries', (uri) => short.has(uri)),
  forEachUri(`HashedUriSet, ${long.size} entries`, (uri) => long.has(uri)),
  turn('matches, for each of 100 entries', candidates.length, () =>
    candidates.filter((uri) => entries.some((entry) => matches(uri, entry, N))),
  ),
];
const filterTitle = 'A candidate against a filter list';
await report.time('filter-lists', filterTitle, matching, matching.at(-1)!.name, { seconds: 10 });

const content = new Uint8Array(1 << 20).map((_, at) => at);
const uri = make('http://e/', content);
const ofNode = () => createHash('sha256').update(content).digest('base64url');
if (uri !== `http://e/FA${ofNode()}`) throw new Error('the codes differ');
const inPieces = () => {
  const sha256 = new KernelSha256();
  sha256.update(content);
  return sha256.digest();
};
const hashingContent = [
  turn('verify', 1024, () => verify(uri, content)),
  turn('in pieces', 1024, inPieces),
  turn('node:crypto', 1024, ofNode),
];
const contentTitle = "A kilobyte of a hash-URI's content, of a megabyte";
await report.time('contents', contentTitle, hashingContent, 'node:crypto', { seconds: 3 });
report.write();
