import { asciiText } from './bytes.ts';
import { Lookup, mustLookUp } from './expressions.ts';
import type { SafeBrowsingFailure } from './failure.ts';
import { sha256 } from './hashes.ts';
import type { UrlInput } from './input.ts';
import { type Reading, type ReadingOptions, readingOf, type Settings } from './settings.ts';
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
  options: ReadingOptions = {},
): {
  /** The host and path, as `expressions` spells them. */
  readonly expression: string;
  /** Its SHA-256: 32 bytes. */
  readonly hash: Uint8Array<ArrayBuffer>;
} {
  const expression = entryIn(mustLookUp(url, entrySettings(readingOf(options))));
  return { expression: asciiText(expression, 0, expression.length), hash: sha256(expression) };
}

/** The suffixes do not matter: an entry is the first expression, which has the whole host. */
function entrySettings({ profile, mode }: Reading, suffixList: SuffixList = BUNDLED_LIST): Settings {
  return { profile, mode, privateSuffixes: true, suffixList };
}

function entryIn({ urls: [url], spans: [{ starts, ends }] }: Lookup): Uint8Array {
  return url.bytes.subarray(starts[0], ends[0]);
}

/** Makes the entries of one URL after another. */
export class EntryReader {
  readonly #lookup = new Lookup();
  readonly #settings: Settings;

  constructor(reading: Reading, suffixList?: SuffixList) {
    this.#settings = entrySettings(reading, suffixList);
  }

  /** Returns the expression of the URL at bytes [start, end), ASCII, valid until the next call, or why it has none. */
  expressionOf(bytes: Uint8Array, start: number, end: number): Uint8Array | SafeBrowsingFailure {
    return this.#lookup.run(bytes, start, end, this.#settings) ?? entryIn(this.#lookup);
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
