// An option that is undefined counts as left out, by every type and when it runs.
import { deepEqual, equal } from 'node:assert/strict';
import { canonicalize, type Options, profileOf, UrlHasher, type UrlHasherOptions } from 'urlsum';
import * as hashUri from 'urlsum/hash-uri';
import * as rdf from 'urlsum/hash-uri/rdf';
import * as hashedUri from 'urlsum/hashed-uri';
import * as safeBrowsing from 'urlsum/safe-browsing';
import { type CheckerOptions, SafeBrowsingChecker } from 'urlsum/safe-browsing/check';
import { HashList } from 'urlsum/safe-browsing/lists';

const form: Options = { base: undefined, excludeFragment: undefined, dropList: undefined, dropParams: undefined };
const more: UrlHasherOptions = {
  ...form,
  keepParams: undefined,
  fold: undefined,
  sortParams: undefined,
  width: undefined,
};
equal(canonicalize('https://a/?b#c', form), 'https://a/?b#c');
equal(profileOf(form), profileOf());
equal(new UrlHasher({ ...more, kernel: undefined, rowBounds: undefined }).hashMany([]).width, 32);

const readings: hashedUri.Readings = {
  unescapedSchemes: undefined,
  unescapeKept: undefined,
  lowercaseKept: undefined,
  defaultPort: undefined,
  opaqueQuery: undefined,
  excluded: undefined,
};
const uri = 'HTTP://h:0080/%41?B#C';
const given = { variant: 'P', keep: ['frag', 'query'] } as const;
equal(hashedUri.canonicalize(uri, { ...given, base: undefined, readings }), hashedUri.canonicalize(uri, given));
equal(hashedUri.canonicalize(uri, { ...given, keep: undefined }), hashedUri.canonicalize(uri, { variant: 'P' }));

equal(hashUri.isPotentialTrustyUri('x', { reading: undefined }), false);
const bytes = new Uint8Array(0);
equal(hashUri.make('x', bytes, { module: undefined, separator: undefined }), hashUri.make('x', bytes));
equal(hashUri.toNi(hashUri.make('', bytes), { authority: undefined }), hashUri.toNi(hashUri.make('', bytes)));
const settings = { bnodeChar: undefined, preAcChar: undefined, postAcChar: undefined, postAcFallbackChar: undefined };
equal(
  rdf.make('http://a/', [], { module: 'RA', settings, graph: undefined }).uri,
  rdf.make('http://a/', [], { module: 'RA' }).uri,
);
deepEqual(rdf.parseRdf('', { format: 'turtle', baseIRI: undefined }), []);

const reading: safeBrowsing.ExpressionHasherOptions = {
  profile: undefined,
  mode: undefined,
  privateSuffixes: undefined,
  suffixList: undefined,
  width: undefined,
  kernel: undefined,
};
equal(new safeBrowsing.ExpressionHasher(reading).hashMany(['http://a.b/']).hex(0).length, 1);
equal(
  HashList.from(bytes, 4, { name: undefined, version: undefined, profile: undefined, suffixList: undefined }).size,
  0,
);
const backOff = { refusedMs: undefined, unansweredMs: undefined, maxDelayMs: undefined };
const options: CheckerOptions = {
  server: 'https://lists.example/',
  procedure: 'no-storage',
  whenUnsure: 'block',
  lists: undefined,
  globalCache: undefined,
  trustedLists: undefined,
  store: undefined,
  headers: undefined,
  fetch: undefined,
  now: undefined,
  random: undefined,
  expressions: undefined,
  timeoutMs: undefined,
  prefixesPerRequest: undefined,
  maxListAgeMs: undefined,
  backOff,
};
const checker = new SafeBrowsingChecker(options);
equal(checker.nextUpdateAt > 0, true);
checker.start({ onUpdate: undefined });
await checker.stop();
