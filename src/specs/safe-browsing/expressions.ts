import { DIGESTS, TEXT, TEXT_END } from '../../../assembly/layout.ts';
import { afterLast, COMMERCIAL_AT, FULL_STOP, positionOf, SLASH } from '../../core/bytes/code-points.ts';
import { compareBytes } from '../../core/bytes/order.ts';
import { hashBytesInto } from '../../core/digest/digest.ts';
import { openKernel } from '../../core/kernel/open.ts';
import { Failure } from '../../core/url/failure.ts';
import { Canonicalizer } from './canonicalize.ts';
import { doubtOf, type TextSource } from './doubt.ts';
import { mustBeFound, type SafeBrowsingFailure } from './failure.ts';
import { HASH_BYTES } from './hash-prefix.ts';
import { type ExpressionOptions, type Settings, settingsOf, type View } from './settings.ts';
import { publicSuffixStart } from './suffix-list.ts';
import { CanonicalUrl, InputBytes, proveCanonical, type UrlInput } from './url-bytes.ts';

/**
 * The host-suffix path-prefix expressions of a URL, ASCII, each once, in the page's order: at most 30. Mode
 * `union` gives those of the input as it is and adds those of what a browser would visit, at most 120 in all.
 *
 * @param url a string, which counts as its UTF-8, or bytes of any kind; the scheme may be missing
 * @param options the page, the mode, and whether private suffixes count
 * @throws {SafeBrowsingUrlError} where there is no host to look up
 * @throws {TypeError} on options that are not an object
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @see https://developers.google.com/safe-browsing/reference/URLs.and.Hashing#suffixprefix-expressions
 * @example
 * expressions('http://a.example.com/b?c');
 * //=> ['a.example.com/b?c', 'a.example.com/b', 'a.example.com/',
 * //    'example.com/b?c', 'example.com/b', 'example.com/']
 */
export function expressions(url: UrlInput, options: ExpressionOptions = {}): string[] {
  return mustBeFound(url, expressionList(url, settingsOf(options)));
}

let shared: { input: InputBytes; lookup: Lookup } | undefined;

/** Returns the expressions, or the failure as a value. */
export function expressionList(input: UrlInput, settings: Settings): string[] | SafeBrowsingFailure {
  const lookup = lookUp(input, settings);
  return lookup instanceof Lookup ? textsOf(lookup) : lookup;
}

/** Returns the expressions of the input that was looked up last, or the failure of one that no string can hold. */
function textsOf(lookup: Lookup): string[] | SafeBrowsingFailure {
  const list: string[] = [];
  for (let index = 0; index < lookup.count; index++) {
    const { url, starts, ends, count } = lookup.found[index]!;
    const { hostStart } = url;
    const text = shared!.input.textOf(url, hostStart);
    if (text instanceof Failure) return text;
    // a loop: `flatMap` doubled the time of all
    for (let at = 0; at < count; at++) list.push(text.slice(starts[at]! - hostStart, ends[at]! - hostStart));
  }
  return list;
}

/**
 * Returns the expressions as spans, valid until the next input, or why there are none.
 *
 * @param source where the input comes from, if it is to be looked up
 */
export function lookUp(input: UrlInput, settings: Settings, source?: TextSource): Lookup | SafeBrowsingFailure {
  shared ??= { input: new InputBytes(), lookup: new Lookup() };
  shared.input.set(input);
  const { bytes, start, end } = shared.input;
  return shared.lookup.run(bytes, start, end, settings, source) ?? shared.lookup;
}

/** Finds the expressions of one input after another, in one reading or in several, each expression once. */
export class Lookup {
  /** The expressions of each reading, of which the first `count` are those of the input. */
  readonly found = [
    new ExpressionSpans(),
    new ExpressionSpans(),
    new ExpressionSpans(),
    new ExpressionSpans(),
  ] as const satisfies { readonly length: typeof READING_LIMIT };
  /** The number of readings that gave a canonical form. */
  count = 0;
  /** The number of expressions of all readings. */
  expressionCount = 0;
  /** Bytes of the hosts, paths and queries of these URLs. */
  byteLength = 0;
  /** The reason why the input was not looked up where none of its expressions is listed. */
  doubt: SafeBrowsingFailure | undefined;
  readonly #canonicalizer = new Canonicalizer();

  /**
   * Returns the reason if no reading has a host: that of the first reading. What is proven is so in all of them. Every
   * look-up comes through here: with a `source`, the input is listed, not listed, or not looked up, for that reason or
   * for the `doubt`.
   */
  run(
    bytes: Uint8Array,
    start: number,
    end: number,
    settings: Settings,
    source?: TextSource,
  ): SafeBrowsingFailure | undefined {
    this.doubt = source && doubtOf(bytes, start, end, source);
    this.count = this.byteLength = this.expressionCount = 0;
    if (proveCanonical(bytes, start, end, this.found[0].url)) return this.#add(settings);
    const { mode } = settings;
    const failed = this.#read(bytes, start, end, settings, mode === 'union' ? 'spec' : mode);
    if (mode === 'spec') return failed;
    const failedBrowser = mode === 'browser' ? failed : this.#read(bytes, start, end, settings, 'browser');
    if (failedBrowser === undefined) this.#readViews(bytes, start, end, settings);
    return this.count === 0 ? failed : undefined;
  }

  /** Takes the views of what a browser visits that differ from its host and path. */
  #readViews(bytes: Uint8Array, start: number, end: number, settings: Settings): void {
    if (this.found[this.count - 1]!.url.hadBackslash) this.#read(bytes, start, end, settings, 'browser-slashed');
    const hasUserinfo = settings.mode === 'union' && positionOf(COMMERCIAL_AT, bytes, start, end) < end;
    if (hasUserinfo) this.#read(bytes, start, end, settings, 'browser-whole');
  }

  #read(
    bytes: Uint8Array,
    start: number,
    end: number,
    settings: Settings,
    mode: View,
  ): SafeBrowsingFailure | undefined {
    const { url } = this.found[this.count]!;
    const failed = this.#canonicalizer.run(bytes, start, end, { profile: settings.profile, mode }, url);
    return failed ?? this.#add(settings);
  }

  #add(settings: Settings): undefined {
    const spans = this.found[this.count]!;
    spans.find(settings);
    for (let other = 0; other < this.count; other++) spans.removeKnown(this.found[other]!);
    this.count++;
    this.expressionCount += spans.count;
    this.byteLength += spans.url.end - spans.url.hostStart;
  }
}

/** "At most five different strings" for the host, "at most six" for the path. */
export const HOST_LIMIT = 5;
const PATH_LIMIT = 6;
export const PATH_PREFIX_LIMIT = 4;

const EXPRESSION_LIMIT = HOST_LIMIT * PATH_LIMIT;

/** The page's own reading, and three of what a browser visits. */
const READING_LIMIT = 4;

/** The expressions of one input in all its readings. */
export const ROW_LIMIT: number = READING_LIMIT * EXPRESSION_LIMIT;

/** The expressions of a canonical form as runs [starts, ends) of its bytes, in the page's order, host by host. */
class ExpressionSpans {
  readonly url = new CanonicalUrl();
  readonly starts = new Uint32Array(EXPRESSION_LIMIT);
  readonly ends = new Uint32Array(EXPRESSION_LIMIT);
  count = 0;
  readonly #hosts = new Uint32Array(HOST_LIMIT);
  #hostCount = 0;
  readonly #paths = new Uint32Array(PATH_LIMIT);
  #pathCount = 0;

  /** No two expressions are equal: all hosts begin, and all paths end, at different places. */
  find(settings: Settings): void {
    const { url } = this;
    this.#hostCount = this.#pathCount = this.count = 0;
    if (!url.isAddress) this.#setHosts(url, suffixStart(url, settings));
    this.#hosts[this.#hostCount++] = url.hostStart;
    this.#setPaths(url);
    for (let host = this.#hostCount - 1; host >= 0; host--) {
      for (let path = 0; path < this.#pathCount; path++) this.#add(this.#hosts[host]!, this.#paths[path]!);
    }
  }

  /** Removes the expressions that `others` has, too. */
  removeKnown(others: ExpressionSpans): void {
    const { count, url } = this;
    this.count = 0;
    for (let index = 0; index < count; index++) {
      const start = this.starts[index]!;
      const end = this.ends[index]!;
      if (!others.#has(url.bytes, start, end)) this.#add(start, end);
    }
  }

  #add(start: number, end: number): void {
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
  }

  #has(text: Uint8Array, start: number, end: number): boolean {
    for (let index = 0; index < this.count; index++) {
      if (compareBytes(this.url.bytes, this.starts[index]!, this.ends[index]!, text, start, end) === 0) return true;
    }
    return false;
  }

  /** Shortest first, except the whole host: the components from `suffixStart` on, with one to four more before them. */
  #setHosts({ bytes, hostStart }: CanonicalUrl, suffixStart: number): void {
    let first = suffixStart;
    while (first > hostStart && this.#hostCount < HOST_LIMIT - 1) {
      first = afterLast(FULL_STOP, bytes, hostStart, first - 1);
      if (first > hostStart) this.#hosts[this.#hostCount++] = first;
    }
  }

  /** The path with a query that is not empty, the path alone, and its prefixes up to each of the first four slashes. */
  #setPaths({ bytes, hostEnd, pathEnd, end }: CanonicalUrl): void {
    // A lone '?' stays in the canonical form, but the service's own clients look up no expression with it.
    if (end > pathEnd + 1) this.#paths[this.#pathCount++] = end;
    this.#paths[this.#pathCount++] = pathEnd;
    let prefixCount = 0;
    for (let at = hostEnd; at + 1 < pathEnd && prefixCount < PATH_PREFIX_LIMIT; at++) {
      if (bytes[at] !== SLASH) continue;
      this.#paths[this.#pathCount++] = at + 1;
      prefixCount++;
    }
  }
}

/**
 * Returns the start of what is too short to look up: the last component, or in v5 the public suffix. That page's note
 * on "the last five" components is from v4, and says less.
 */
function suffixStart({ bytes, hostStart, hostEnd }: CanonicalUrl, settings: Settings): number {
  return settings.profile === 'v5'
    ? publicSuffixStart(bytes, hostStart, hostEnd, settings.privateSuffixes, settings.suffixList)
    : afterLast(FULL_STOP, bytes, hostStart, hostEnd);
}

/**
 * The SHA-256 (FIPS 180-4) of each expression: 32 bytes each, in the order of `expressions`.
 *
 * @param url a string, which counts as its UTF-8, or bytes of any kind; the scheme may be missing
 * @param options the page, the mode, and whether private suffixes count
 * @throws {SafeBrowsingUrlError} where there is no host to look up
 * @throws {TypeError} on options that are not an object
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @example
 * hashes('http://example.com/').length; //=> 1
 * hashes('http://example.com/')[0]!.length; //=> 32
 */
export function hashes(url: UrlInput, options: ExpressionOptions = {}): Uint8Array<ArrayBuffer>[] {
  return mustBeFound(url, hashList(url, settingsOf(options)));
}

/** Returns the hashes, or the failure as a value. */
export function hashList(url: UrlInput, settings: Settings): Uint8Array<ArrayBuffer>[] | SafeBrowsingFailure {
  const lookup = lookUp(url, settings);
  if (!(lookup instanceof Lookup)) return lookup;
  const packed = packedHashes(lookup);
  const list: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < packed.length; at += HASH_BYTES) list.push(packed.slice(at, at + HASH_BYTES));
  return list;
}

/** The expressions of a URL, which lists are asked for. */
export interface AskedExpressions {
  /** The hash of each, packed, in the order of `expressions`. */
  readonly hashes: Uint8Array;
  /** The reason for which the URL was not looked up, where none of them is listed. */
  readonly doubt: SafeBrowsingFailure | undefined;
}

/** Returns the expressions to look up, or the failure where there are none. */
export function askedExpressions(
  url: UrlInput,
  settings: Settings,
  source: TextSource,
): AskedExpressions | SafeBrowsingFailure {
  const lookup = lookUp(url, settings, source);
  return lookup instanceof Lookup ? { hashes: packedHashes(lookup), doubt: lookup.doubt } : lookup;
}

/** Returns the digests of a URL's expressions, which overlap: the bytes of a reading are copied to memory once. */
function packedHashes({ found, count: readingCount, expressionCount }: Lookup): Uint8Array<ArrayBuffer> {
  const kernel = openKernel();
  const { memory } = kernel;
  const packed = pooledBytes(HASH_BYTES * expressionCount);
  let written = 0;
  for (let reading = 0; reading < readingCount; reading++) {
    const { url, starts, ends, count } = found[reading]!;
    const { bytes, hostStart, end } = url;
    if (end - hostStart <= TEXT_END - TEXT) {
      memory.bytes.set(bytes.subarray(hostStart, end), TEXT);
      const shift = TEXT - hostStart;
      for (let row = 0; row < count; row++) memory.setSpan(row, starts[row]! + shift, ends[row]! - starts[row]!);
      kernel.hash(0, count, HASH_BYTES);
    } else {
      for (let row = 0; row < count; row++)
        hashBytesInto(kernel, bytes.subarray(starts[row], ends[row]), DIGESTS + HASH_BYTES * row, HASH_BYTES);
    }
    packed.set(memory.bytes.subarray(DIGESTS, DIGESTS + HASH_BYTES * count), written);
    written += HASH_BYTES * count;
  }
  return packed;
}

/** Several URLs share a piece of memory: with one for each, the collection of garbage took as long as the look-ups. */
const POOL_BYTES = 1 << 13;
let pool: Uint8Array<ArrayBuffer> | undefined;

function pooledBytes(byteLength: number): Uint8Array<ArrayBuffer> {
  if (pool === undefined || pool.length < byteLength) pool = new Uint8Array(Math.max(POOL_BYTES, byteLength));
  const bytes = pool.subarray(0, byteLength);
  pool = pool.subarray(byteLength);
  return bytes;
}
