import { hasOwn, mustBeOneOf, mustBeRecord } from '../../core/argument.ts';
import { FULL_STOP, SLASH } from '../../core/bytes/code-points.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { asciiText, decodeLine, writeAscii } from '../../core/bytes/text.ts';
import { type LeftOutKind, type ReadLine, type Refusal, refusal } from './block-list.ts';
import { BlockListReader, type EntryInput } from './block-list-reader.ts';
import { HOST_LIMIT, Lookup, PATH_PREFIX_LIMIT } from './expressions.ts';
import { type SafeBrowsingFailure, SafeBrowsingUrlError } from './failure.ts';
import { sha256 } from './hash-prefix.ts';
import {
  EXPRESSION_OPTIONS,
  mustBeReadingMode,
  type Reading,
  type ReadingOptions,
  type Settings,
  settingsOf,
} from './settings.ts';
import { BUNDLED_LIST, publicSuffixStart, type SuffixList } from './suffix-list.ts';
import { InputBytes, type UrlInput } from './url-bytes.ts';
import { refusalOfGiven, refusalOfHost, refusalOfPasted, urlValueReader } from './url-line.ts';

/** Options of `listEntry` and `listEntries`. */
export interface EntryOptions extends ReadingOptions {
  /** The Public Suffix List by which `limit` is told; default the bundled one. Of `v5` only. */
  readonly suffixList?: SuffixList | undefined;
}

/** Options of `listEntries`. */
export interface EntryLineOptions extends EntryOptions {
  /**
   * The kind of a line: a URL, host or expression (`lines`, default), a line of a hosts file, a rule of an ad blocker,
   * or any of these and of RPZ, unbound and dnsmasq (`auto`).
   */
  readonly input?: EntryInput | undefined;
  /** Whether URLs that are written as `hxxp://evil[.]example` are read, which are errors otherwise. Default false. */
  readonly refang?: boolean | undefined;
  /** Leave out exceptions (`@@`) of ad-block rules, which are errors otherwise? Default false. */
  readonly ignoreExceptions?: boolean | undefined;
}

/** An entry to put on a list. */
export interface ListEntry {
  /** The host and path, as `expressions` spells them. */
  readonly expression: string;
  /** The SHA-256: 32 bytes, of which a list holds the first. */
  readonly hash: Uint8Array<ArrayBuffer>;
  /**
   * The reason why look-ups find the entry alone, and no hosts or paths under it: its host is a public suffix, its host
   * has too many labels, or its path too many folders for an expression of another URL. Undefined where nothing limits
   * it.
   */
  readonly limit: 'public-suffix' | 'deep-host' | 'deep-path' | undefined;
}

export type EntryLimit = NonNullable<ListEntry['limit']>;
export type EntryKind = 'hosts' | 'folders' | 'pages';

/**
 * Returns the entry by which a URL is found, and under its path those that go on after a slash: the most exact of its
 * expressions (the host as it is, the path and the query).
 *
 * @param url a URL, or an expression such as `example.com/login/`
 * @param options the page, and whether its steps are taken on the input or on what a browser would visit
 * @throws {SafeBrowsingUrlError} where no URL has such an expression: without a host, and on what passes for a URL but
 * is a line of a hosts file, a rule of an ad blocker, a row of a table, or has a host with `*` or brackets around a dot
 * @throws {TypeError} on another kind of URL, and on options that are not an object
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * listEntry('https://user@Evil.example:443/a/../login?x#top').expression; //=> 'evil.example/login?x'
 * listEntry('evil.example').expression; //=> 'evil.example/'
 * listEntry('co.uk').limit; //=> 'public-suffix'
 * listEntry('*.evil.example'); //=> throws SafeBrowsingUrlError: …
 */
export function listEntry(url: UrlInput, options: EntryOptions = {}): ListEntry {
  const { entries } = entriesIn('url', url, urlValueReader(false), entrySettings(options));
  if (entries.length === 0) throw new SafeBrowsingUrlError(url, refusal('comment'));
  return entries[0]!;
}

/**
 * The entries of a line of a block list, and the kinds of what it holds beside them: comments, names such as
 * `localhost` in hosts files, and rules of ad blockers that no list can hold.
 *
 * @param line without its line end
 * @param options what the line is, and as of `listEntry`
 * @throws {SafeBrowsingUrlError} on a line that cannot be listed; no part of it is
 * @throws {TypeError} on another kind of line, and on options that are not an object
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * const { entries } = listEntries('0.0.0.0 ads.example www.ads.example # both', { input: 'hosts' });
 * entries.map(({ expression }) => expression); //=> ['ads.example/', 'www.ads.example/']
 * listEntries('||ads.example^', { input: 'adblock' }).entries[0]?.expression; //=> 'ads.example/'
 * listEntries('# reported today'); //=> { entries: [], leftOut: ['comments'] }
 */
export function listEntries(
  line: string | Uint8Array,
  options: EntryLineOptions = {},
): {
  /** One per URL or host. */
  readonly entries: readonly ListEntry[];
  /** One per part that is not listed. */
  readonly leftOut: readonly LeftOutKind[];
} {
  const { input = 'lines', ignoreExceptions = false, refang = false, ...others } = mustBeRecord('options', options);
  const settings = entrySettings(others);
  mustBeOneOf('input', input, ['lines', 'hosts', 'adblock', 'auto']);
  mustBeOneOf('ignoreExceptions', ignoreExceptions, [true, false]);
  mustBeOneOf('refang', refang, [true, false]);
  const reader = new BlockListReader({ input, ignoresExceptions: ignoreExceptions, refangs: refang });
  return entriesIn('line', line, (text) => reader.read(text), settings);
}

type EntrySettings = Reading & { readonly suffixList: SuffixList };

function entrySettings(options: EntryOptions): EntrySettings {
  const known = EXPRESSION_OPTIONS.filter((name) => name !== 'privateSuffixes');
  const { profile, mode, suffixList } = settingsOf(options, known);
  return { profile, mode: mustBeReadingMode(mode), suffixList };
}

function entriesIn(
  name: string,
  input: UrlInput,
  readLine: ReadLine,
  { suffixList, ...reading }: EntrySettings,
): { entries: ListEntry[]; leftOut: readonly LeftOutKind[] } {
  const own = new InputBytes();
  own.set(input, name);
  const line = own.bytes.subarray(own.start, own.end);
  const found = readLine(asciiText(line)); // a unit for each byte, of whatever value
  if (hasOwn(found, 'reason')) throw new SafeBrowsingUrlError(input, found);
  const reader = new EntryReader(reading, suffixList);
  if (found.rule?.effect === 'exception') throw new SafeBrowsingUrlError(input, refusal('exception'));
  if (found.rule?.effect === 'badfilter') return { entries: [], leftOut: ['badfilters'] };
  const entries = found.urls.map((url) => {
    const expression = reader.expressionOf(url);
    if (!(expression instanceof Uint8Array)) throw new SafeBrowsingUrlError(input, expression);
    return { expression: decodeLine(expression), hash: sha256(expression), limit: reader.limit() };
  });
  return { entries, leftOut: found.leftOut };
}

/** Makes the entries of one URL after another. */
export class EntryReader {
  readonly #lookup = new Lookup();
  readonly #settings: Settings;
  /** One memory for all URLs: V8 would move a new array of 64 bytes or less when a view of it is taken. */
  readonly #input = new GrowingBytes(1 << 10);

  /** A mode that takes several views would look up more than the one entry. */
  constructor({ profile, mode }: Reading, suffixList: SuffixList = BUNDLED_LIST) {
    this.#settings = { profile, mode, privateSuffixes: true, suffixList };
  }

  /**
   * Returns the expression of a URL, ASCII, valid until the next call, or why it has none. A unit of the URL is a byte.
   */
  expressionOf(given: string): Uint8Array | SafeBrowsingFailure | Refusal {
    const pasted = refusalOfPasted(given);
    if (pasted !== undefined) return pasted;
    const bytes = this.#input.room(given.length);
    writeAscii(bytes, 0, given);
    const failed = this.#lookup.run(bytes, 0, given.length, this.#settings);
    if (failed !== undefined) return refusalOfGiven(given) ?? failed;
    const { url, starts, ends } = this.#lookup.found[0];
    const refused = url.isAddress
      ? undefined
      : refusalOfHost(decodeLine(url.bytes.subarray(url.hostStart, url.hostEnd)));
    return refused ?? url.bytes.subarray(starts[0], ends[0]);
  }

  /** Says why look-ups find the last entry alone. In `v5` the hosts under a public suffix do not have it. */
  limit(): EntryLimit | undefined {
    const { bytes, isAddress, hostStart, hostEnd, pathEnd } = this.#lookup.found[0].url;
    if (!isAddress) {
      const { profile, suffixList } = this.#settings;
      const isV5 = profile === 'v5';
      const labelsEnd = isV5 ? publicSuffixStart(bytes, hostStart, hostEnd, true, suffixList) : hostEnd;
      if (labelsEnd === hostStart) return 'public-suffix';
      const dots = countOf(FULL_STOP, bytes, hostStart, labelsEnd);
      if (dots > HOST_LIMIT - 1) return 'deep-host';
    }
    // such a path is not one of those that are tried for what is in it
    const isDeep = this.kind() === 'folders' && countOf(SLASH, bytes, hostEnd, pathEnd) > PATH_PREFIX_LIMIT;
    return isDeep ? 'deep-path' : undefined;
  }

  /** Returns what look-ups find by the last entry: a host with all under it, a folder with all in it, or one page. */
  kind(): EntryKind {
    const { bytes, hostEnd, pathEnd, end } = this.#lookup.found[0].url;
    const hasQuery = end > pathEnd + 1;
    if (hasQuery || bytes[pathEnd - 1] !== SLASH) return 'pages';
    return pathEnd === hostEnd + 1 ? 'hosts' : 'folders';
  }
}

function countOf(byte: number, bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (bytes[at] === byte) count++;
  return count;
}
