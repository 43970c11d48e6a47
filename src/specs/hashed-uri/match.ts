import { mustBeList, mustBeOneOf, mustBeOptions, mustBeUrl } from '../../core/argument.ts';
import { Failure } from '../../core/url/failure.ts';
import { canonicalForm, parseBase } from './canonicalize.ts';
import { mustBeUri, type UriFailure } from './failure.ts';
import { HashedUri, hexDigest, parse } from './hashed-uri.ts';
import {
  type AbsoluteUri,
  type AllReadings,
  absoluteUri,
  type KeepFlag,
  type Readings,
  readingsOf,
  type Variant,
} from './reference.ts';

/** Options of `HashedUriSet` and `matches`. */
export interface MatchOptions {
  /** The variant the hashed URIs were made by, which they do not say themselves. */
  readonly variant: Variant | 'both';
  /** An absolute URI that relative candidates are resolved against. */
  readonly base?: string | URL | undefined;
  /** The choices that the draft leaves open. */
  readonly readings?: Readings | undefined;
}

/** Hashed URIs that need the same digest of a candidate. */
interface Group {
  readonly algorithm: string;
  readonly keep: readonly KeepFlag[];
  readonly values: Set<string>;
}

/**
 * Many hashed URIs, as a filter list. A candidate costs a hash for each algorithm and set of flags in the
 * list, and not one for each entry: section 6's O(H + P), which is what makes guessing cheap as well.
 *
 * @see draft-feather-hashed-uri-03, section 6
 * @example
 * const set = new HashedUriSet(['hashed:md5=be96302a0468481aca954431cf293e05'], { variant: 'both' });
 * set.matching('HTTP://www.Thus.net').length; //=> 1
 */
export class HashedUriSet {
  /** @internal */
  static readonly name = 'HashedUriSet';
  readonly #variants: readonly Variant[];
  readonly #readings: AllReadings;
  readonly #base: AbsoluteUri | undefined;
  readonly #groups = new Map<string, Group>();
  readonly #unsupported = new Map<string, HashedUri>();

  /**
   * @param entries hashed URIs, or their texts
   * @param options the variant they were made by, the base of candidates, and how what the draft leaves open is read
   * @throws {HashedUriError} where an entry is not a hashed URI, or `base` is not an absolute URI
   * @throws {TypeError} on one text in place of a list, and on an argument of the wrong kind
   * @throws {RangeError} on an option, or a value of one, that does not exist
   */
  constructor(entries: Iterable<HashedUri | string | URL>, options: MatchOptions) {
    mustBeList('entries', entries, 'a list of hashed URIs');
    const { variant, base, readings } = mustBeOptions('options', options, ['variant', 'base', 'readings']);
    mustBeOneOf('variant', variant, ['N', 'P', 'both']);
    this.#variants = variant === 'both' ? ['N', 'P'] : [variant];
    this.#readings = readingsOf(readings);
    this.#base = base === undefined ? undefined : parseBase(base, this.#readings);
    for (const entry of entries) this.add(entry);
  }

  /** Different entries, those that can never match included. */
  get size(): number {
    let size = this.#unsupported.size;
    for (const { values } of this.#groups.values()) size += values.size;
    return size;
  }

  /** The entries that can never match, since they had `problems` when they were added. */
  get unsupported(): readonly HashedUri[] {
    return [...this.#unsupported.values()];
  }

  /**
   * @param entry a hashed URI, or its text
   * @returns this set
   * @throws {HashedUriError} where `entry` is not a hashed URI
   */
  add(entry: HashedUri | string | URL): this {
    const hashed = entry instanceof HashedUri ? entry : parse(isHashedUri(entry) ? entry.toString() : entry);
    if (hashed.problems.length > 0) this.#unsupported.set(hashed.toString(), hashed);
    else this.#groupOf(hashed).values.add(hashed.value);
    return this;
  }

  /**
   * Says whether any entry matches.
   *
   * @param candidate a URI of RFC 2396, absolute unless there is a base, or a `URL`
   * @throws {HashedUriError} where `candidate` is not a URI
   */
  has(candidate: string | URL): boolean {
    return this.matching(candidate).length > 0;
  }

  /**
   * The entries that match.
   *
   * @param candidate a URI of RFC 2396, absolute unless there is a base, or a `URL`
   * @throws {HashedUriError} where `candidate` is not a URI
   */
  matching(candidate: string | URL): HashedUri[] {
    const text = mustBeUrl('candidate', candidate);
    return mustBeUri(text, this.findMatching(text));
  }

  /** @internal The entries that match, or why the candidate is not a URI. */
  findMatching(candidate: string): HashedUri[] | UriFailure {
    const uri = absoluteUri(candidate, this.#base, this.#readings);
    if (uri instanceof Failure) return uri;
    const found = new Map<string, HashedUri>();
    const digests = new Map<string, string>();
    for (const variant of this.#variants) {
      for (const { algorithm, keep, values } of this.#groups.values()) {
        const { text } = canonicalForm(uri, variant, keep, this.#readings);
        const value = cachedDigest(digests, algorithm, text);
        const hashed = values.has(value) ? new HashedUri(algorithm, value, keep) : undefined;
        if (hashed !== undefined) found.set(hashed.toString(), hashed);
      }
    }
    return [...found.values()];
  }

  #groupOf({ algorithm, keep }: HashedUri): Group {
    const key = [algorithm, ...keep].join('+');
    let group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, (group = { algorithm, keep, values: new Set() }));
    return group;
  }
}

/** Recognizes one of another copy of this package. */
function isHashedUri(entry: HashedUri | string | URL): entry is HashedUri {
  return typeof Object(entry).algorithm === 'string' && typeof Object(entry).value === 'string';
}

/** Most candidates have the same text in several groups: where there is nothing to keep, and where N equals P. */
function cachedDigest(digests: Map<string, string>, algorithm: string, text: string): string {
  const key = `${algorithm} ${text}`;
  let digest = digests.get(key);
  if (digest === undefined) digests.set(key, (digest = hexDigest(algorithm, text)));
  return digest;
}

/** The result of `verdictOf`. */
export interface HashedUriVerdict {
  /** 'unsupported': the hashed URI has `problems`, so that nothing can match it. */
  readonly result: 'match' | 'no-match' | 'unsupported';
  /** The problems of the hashed URI. */
  readonly problems: HashedUri['problems'];
}

/**
 * Whether `hashed` was made from `candidate`. The flags say what of it is retained.
 *
 * @param candidate a URI of RFC 2396, absolute unless there is a base, or a `URL`
 * @param hashed a hashed URI, or its text
 * @param options the variant it was made by, the base, and how what the draft leaves open is read
 * @returns false, too, where the hashed URI has `problems`, such as an unknown algorithm: it cannot match (section 4.2)
 * @throws {HashedUriError} where `candidate` or `base` is not a URI, or `hashed` is not a hashed URI
 * @throws {TypeError} on an argument of the wrong kind
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * matches('HTTP://www.Thus.net', 'hashed:md5=be96302a0468481aca954431cf293e05', { variant: 'N' }); //=> true
 */
export function matches(candidate: string | URL, hashed: HashedUri | string | URL, options: MatchOptions): boolean {
  return verdictOf(candidate, hashed, options).result === 'match';
}

/**
 * Says what `matches` found, in one word, with the problems of the hashed URI.
 *
 * @param candidate a URI of RFC 2396, absolute unless there is a base, or a `URL`
 * @param hashed a hashed URI, or its text
 * @param options the variant it was made by, the base, and how what the draft leaves open is read
 * @throws {HashedUriError} where `candidate` or `base` is not a URI, or `hashed` is not a hashed URI
 * @throws {TypeError} on an argument of the wrong kind
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * verdictOf('http://a/', 'hashed:sha256=00', { variant: 'N' });
 * //=> { result: 'unsupported', problems: ['unregistered-algorithm'] }
 */
export function verdictOf(
  candidate: string | URL,
  hashed: HashedUri | string | URL,
  options: MatchOptions,
): HashedUriVerdict {
  const set = new HashedUriSet([hashed], options);
  const isMatch = set.has(candidate);
  const problems = set.unsupported[0]?.problems ?? [];
  if (problems.length > 0) return { result: 'unsupported', problems };
  return { result: isMatch ? 'match' : 'no-match', problems };
}
