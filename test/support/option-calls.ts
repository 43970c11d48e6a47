// Every function that takes options, called with enough of them: for the tests of what is read of options.
import type * as explaining from '../../src/entries/explain.ts';
import type * as hashIndex from '../../src/entries/hash-index.ts';
import type * as rdfModule from '../../src/entries/hash-uri/rdf.ts';
import type * as fileModule from '../../src/entries/hash-uri.ts';
import type * as hashedUri from '../../src/entries/hashed-uri.ts';
import type * as pool from '../../src/entries/pool.ts';
import type * as check from '../../src/entries/safe-browsing/check.ts';
import type * as lists from '../../src/entries/safe-browsing/lists.ts';
import type * as safeBrowsing from '../../src/entries/safe-browsing.ts';
import type * as index from '../../src/index.ts';

/** The entries of the package, of the sources or as they are built. */
export interface Entries {
  readonly index: typeof index;
  readonly explain: typeof explaining;
  readonly 'hash-index': typeof hashIndex;
  readonly 'hash-uri': typeof fileModule;
  readonly 'hash-uri-rdf': typeof rdfModule;
  readonly 'hashed-uri': typeof hashedUri;
  readonly pool: typeof pool;
  readonly 'safe-browsing': typeof safeBrowsing;
  readonly 'safe-browsing-check': typeof check;
  readonly 'safe-browsing-lists': typeof lists;
}

export type Call = (options: never) => unknown;
/** A function, with options that are enough, and what shows how they were read. */
export type OptionCall = readonly [name: string, options: object, call: Call];

/** Returns what a call gives, throws or rejects with. */
export async function outcomeOf(call: Call, options: unknown): Promise<unknown> {
  try {
    return await call(options as never);
  } catch (error) {
    return error;
  }
}

/** The names that a function knows, by what it says of another one. */
export async function namesOf([name, options, call]: OptionCall): Promise<string[]> {
  const { message } = (await outcomeOf(call, { ...options, widht: 8 })) as Error;
  if (!/ has no "widht", only /.test(message)) throw new Error(`${name}: ${message}`);
  return message.replace(/^.*, only /, '').split(', ');
}

export const URI = 'http://a.example/b?c#d';
const CODE = 'FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ';
const TRIPLE = '<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .';
const RELATIVE = '<doc> <http://purl.org/dc/terms/title> "Hello" .';
const BYTES = new TextEncoder().encode('hello');
const UNAVAILABLE = new Response(null, { status: 503 });
const SERVER = {
  server: 'http://127.0.0.1/',
  procedure: 'no-storage',
  whenUnsure: 'allow',
  fetch: async () => UNAVAILABLE,
  now: () => 0,
} as const;

export function optionCalls(entries: Entries): OptionCall[] {
  const { canonicalize, hashStream, profileOf, tryCanonicalize, UrlHash, UrlHasher } = entries.index;
  const { explain } = entries.explain;
  const { HashIndex, HashIndexBuilder } = entries['hash-index'];
  const rdf = entries['hash-uri-rdf'];
  const { 'hash-uri': files, 'hashed-uri': hashed, 'safe-browsing': browsing } = entries;
  const { SafeBrowsingChecker } = entries['safe-browsing-check'];
  const { HashList } = entries['safe-browsing-lists'];
  const quads = rdf.parseRdf(TRIPLE, { format: 'nquads' });

  async function columnOf(options: object): Promise<unknown> {
    const { readable, writable } = hashStream(options);
    const writer = writable.getWriter();
    const [{ value }] = await Promise.all([readable.getReader().read(), writer.write(BYTES), writer.close()]);
    return value && [value.errorAt(0)?.reason ?? value.hex(0), value.profile];
  }
  async function quadsOf(options: object): Promise<unknown> {
    const read = [];
    for await (const quad of rdf.parseRdfStream([Buffer.from(TRIPLE)], options as never)) read.push(quad);
    return read.length;
  }
  const answerOf = async (options: object) => new SafeBrowsingChecker(options as typeof SERVER).check(URI);
  const hashed0 = (options: object) => {
    const column = new UrlHasher(options).hashMany([URI, 'x']);
    return [column.hex(0), column.hex(1), column.profile];
  };

  return [
    ['canonicalize', { excludeFragment: true }, (options) => canonicalize(URI, options)],
    ['tryCanonicalize', { excludeFragment: true }, (options) => tryCanonicalize(URI, options)],
    ['profileOf', { excludeFragment: true }, (options) => profileOf(options)],
    ['UrlHash.of', { excludeFragment: true }, (options) => UrlHash.of(URI, options).hex],
    ['UrlHasher', { width: 8 }, hashed0],
    ['hashStream', { width: 8 }, columnOf],
    ['UrlHashPool', { threads: 1 }, (options) => new entries.pool.UrlHashPool(options).close()],
    ['hashedUri.canonicalize', { variant: 'N' }, (options) => hashed.canonicalize(URI, options)],
    ['hashedUri.hash', { variant: 'N', algorithm: 'md5' }, (options) => `${hashed.hash(URI, options)}`],
    ['readings', {}, (readings) => hashed.canonicalize(URI, { variant: 'N', readings })],
    ['HashedUriSet', { variant: 'N' }, (options) => new hashed.HashedUriSet([], options).size],
    ['hashedUri.matches', { variant: 'N' }, (o) => hashed.matches(URI, `hashed:md5=${'0'.repeat(32)}`, o)],
    ['sb.canonicalize', { profile: 'v5' }, (options) => browsing.canonicalize(URI, options)],
    ['sb.expressions', { profile: 'v5' }, (options) => browsing.expressions(URI, options)],
    ['sb.hashes', { profile: 'v5' }, (options) => browsing.hashes(URI, options)],
    ['sb.listEntry', { profile: 'v5' }, (options) => browsing.listEntry(URI, options)],
    ['sb.listEntries', { input: 'lines' }, (options) => browsing.listEntries(URI, options)],
    ['ExpressionHasher', { profile: 'v5' }, (options) => new browsing.ExpressionHasher(options).hashMany([URI]).bytes],
    ['HashList.from', { name: 'a' }, (options) => HashList.from(new Uint8Array(4), 4, options).toBytes()],
    ['SafeBrowsingChecker', SERVER, answerOf],
    ['backOff', { refusedMs: 1 }, (backOff) => answerOf({ ...SERVER, backOff })],
    ['expressions', { mode: 'spec' }, (expressions) => answerOf({ ...SERVER, expressions })],
    ['check', {}, (options) => new SafeBrowsingChecker(SERVER).check(URI, options)],
    ['explain', { specification: 'url' }, (options) => explain(URI, options)],
    ['explain v5', { specification: 'v5' }, (options) => explain(URI, options)],
    ['hashUri.make', { module: 'FA' }, (options) => files.make('http://a/', BYTES, options)],
    ['hashUri.makeFromStream', { module: 'FA' }, (options) => files.makeFromStream('http://a/', [BYTES], options)],
    ['hashUri.verdictOfStream', {}, (options) => files.verdictOfStream(CODE, [BYTES], options)],
    ['hashUri.isPotentialTrustyUri', {}, (options) => files.isPotentialTrustyUri(`http://a/${CODE}`, options)],
    ['hashUri.toNi', {}, (options) => files.toNi(CODE, options)],
    ['rdf.parseRdf', { format: 'nquads' }, (options) => rdf.parseRdf(TRIPLE, options)],
    ['rdf.parseRdf relative', { format: 'turtle' }, (options) => rdf.parseRdf(RELATIVE, options)],
    ['rdf.parseRdfStream', { format: 'nquads' }, quadsOf],
    ['rdf.hashedText', {}, (options) => rdf.hashedText(quads, options)],
    ['rdf.artifactCode', { module: 'RA' }, (options) => rdf.artifactCode(quads, options)],
    ['rdf.make', { module: 'RA' }, (options) => rdf.make('http://example.org/doc', quads, options)],
    ['rdf settings', rdf.NANOPUB, (settings) => rdf.make('http://example.org/doc', quads, { module: 'RA', settings })],
    ['rdf.verdictOf', {}, (options) => rdf.verdictOf(`RA${CODE.slice(2)}`, quads, options)],
    ['HashIndexBuilder', { width: 8 }, (options) => new HashIndexBuilder(options).close()],
    ['HashIndex.open', {}, (options) => HashIndex.open(new Uint8Array(9), options)],
  ];
}
