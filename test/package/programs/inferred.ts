// What programs export without a type of their own: each declaration can be written with names that the entries export
// (TS2742, TS2883, TS4023 and TS4058 otherwise).
import * as urlsum from 'urlsum';
import { type ExplainOptions, explain as explainUrl } from 'urlsum/explain';
import * as hashIndex from 'urlsum/hash-index';
import * as hashUri from 'urlsum/hash-uri';
import * as rdf from 'urlsum/hash-uri/rdf';
import * as hashedUri from 'urlsum/hashed-uri';
import { UrlHashPool } from 'urlsum/pool';
import * as safeBrowsing from 'urlsum/safe-browsing';
import { SafeBrowsingChecker } from 'urlsum/safe-browsing/check';
import * as lists from 'urlsum/safe-browsing/lists';
import { SiteRules } from 'urlsum/site';

export const kernel = urlsum.kernelName();
export const hasher = new urlsum.UrlHasher({ width: 8 });
export const column = hasher.hashMany(['https://example.com/']);
export const reason = column.errorAt(0)?.reason;
export const ofWidth = <W extends urlsum.Width>(width: W) => new urlsum.UrlHasher({ width }).hash('https://a/');
export const rowOfWidth = <W extends urlsum.Width>(of: urlsum.HashColumn<W>) => of.at(0);
export const { hash, tryHash, hashMany } = hasher;
export const stream = urlsum.hashStream;
export const rules = SiteRules.parse('');
export const sorted = { ...urlsum.optionsOf(urlsum.PROFILE), sortParams: true };

export const explanation = explainUrl('https://example.com/');
export const { parts, steps, failure, expressions } = explanation;
export const narrowed = (options: ExplainOptions) => (options.specification === 'v5' ? options : undefined);
export const readings = expressions?.[0]?.readings;
export function canonicalExplanation() {
  const explained = explainUrl('https://example.com/');
  if (explained.failure !== undefined) throw new Error(explained.failure.sentence);
  return explained;
}

export const codes = hashUri.findCodes('');
export const verdict = hashUri.verdictOf('x', new Uint8Array(0));
const timed = <A extends unknown[], R>(called: (...given: A) => R) => called;
export const timedHashUri = [
  timed(hashUri.makeFromStream),
  timed(hashUri.verdictOfStream),
  timed(hashUri.verifyStream),
];
export const timedRdf = [timed(rdf.artifactCode), timed(rdf.hashedText), timed(rdf.parseRdfStream)];
export const timedFiles = [timed(rdf.makeFile), timed(rdf.verifyFile)];
export const fromStream = (chunks: AsyncIterable<Uint8Array>) => hashUri.makeFromStream('x', chunks);
export const settings = rdf.NANOPUB;
export const quads = rdf.parseRdf('', { format: 'turtle' });
export const predicate = quads[0]?.predicate;
export const literal = quads[0]?.object.termType === 'Literal' ? quads[0].object : undefined;
export const made = rdf.make('http://a/', [], { module: 'RA' });
export const { keep, problems } = hashedUri.parse('hashed:md5=00');
export const matches = hashedUri.verdictOf('http://a/', 'hashed:md5=00', { variant: 'N' });

export const listed = safeBrowsing.listEntries('# comment').leftOut;
export const entry = safeBrowsing.listEntry('https://example.com/');
export const list = lists.HashList.empty();
export const { groups, updated, updateTo } = list;
export const decoded = (bytes: Uint8Array) => lists.SEARCH_HASHES_RESPONSE.decode(bytes);
export const update = (bytes: Uint8Array) => lists.HASH_LIST.decode(bytes);

export class Service {
  readonly #checker = new SafeBrowsingChecker({ server: 'https://a/', procedure: 'no-storage', whenUnsure: 'block' });
  readonly check = this.#checker.check;
  readonly update = this.#checker.update;
  readonly answer = (url: string) => this.#checker.check(url);
}
export const pooled = UrlHashPool.prototype.hashFile;
export const readable = UrlHashPool.prototype.hashReadable;
export const opened = hashIndex.HashIndex.open;
export const builder = hashIndex.HashIndexBuilder.prototype.add;
