// Options are the own properties of an object, for every function that takes some: what a prototype has, such as that of
// an object that a library shares or that someone polluted, is not read.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { explain } from '../src/entries/explain.ts';
import { HashIndex, HashIndexBuilder } from '../src/entries/hash-index.ts';
import * as rdf from '../src/entries/hash-uri/rdf.ts';
import * as fileModule from '../src/entries/hash-uri.ts';
import * as hashedUri from '../src/entries/hashed-uri.ts';
import { UrlHashPool } from '../src/entries/pool.ts';
import { SafeBrowsingChecker } from '../src/entries/safe-browsing/check.ts';
import { HashList } from '../src/entries/safe-browsing/lists.ts';
import * as safeBrowsing from '../src/entries/safe-browsing.ts';
import { canonicalize, hashStream, profileOf, tryCanonicalize, UrlHash, UrlHasher } from '../src/index.ts';

const tests = suite('options');

const CODE = 'FALPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ';
const URI = 'http://a.example/b?c#d';
const TRIPLE = '<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .';
const QUADS = rdf.parseRdf(TRIPLE, { format: 'nquads' });
const BYTES = new TextEncoder().encode('hello');
const SERVER = {
  server: 'http://127.0.0.1/',
  procedure: 'no-storage',
  whenUnsure: 'allow',
  fetch: refused,
  now: () => 0,
} as const;

async function refused(): Promise<Response> {
  return new Response(null, { status: 503 });
}

async function columnOf(options: object): Promise<unknown> {
  const { body } = new Response(`${URI}\n`);
  for await (const column of body!.pipeThrough(hashStream(options))) return column.hex(0);
  return undefined;
}

async function quadsOf(options: object): Promise<unknown> {
  const quads = [];
  for await (const quad of rdf.parseRdfStream([Buffer.from(TRIPLE)], options as rdf.ParseOptions)) quads.push(quad);
  return quads.length;
}

async function answerOf(options: object): Promise<unknown> {
  return new SafeBrowsingChecker(options as typeof SERVER).check(URI);
}

type Call = (options: never) => unknown;

/** Each with options that are enough, and what shows how they were read. */
const CALLS: readonly (readonly [name: string, options: object, call: Call])[] = [
  ['canonicalize', { excludeFragment: true }, (options) => canonicalize(URI, options)],
  ['tryCanonicalize', { excludeFragment: true }, (options) => tryCanonicalize(URI, options)],
  ['profileOf', { excludeFragment: true }, (options) => profileOf(options)],
  ['UrlHash.of', { excludeFragment: true }, (options) => UrlHash.of(URI, options).hex],
  ['UrlHasher', { width: 8 }, (options) => new UrlHasher(options).hash(URI).hex],
  ['hashStream', { width: 8 }, columnOf],
  ['UrlHashPool', { threads: 1 }, (options) => new UrlHashPool(options).close()],
  ['hashedUri.canonicalize', { variant: 'N' }, (options) => hashedUri.canonicalize(URI, options)],
  ['hashedUri.hash', { variant: 'N', algorithm: 'md5' }, (options) => `${hashedUri.hash(URI, options)}`],
  ['readings', {}, (readings) => hashedUri.canonicalize(URI, { variant: 'N', readings })],
  ['HashedUriSet', { variant: 'N' }, (options) => new hashedUri.HashedUriSet([], options).size],
  ['hashedUri.matches', { variant: 'N' }, (o) => hashedUri.matches(URI, `hashed:md5=${'0'.repeat(32)}`, o)],
  ['sb.canonicalize', { profile: 'v5' }, (options) => safeBrowsing.canonicalize(URI, options)],
  ['sb.expressions', { profile: 'v5' }, (options) => safeBrowsing.expressions(URI, options)],
  ['sb.hashes', { profile: 'v5' }, (options) => safeBrowsing.hashes(URI, options)],
  ['sb.listEntry', { profile: 'v5' }, (options) => safeBrowsing.listEntry(URI, options)],
  ['sb.listEntries', { input: 'lines' }, (options) => safeBrowsing.listEntries(URI, options)],
  [
    'ExpressionHasher',
    { profile: 'v5' },
    (options) => new safeBrowsing.ExpressionHasher(options).hashMany([URI]).bytes,
  ],
  ['HashList.from', { name: 'a' }, (options) => HashList.from(new Uint8Array(4), 4, options).toBytes()],
  ['SafeBrowsingChecker', SERVER, answerOf],
  ['backOff', { refusedMs: 1 }, (backOff) => answerOf({ ...SERVER, backOff })],
  ['expressions', { mode: 'spec' }, (expressions) => answerOf({ ...SERVER, expressions })],
  ['check', {}, (options) => new SafeBrowsingChecker(SERVER).check(URI, options)],
  ['explain', { specification: 'url' }, (options) => explain(URI, options)],
  ['explain v5', { specification: 'v5' }, (options) => explain(URI, options)],
  ['explain hashed-uri', { specification: 'hashed-uri', variant: 'N' }, (options) => explain(URI, options)],
  ['explain hash-uri', { specification: 'hash-uri' }, (options) => explain(URI, options)],
  ['hashUri.make', { module: 'FA' }, (options) => fileModule.make('http://a/', BYTES, options)],
  ['hashUri.makeFromStream', { module: 'FA' }, (options) => fileModule.makeFromStream('http://a/', [BYTES], options)],
  ['hashUri.verdictOfStream', {}, (options) => fileModule.verdictOfStream(CODE, [BYTES], options)],
  ['hashUri.isPotentialTrustyUri', {}, (options) => fileModule.isPotentialTrustyUri(`http://a/${CODE}`, options)],
  ['hashUri.toNi', {}, (options) => fileModule.toNi(CODE, options)],
  ['rdf.parseRdf', { format: 'nquads' }, (options) => rdf.parseRdf(TRIPLE, options)],
  ['rdf.parseRdfStream', { format: 'nquads' }, quadsOf],
  ['rdf.hashedText', {}, (options) => rdf.hashedText(QUADS, options)],
  ['rdf.artifactCode', { module: 'RA' }, (options) => rdf.artifactCode(QUADS, options)],
  ['rdf.make', { module: 'RA' }, (options) => rdf.make('http://example.org/doc', QUADS, options)],
  ['rdf settings', rdf.NANOPUB, (settings) => rdf.make('http://example.org/doc', QUADS, { module: 'RA', settings })],
  ['rdf.verdictOf', {}, (options) => rdf.verdictOf(`RA${CODE.slice(2)}`, QUADS, options)],
  ['HashIndexBuilder', { width: 8 }, (options) => new HashIndexBuilder(options).close()],
  ['HashIndex.open', {}, (options) => HashIndex.open(new Uint8Array(9), options)],
];

/** Throws on a look at any name that the object does not have itself, but the one that tells a `URL`. */
const POISON = new Proxy(Object.create(null), {
  get(_target, key) {
    if (typeof key === 'string' && key !== 'href') throw new Error(`${key} was read from a prototype`);
    return undefined;
  },
});

tests('own properties alone are read', async () => {
  for (const [name, options, call] of CALLS) {
    const poisoned = Object.assign(Object.create(POISON), options);
    assert.equal(await outcomeOf(call, poisoned), await outcomeOf(call, options), name);
  }
});

tests('what is not a record is refused, and so is a name that does not exist', async () => {
  for (const [name, options, call] of CALLS) {
    for (const wrong of [new Map(), new Date(0), [], new Set(), 7, null, new URL(URI)])
      assert.match(String(await outcomeOf(call, wrong)), /^TypeError: \S+ must be an object/, name);
    assert.match(
      String(await outcomeOf(call, { ...options, widht: 8 })),
      /^RangeError: \S+ has no "widht", only /,
      name,
    );
  }
});

tests('an option that is undefined counts as left out, and null is not one of its values', async () => {
  for (const [name, options, call] of CALLS) {
    const { message } = (await outcomeOf(call, { ...options, widht: 8 })) as Error;
    for (const option of message.replace(/^.*, only /, '').split(', ')) {
      const left = await outcomeOf(call, { [option]: undefined, ...options });
      assert.equal(left, await outcomeOf(call, options), `${name}: ${option}`);
      if (name === 'profileOf' && option === 'base') continue; // it is ignored, whatever it is
      const refused = String(await outcomeOf(call, { ...options, [option]: null }));
      assert.match(refused, new RegExp(`^(?:Type|Range)Error: .*\\b${option}\\b`), `${name}: ${refused}`);
    }
  }
});

/** What a call gives, throws or rejects with. */
async function outcomeOf(call: Call, options: unknown): Promise<unknown> {
  try {
    return await call(options as never);
  } catch (error) {
    return error;
  }
}

tests.run();
