// A program that uses every entry, its values and its types, without the types of any host: package.test.ts compiles it
// against the packed package under each way to resolve modules. It is not run.
import {
  canonicalize,
  type FormOptions,
  type Hash,
  type HashColumn,
  hashStream,
  kernelName,
  optionsOf,
  PROFILE,
  ProfileError,
  profileOf,
  tryCanonicalize,
  UrlError,
  UrlHash,
  UrlHasher,
  type UrlHasherOptions,
  type UrlReason,
  UrlShortHash,
  UrlsumError,
  UrlVeryShortHash,
  type Width,
} from 'urlsum';
import { register, type TableConnection, type TableOptions } from 'urlsum/duckdb';
import { type ExplainOptions, type Explanation, explain, type Step } from 'urlsum/explain';
import { HashIndex, HashIndexBuilder, type HashIndexBuilderOptions, HashIndexError } from 'urlsum/hash-index';
import * as hashUri from 'urlsum/hash-uri';
import * as rdf from 'urlsum/hash-uri/rdf';
import * as hashedUri from 'urlsum/hashed-uri';
import { UrlHashPool, type UrlHashPoolOptions } from 'urlsum/pool';
import * as safeBrowsing from 'urlsum/safe-browsing';
import { type Answer, type Fetch, SafeBrowsingChecker, type Verdict } from 'urlsum/safe-browsing/check';
import { HASH_LIST, HashList, type ListUpdate } from 'urlsum/safe-browsing/lists';
import { SiteRules, SiteRulesError } from 'urlsum/site';

const bytes = new Uint8Array(32);

export function urls(location: URL, options: FormOptions): (string | null)[] {
  const hash: UrlHash = UrlHash.of(location, { ...options, base: 'https://example.com/' });
  const short: UrlShortHash = hash.short();
  const either: Hash = UrlVeryShortHash.tryOf('x') ?? UrlShortHash.fromDecimal('1-2');
  const same: boolean =
    hash.equals(UrlHash.fromBytes(bytes)) && hash.startsWith(short) && hash.startsWithJust(short.veryShort());
  return [
    canonicalize('x', { ...options, base: location }),
    tryCanonicalize('x'),
    either.hex,
    `${same}`,
    PROFILE,
    kernelName(),
  ];
}

export function ofSite(text: string): string {
  try {
    const siteRules: SiteRules = SiteRules.parse(text);
    return profileOf({ siteRules, fold: ['www'], keepParams: ['id'] });
  } catch (error) {
    return error instanceof SiteRulesError ? `${error.line}: ${error.reason}` : PROFILE;
  }
}

export function columns<W extends Width>(options: UrlHasherOptions<W>): HashColumn<W> {
  const hasher = new UrlHasher(options);
  const column: HashColumn<W> = hasher.hashRows(bytes, Uint32Array.of(0, 32));
  const starts: Uint32Array | undefined = hasher.hashLines(bytes).rowStarts;
  const reason: UrlReason | undefined = column.errorAt(0)?.reason;
  const hash: UrlHash | undefined = new UrlHasher().hashMany(['x']).at(0);
  hashStream({ width: 8, base: `${starts?.[0]} ${reason} ${hash}` });
  // @ts-expect-error a width there is not
  new UrlHasher({ width: 7 });
  return column;
}

export function errors(error: unknown): string {
  if (error instanceof UrlError) return error.argument;
  if (error instanceof ProfileError) return profileOf(optionsOf(error.input));
  if (error instanceof HashIndexError) return error.source;
  if (error instanceof safeBrowsing.SafeBrowsingUrlError) return error.place;
  if (error instanceof hashedUri.HashedUriError) return `${error.position}`;
  if (error instanceof rdf.RdfError) return `${error.line}`;
  return error instanceof UrlsumError ? `${error.code} ${error.reason}` : '';
}

export async function threads(options: UrlHashPoolOptions<16>, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const pool = new UrlHashPool(options);
  let rowCount = 0;
  for await (const { length } of pool.hashFile('urls.txt')) rowCount += length;
  for await (const column of pool.hashReadable(chunks)) rowCount += column.width satisfies 16;
  await pool.close();
  await pool[Symbol.asyncDispose]();
  return rowCount;
}

export function index(options: HashIndexBuilderOptions, column: HashColumn): Uint32Array {
  const builder = new HashIndexBuilder(options);
  builder.add(column);
  builder.write('seen.idx');
  builder[Symbol.dispose]();
  const opened = HashIndex.open('seen.idx', { memoryBytes: 1e6 });
  opened.mustBeIntact();
  const found: boolean = opened.size > 0 && opened.has(UrlHash.of('x')) && opened.has(bytes);
  opened[Symbol.dispose]();
  return found ? opened.matches(column) : new Uint32Array(0);
}

export async function tables(connection: TableConnection, options: TableOptions): Promise<void> {
  await register(connection, { ...options, width: 16 });
  // @ts-expect-error a width there is not
  await register(connection, { width: 7 });
}

export function explained(options: ExplainOptions): readonly Step[] {
  const explanation: Explanation = explain('x', options);
  if (explanation.failure !== undefined) return [];
  const modes: ('spec' | 'browser')[] = explanation.expressions.flatMap(({ readings }) =>
    readings.map(({ mode }) => mode),
  );
  return explanation.steps.slice(modes.length);
}

export function hashedUris(options: hashedUri.HashOptions): boolean {
  hashedUri.registerAlgorithm('x-length', (message) => Uint8Array.of(message.length));
  const hashed: hashedUri.HashedUri = hashedUri.hash('http://h/', options);
  const set = new hashedUri.HashedUriSet([hashed, 'hashed:md5=00'], { variant: 'both' });
  const text = hashedUri.canonicalize('http://h/', { variant: 'N', keep: hashedUri.parse('hashed:md5=00').keep });
  const { result } = hashedUri.verdictOf(text, hashed, { variant: 'both' });
  return result === 'match' && hashedUri.matches(text, set.matching(text)[0] ?? hashed, { variant: options.variant });
}

export async function hashUris(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  const uri: string = hashUri.make('http://h/', bytes);
  const parts: hashUri.HashUri = hashUri.parse(await hashUri.makeFromStream('http://h/', chunks));
  const [found] = hashUri.findCodes(hashUri.fileNameOf('x.txt', hashUri.fromNi(hashUri.toNi(uri))));
  const isOne: boolean = hashUri.isPotentialHashUri(uri) && hashUri.isPotentialTrustyUri(hashUri.stripExtension(uri));
  return isOne ? hashUri.verify(found?.code ?? hashUri.toNih(uri), bytes) : hashUri.verifyStream(parts.uri, [bytes]);
}

export async function rdfHashUris(quads: readonly rdf.AnyQuad[]): Promise<boolean[]> {
  const made: rdf.MadeRdf = rdf.make('http://h/', quads, { module: 'RA', settings: rdf.NANOPUB });
  const [quad]: rdf.Quad[] = rdf.parseRdf(rdf.hashedText(made.quads), { format: 'nquads' });
  const literal: rdf.Term<'Literal'> | undefined = quad?.object.termType === 'Literal' ? quad.object : undefined;
  const verdict: rdf.RdfVerdict = rdf.verdictOf(literal?.language ?? made.uri, made.quads);
  const stream = rdf.parseRdfStream([bytes], { format: 'trig' });
  const source: rdf.MadeSource = await rdf.makeFile('http://h/', 'x.ttl', { module: 'RB', memoryBytes: 1e6 });
  const late: rdf.RdfVerdict = await rdf.verdictOfStream(rdf.artifactCode(quads, { module: 'RA' }), source.quads());
  return [
    verdict.result === late.result,
    rdf.verify(rdf.nanopublicationsOf(quads)[0] ?? '', quads, { order: 'utf16' }),
    await rdf.verifyStream(made.uri, stream),
    await rdf.verifyFile(made.uri, 'x.nq'),
  ];
}

export function expressions(options: safeBrowsing.ExpressionHasherOptions): safeBrowsing.ExpressionColumn {
  const [hash = bytes] = safeBrowsing.hashes(safeBrowsing.canonicalize('x'), { profile: 'v5', mode: 'union' });
  const set: safeBrowsing.PrefixSet = safeBrowsing.PrefixSet.from(safeBrowsing.prefix(hash, 4), 4);
  const suffixList = safeBrowsing.SuffixList.parse(safeBrowsing.expressions(bytes).join('\n'));
  const column = new safeBrowsing.ExpressionHasher({ ...options, suffixList }).hashMany(['x', bytes]);
  return set.matches(column).length > 0 && set.has(safeBrowsing.listEntry('x').hash) ? column : expressions(options);
}

export async function lists(update: ListUpdate, fetch: Fetch): Promise<Verdict> {
  const list: HashList = HashList.empty('se').updated(HASH_LIST.decode(HASH_LIST.encode(update)));
  const checker = new SafeBrowsingChecker({
    server: `https://example.com/${list.size}`,
    procedure: 'real-time',
    whenUnsure: 'block',
    fetch,
  });
  const answer: Answer = await checker.check('https://example.com/');
  return answer.verdict;
}
