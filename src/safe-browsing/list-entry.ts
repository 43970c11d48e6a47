import { Lookup } from './expressions.ts';
import { failure, type SafeBrowsingFailure, SafeBrowsingUrlError } from './failure.ts';
import { sha256 } from './hashes.ts';
import { InputBytes, type UrlInput } from './input.ts';
import { type CanonicalizeOptions, type Reading, readingOf, type Settings } from './settings.ts';
import { BUNDLED_LIST, publicSuffixStart, type SuffixList } from './suffix-list.ts';

/**
 * What to put on a list so that a URL is found, and under its path those that go on after a slash.
 *
 * @param url a URL, or an expression such as `example.com/login/`
 * @param options the page, and whether its steps are taken on the input or on what a browser would visit
 * @returns the most exact of its expressions (the host as it is, the path and the query), and the SHA-256 of that: 32
 * bytes, of which a list holds the first
 * @throws {SafeBrowsingUrlError} where there is no host, so that no URL has such an expression
 * @throws {TypeError} on options that are not an object
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * listEntry('https://user@Evil.example:443/a/../login?x#top').expression; //=> 'evil.example/login?x'
 * listEntry('evil.example').expression; //=> 'evil.example/'
 */
export function listEntry(
  url: UrlInput,
  options: CanonicalizeOptions = {},
): {
  /** The host and path, as `expressions` spells them. */
  readonly expression: string;
  /** Its SHA-256: 32 bytes. */
  readonly hash: Uint8Array<ArrayBuffer>;
} {
  const reader = new EntryReader(readingOf(options));
  const input = new InputBytes();
  if (!input.set(url)) throw new SafeBrowsingUrlError(url, failure('input-type'));
  const expression = reader.expressionOf(input.bytes, input.start, input.end);
  if (!(expression instanceof Uint8Array)) throw new SafeBrowsingUrlError(url, expression);
  const hash = sha256(expression);
  return { expression: new TextDecoder().decode(expression), hash };
}

/** Makes the entries of one URL after another. */
export class EntryReader {
  readonly #lookup = new Lookup();
  readonly #settings: Settings;

  /** The suffixes do not matter: an entry is the first expression, which has the whole host. */
  constructor(reading: Reading, suffixList: SuffixList = BUNDLED_LIST) {
    this.#settings = { ...reading, privateSuffixes: true, suffixList };
  }

  /** Returns the expression of the URL at bytes [start, end), ASCII, valid until the next call, or why it has none. */
  expressionOf(bytes: Uint8Array, start: number, end: number): Uint8Array | SafeBrowsingFailure {
    const lookup = this.#lookup;
    const failed = lookup.run(bytes, start, end, this.#settings);
    if (failed !== undefined) return failed;
    const [url, spans] = [lookup.urls[0], lookup.spans[0]];
    return url.bytes.subarray(spans.starts[0], spans.ends[0]);
  }

  /** Returns the canonical host of the last entry, ASCII, valid until the next call; undefined for an address. */
  domain(): Uint8Array | undefined {
    const { bytes, isAddress, hostStart, hostEnd } = this.#lookup.urls[0];
    return isAddress ? undefined : bytes.subarray(hostStart, hostEnd);
  }

  /** Whether the last entry's host is a public suffix. In `v5` the entry is not an expression of hosts under it. */
  hasPublicSuffix(): boolean {
    const { profile, suffixList } = this.#settings;
    const { bytes, isAddress, hostStart, hostEnd } = this.#lookup.urls[0];
    if (profile !== 'v5' || isAddress) return false;
    return publicSuffixStart(bytes, hostStart, hostEnd, true, suffixList) === hostStart;
  }
}
