import type { FormOptions } from '../../src/index.ts';
import {
  bytesOfContent,
  type HashedUriVector,
  type HashUriVector,
  type HashVector,
  type MakeVector,
  type MatchVector,
  type ParseVector,
  type PartsVector,
  type Question,
  type SafeBrowsingVector,
  type SiteVector,
  textOf,
  textOrBytesOf,
  type UrlVector,
  type Vector,
  type VectorFile,
  type VerifyVector,
} from './vector.ts';

/** The modules of the package, by the entries they are imported from: `urlsum` and those below it. */
export interface PublicApi {
  readonly url: typeof import('../../src/index.ts');
  readonly site: typeof import('../../src/entries/site.ts');
  readonly safeBrowsing: typeof import('../../src/entries/safe-browsing.ts');
  readonly hashedUri: typeof import('../../src/entries/hashed-uri.ts');
  readonly hashUri: typeof import('../../src/entries/hash-uri.ts');
}

/** Returns what the public API makes of a case: an object of the shape of its `expect`. */
export function resultOf(
  specification: VectorFile['specification'],
  question: Question<Vector>,
  api: PublicApi,
): object {
  return RESULTS[specification](question as never, api);
}

const RESULTS = {
  url: urlResult,
  site: siteResult,
  'safe-browsing': safeBrowsingResult,
  'hashed-uri': hashedUriResult,
  'hash-uri': hashUriResult,
} as const;

/** Reads the text of site rules, if there is one; of a header that is read as the default, nothing is left. */
export function urlOptionsOf(
  { options }: Pick<UrlVector, 'options'>,
  { site, url }: PublicApi,
): FormOptions | undefined {
  if (options === undefined) return undefined;
  const { siteRules, noVarySearch, ...others } = options;
  return {
    ...others,
    ...(noVarySearch !== undefined && { noVarySearch: url.NoVarySearch.of(noVarySearch).value }),
    ...(siteRules !== undefined && { siteRules: site.SiteRules.parse(siteRules) }),
  };
}

function urlResult(question: Question<UrlVector>, api: PublicApi) {
  const { url } = api;
  const input = textOf(question);
  return outcome(() => {
    const { base } = question;
    const options = urlOptionsOf(question, api);
    const hash = url.UrlHash.of(input, { ...options, base });
    const { reason } = url.NoVarySearch.of(question.options?.noVarySearch);
    return {
      ...(question.options?.noVarySearch !== undefined && reason !== undefined && { readAsDefault: reason }),
      ...(options && { profile: url.profileOf(options) }),
      ...canonicalFields(url.canonicalize(input, { ...options, base })),
      sha256: hash.hex,
      words: hash.toDecimal(),
      short: hash.short().toDecimal(),
      veryShort: hash.veryShort().toDecimal(),
    };
  });
}

function siteResult(question: Question<SiteVector>, { site }: PublicApi) {
  const input = textOf(question);
  const { base } = question;
  return outcome(() => ({
    host: site.hostOf(input, { base }),
    site: site.siteOf(input, { base }),
    surt: site.surtOf(input, { base }),
  }));
}

type Asked = Question<SafeBrowsingVector>;

type Reading =
  | Refusal
  | { readonly canonicalLength: number }
  | { readonly canonical: string; readonly expressions: readonly string[] };

/** A prefix of each length that the page allows, one after the other as the first expression grows. */
const PREFIX_BYTES = [4, 5, 8, 16, 31, 32] as const;

/** Both readings, their union and its hashes, among which are those of both. What is as in `spec` is left out. */
function safeBrowsingResult(question: Asked, api: PublicApi) {
  const spec = reading(question, api, 'spec');
  const browser = reading(question, api, 'browser');
  return { spec, ...(isSame(spec, browser) ? {} : { browser }), ...outcome(() => union(question, api, spec)) };
}

function reading(question: Asked, { safeBrowsing }: PublicApi, mode: 'spec' | 'browser'): Reading {
  const input = textOrBytesOf(question);
  return outcome(() => {
    const canonical = safeBrowsing.canonicalize(input, { profile: question.profile, mode });
    if (!isStored(canonical)) return { canonicalLength: canonical.length };
    return { canonical, expressions: safeBrowsing.expressions(input, { ...lookupOptionsOf(question), mode }) };
  });
}

function union(question: Asked, { safeBrowsing }: PublicApi, spec: Reading) {
  const input = textOrBytesOf(question);
  const options = { ...lookupOptionsOf(question), mode: 'union' } as const;
  const expressions = safeBrowsing.expressions(input, options);
  const hashes = safeBrowsing.hashes(input, options);
  const byteLength = PREFIX_BYTES[expressions[0]!.length % PREFIX_BYTES.length]!;
  const isTold = !expressions.every(isStored) || ('expressions' in spec && isSame(spec.expressions, expressions));
  return {
    ...(isTold ? {} : { union: expressions }),
    hashes: hashes.map(hexOf),
    prefix: hexOf(safeBrowsing.prefix(hashes[0]!, byteLength)),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function lookupOptionsOf({ profile, privateSuffixes }: Asked) {
  return privateSuffixes === undefined ? { profile } : { profile, privateSuffixes };
}

function hashedUriResult(question: Question<HashedUriVector>, api: PublicApi) {
  return outcome<object>(() => {
    if (question.operation === 'hash') return hashed(question, api);
    return question.operation === 'match' ? matched(question, api) : parsed(question, api);
  });
}

function hashed(question: Question<HashVector>, { hashedUri }: PublicApi) {
  const input = textOf(question);
  const { variant, keep, base } = question;
  const options = { variant, keep, base };
  return {
    ...canonicalFields(hashedUri.canonicalize(input, options)),
    md5: hashedUri.hash(input, { ...options, algorithm: 'md5' }).toString(),
    sha1: hashedUri.hash(input, { ...options, algorithm: 'sha1' }).toString(),
  };
}

function matched(question: Question<MatchVector>, { hashedUri }: PublicApi) {
  const { hashed, variant, base } = question;
  const { result } = hashedUri.verdictOf(textOf(question), hashed, { variant, base });
  return { result };
}

function parsed(question: Question<ParseVector>, { hashedUri }: PublicApi) {
  const read = hashedUri.parse(textOf(question));
  const { algorithm, value, keep, problems } = read;
  return { text: read.toString(), algorithm, value, keep, problems };
}

function hashUriResult(question: Question<HashUriVector>, api: PublicApi) {
  if (question.operation === 'parts') return partsOf(question, api);
  return question.operation === 'make' ? made(question, api) : verified(question, api);
}

function partsOf(question: Question<PartsVector>, { hashUri }: PublicApi) {
  const input = textOf(question);
  return {
    potential: hashUri.isPotentialHashUri(input),
    trusty: hashUri.isPotentialTrustyUri(input),
    stripped: hashUri.stripExtension(input),
    parts: hashUri.isPotentialHashUri(hashUri.stripExtension(input)) ? hashUri.parse(input) : null,
  };
}

function made({ base, separator, content }: Question<MakeVector>, { hashUri }: PublicApi) {
  const uri = hashUri.make(base, bytesOfContent(content), separator === undefined ? {} : { separator });
  return { uri, ni: hashUri.toNi(uri) };
}

function verified(question: Question<VerifyVector>, { hashUri }: PublicApi) {
  const { result } = hashUri.verdictOf(textOf(question), bytesOfContent(question.content));
  return { result };
}

/** Why an input is refused, in the words of the error's own fields. */
interface Refusal {
  readonly failure: string;
  readonly place: string;
  /** The UTF-16 unit, where the failure lies at one. */
  readonly position?: number;
}

/** Returns what `compute` gives, or its refusal; an error without a reason is none of the documented ones. */
function outcome<T>(compute: () => T): T | Refusal {
  try {
    return compute();
  } catch (error) {
    const { reason, place, position } = Object(error) as { reason?: unknown; place?: unknown; position?: unknown };
    if (typeof reason !== 'string' || typeof place !== 'string') throw error;
    return { failure: reason, place, ...(typeof position === 'number' ? { position } : {}) };
  }
}

/** A longer canonical form is not stored: its length and its digest tell enough. */
const STORED_LENGTH = 1024;

function isStored(canonical: string): boolean {
  return canonical.length <= STORED_LENGTH;
}

/** The canonical form as a case has it: whole, or its length. */
function canonicalFields(canonical: string): { canonical: string } | { canonicalLength: number } {
  return isStored(canonical) ? { canonical } : { canonicalLength: canonical.length };
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
