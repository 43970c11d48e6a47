import {
  afterLast,
  BACKSLASH,
  CARRIAGE_RETURN,
  COLON,
  COMMERCIAL_AT,
  FULL_STOP,
  hexDigitValue,
  isAsciiAlpha,
  isAsciiDigit,
  LINE_FEED,
  lowercase,
  moved,
  NUMBER_SIGN,
  PERCENT,
  positionOf,
  QUESTION_MARK,
  SLASH,
  SPACE,
  TAB,
} from '../../core/bytes/code-points.ts';
import { writeEscape } from '../../core/bytes/hex.ts';
import { asciiBytes, decodeLine, writeAscii } from '../../core/bytes/text.ts';
import { Failure } from '../../core/url/failure.ts';
import { parsedUrl } from '../../core/url/parsed-url.ts';
import { serialize, UrlRecord } from '../../core/url/record.ts';
import { failure, mustBeFound, type SafeBrowsingFailure, type Trace } from './failure.ts';
import { appendHost, SAFE_BROWSING_UNICODE } from './host.ts';
import { type ReadingOptions, readingOf, type ViewReading } from './settings.ts';
import { CanonicalUrl, InputBytes, proveCanonical, type UrlInput } from './url-bytes.ts';

/**
 * The canonical form of the Web Risk page "Hashing URLs" or of Safe Browsing v5's "URLs and Hashing": ASCII,
 * without userinfo, port and fragment, every byte <= 0x20 or >= 0x7F, `#` and `%` escaped in upper case.
 *
 * @param url a string, which counts as its UTF-8, or bytes of any kind; the scheme may be missing
 * @param options the page and the mode
 * @throws {SafeBrowsingUrlError} where there is no host to look up
 * @throws {TypeError} on options that are not an object
 * @throws {RangeError} on an option, or a value of one, that does not exist
 * @see https://cloud.google.com/web-risk/docs/urls-hashing#canonicalization
 * @see https://developers.google.com/safe-browsing/reference/URLs.and.Hashing#canonicalization
 * @example
 * canonicalize('http://%31%36%38%2e188.99.26/%2E%73ecure/'); //=> 'http://168.188.99.26/.secure/'
 */
export function canonicalize(url: UrlInput, options: ReadingOptions = {}): string {
  return mustBeFound(url, canonicalForm(url, readingOf(options)));
}

let shared: { input: InputBytes; url: CanonicalUrl; canonicalizer: Canonicalizer } | undefined;

/** Returns the canonical form, or the failure as a value. */
export function canonicalForm(input: UrlInput, reading: ViewReading): string | SafeBrowsingFailure {
  shared ??= { input: new InputBytes(), url: new CanonicalUrl(), canonicalizer: new Canonicalizer() };
  shared.input.set(input);
  const { bytes, start, end } = shared.input;
  const failed = proveCanonical(bytes, start, end, shared.url)
    ? undefined
    : shared.canonicalizer.run(bytes, start, end, reading, shared.url);
  return failed ?? shared.input.textOf(shared.url, shared.url.start);
}

type Failed = SafeBrowsingFailure | undefined;

/**
 * Takes the page's steps, in its order, on bytes. Each step works in place on a copy of the input, and only the last
 * one, escaping, makes it longer. One instance serves any number of URLs and, except for IP addresses and hosts beyond
 * ASCII, leaves no garbage.
 */
export class Canonicalizer {
  readonly #trace: Trace | undefined;
  #work = new Uint8Array(1024);

  constructor(trace?: Trace) {
    this.#trace = trace;
  }

  /** Writes the canonical form of bytes [start, end) to `url`, or returns the reason why there is none. */
  run(bytes: Uint8Array, start: number, end: number, reading: ViewReading, url: CanonicalUrl): Failed {
    if (this.#work.length < end - start) this.#work = new Uint8Array(2 * (end - start));
    url.begin();
    return reading.mode === 'spec'
      ? this.#specSteps(bytes, start, end, reading, url)
      : this.#browserSteps(bytes, start, end, reading, url);
  }

  #specSteps(bytes: Uint8Array, start: number, end: number, reading: ViewReading, url: CanonicalUrl): Failed {
    const work = this.#work;
    const stripped = copyStripped(bytes, start, end, work);
    this.#trace?.('tabs and line ends removed', work, 0, stripped);
    const length = positionOf(NUMBER_SIGN, work, 0, stripped);
    this.#trace?.('fragment removed', work, 0, length);
    const first = trimmedStart(work, length);
    return this.#decodedSteps(first, trimmedEnd(work, first, length), reading, url);
  }

  #browserSteps(bytes: Uint8Array, start: number, end: number, reading: ViewReading, url: CanonicalUrl): Failed {
    const length = copyStripped(bytes, start, end, this.#work);
    const first = trimmedStart(this.#work, length);
    const record = browserRecord(this.#work, first, trimmedEnd(this.#work, first, length));
    if (!(record instanceof UrlRecord)) return record;
    const visited = reading.mode === 'browser-whole' ? serialize(record, true) : visitedHost(record);
    if (this.#work.length < visited.length) this.#work = new Uint8Array(2 * visited.length);
    writeAscii(this.#work, 0, visited);
    this.#trace?.('visited by a browser', this.#work, 0, visited.length);
    return this.#decodedSteps(0, visited.length, reading, url);
  }

  /** Takes the steps from "repeatedly remove percent-escapes" on, for work [start, trimmedEnd). */
  #decodedSteps(start: number, trimmedEnd: number, reading: ViewReading, url: CanonicalUrl): Failed {
    const work = this.#work;
    this.#trace?.('spaces around removed', work, start, trimmedEnd);
    const end = unescape(work, start, trimmedEnd);
    this.#trace?.('unescaped', work, start, end);
    const authority = appendScheme(work, start, end, url);
    if (authority === -1) return failure('scheme-without-authority');
    const pathStart = endOfAuthority(work, authority, end);
    this.#trace?.('scheme', url.bytes, url.start, url.end);
    this.#trace?.('authority', work, authority, pathStart);
    const failed = appendHost(
      work,
      afterLast(COMMERCIAL_AT, work, authority, pathStart),
      pathStart,
      reading.profile,
      url,
      this.#trace,
    );
    if (failed !== undefined) return failed;
    const queryStart = positionOf(QUESTION_MARK, work, pathStart, end);
    url.hadBackslash = positionOf(BACKSLASH, work, pathStart, queryStart) < queryStart;
    if (reading.mode === 'browser-slashed') slashBackslashes(work, pathStart, queryStart);
    this.#appendPath(pathStart, queryStart, url);
    url.appendEscaped(work, queryStart, end);
    this.#trace?.('canonical', url.bytes, url.start, url.end);
    return undefined;
  }

  #appendPath(start: number, end: number, url: CanonicalUrl): void {
    this.#trace?.('path', this.#work, start, end);
    const pathEnd = canonicalizePath(this.#work, start, end, this.#trace);
    this.#trace?.('path canonicalized', this.#work, start, pathEnd);
    if (pathEnd === start) url.appendText('/');
    else url.appendEscaped(this.#work, start, pathEnd);
    if (pathEnd === start) this.#trace?.('path of an empty path', url.bytes, url.end - 1, url.end);
    url.pathEnd = url.end;
  }
}

/** Copies without TAB, CR and LF. Returns the length. */
export function copyStripped(bytes: Uint8Array, start: number, end: number, to: Uint8Array): number {
  let length = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte !== TAB && byte !== CARRIAGE_RETURN && byte !== LINE_FEED) to[length++] = byte;
  }
  return length;
}

// The page shows trimming only in its examples; the URL Standard trims bytes <= 0x20.
function trimmedStart(bytes: Uint8Array, end: number): number {
  let at = 0;
  while (at < end && bytes[at]! <= SPACE) at++;
  return at;
}

function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && bytes[at - 1]! <= SPACE) at--;
  return at;
}

/** Appends the scheme in lower case, or http. Returns the start of the authority, or -1 if there can be none. */
function appendScheme(bytes: Uint8Array, start: number, end: number, url: CanonicalUrl): number {
  const colon = schemeColon(bytes, start, end);
  if (colon === -1) {
    url.appendText('http://');
    return start;
  }
  if (colon + 2 >= end || bytes[colon + 1] !== SLASH || bytes[colon + 2] !== SLASH) return -1;
  lowercase(bytes, start, colon);
  url.appendEscaped(bytes, start, colon + 3);
  return colon + 3;
}

/**
 * Returns what a browser visits for bytes [start, end), by the URL Standard. An input without a scheme gets http, as in
 * the pages' examples, but not `//host` and `\\host`: they mean nothing outside of another page.
 */
function browserRecord(bytes: Uint8Array, start: number, end: number): UrlRecord | SafeBrowsingFailure {
  const text = escapedText(bytes, start, end);
  const first = start < end ? bytes[start] : SLASH;
  const lacksScheme = first !== SLASH && first !== BACKSLASH && schemeColon(bytes, start, end) === -1;
  const record = parsedUrl(lacksScheme ? `http://${text}` : text, undefined, SAFE_BROWSING_UNICODE);
  if (record instanceof Failure) return record;
  return record.isSpecial && record.scheme !== 'file' ? record : failure('scheme-unusable');
}

/** Leaves out userinfo, port and fragment, in which the page's steps would look for delimiters. */
function visitedHost({ scheme, host, path, query }: UrlRecord): string {
  return `${scheme}://${host}${path}${query === null ? '' : `?${query}`}`;
}

/**
 * Escapes bytes >= 0x80: in path and query the parser would write them so, and in a host it decodes them. So bytes that
 * are not UTF-8 are kept, while a decoder would replace them with U+FFFD.
 */
function escapedText(bytes: Uint8Array, start: number, end: number): string {
  let count = 0;
  for (let at = start; at < end; at++) count += bytes[at]! >> 7;
  if (count === 0) return decodeLine(bytes.subarray(start, end));
  const escaped = new Uint8Array(end - start + 2 * count);
  let to = 0;
  for (let at = start; at < end; at++) {
    if (bytes[at]! < 0x80) escaped[to++] = bytes[at]!;
    else to = writeEscape(escaped, to, bytes[at]!);
  }
  return decodeLine(escaped.subarray(0, to));
}

/**
 * Removes percent-escapes from bytes [start, end), in place, until none is left, and returns the new end: "repeatedly
 * remove percent-escapes from the URL until it has no more percent-escapes".
 *
 * One pass does what the repetition does. An escape is %HH, no two overlap, and decoding one leaves the others whole,
 * so every order of decoding ends in the same bytes. The bytes written so far are the stack: they contain no escape,
 * and only a new byte can complete one, at their end. Each decoding takes two bytes off, so the time is linear whatever
 * the nesting.
 */
export function unescape(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  while (to < end && bytes[to] !== PERCENT) to++;
  for (let at = to; at < end; at++) {
    bytes[to++] = bytes[at]!;
    while (to - start >= 3 && bytes[to - 3] === PERCENT) {
      const high = hexDigitValue(bytes[to - 2]!);
      const low = hexDigitValue(bytes[to - 1]!);
      if (high === -1 || low === -1) break;
      to -= 2;
      bytes[to - 1] = (high << 4) | low;
    }
  }
  return to;
}

/** Returns the first position of a slash or question mark in [at, end), or `end`: the end of an authority. */
function endOfAuthority(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at] !== SLASH && bytes[at] !== QUESTION_MARK) at++;
  return at;
}

const LOCALHOST = /* @__PURE__ */ asciiBytes('localhost');

/**
 * Returns the position of the colon after a scheme, or -1 if the bytes do not begin with one. `host.com:80` and
 * `localhost:80` look like one, too. Because the pages canonicalize inputs without a scheme, a dot or that name before
 * the colon, and a port after it, make it a host.
 */
export function schemeColon(bytes: Uint8Array, start: number, end: number): number {
  const colon = schemeEnd(bytes, start, end);
  return colon !== -1 && looksLikeHost(bytes, start, colon) && hasPort(bytes, colon + 1, end) ? -1 : colon;
}

/** Returns the position of the colon after a text in the form of a scheme, or -1. */
export function schemeEnd(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end || !isAsciiAlpha(bytes[start]!)) return -1;
  let colon = start + 1;
  while (colon < end && isSchemeByte(bytes[colon]!)) colon++;
  return colon < end && bytes[colon] === COLON ? colon : -1;
}

// RFC 2396 §3.1
function isSchemeByte(byte: number): boolean {
  return isAsciiAlpha(byte) || isAsciiDigit(byte) || byte === 0x2b || byte === 0x2d || byte === FULL_STOP;
}

function looksLikeHost(bytes: Uint8Array, start: number, end: number): boolean {
  if (positionOf(FULL_STOP, bytes, start, end) < end) return true;
  return end - start === LOCALHOST.length && LOCALHOST.every((letter, at) => (bytes[start + at]! | 0x20) === letter);
}

function hasPort(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && isAsciiDigit(bytes[at]!)) at++;
  if (at === start) return false;
  const next = at === end ? SLASH : bytes[at];
  return next === SLASH || next === QUESTION_MARK || next === NUMBER_SIGN || next === BACKSLASH;
}

/**
 * The path's two steps on bytes [start, end), in place: first `/./` and `/../`, then runs of slashes. The
 * order is the page's, so `/a//../b` is `/a/b`: the component before `/../` is the empty one. A final `/.`
 * or `/..` is resolved too, as in the page's `/blah/..`, and leaves no slash: the page is silent
 * there, and the service's own client turns `/a/b/..` into `/a`. Returns the new end; an empty path stays empty.
 */
export function canonicalizePath(bytes: Uint8Array, start: number, end: number, trace?: Trace): number {
  const resolvedEnd = resolveDots(bytes, start, end);
  trace?.('path without dot segments', bytes, start, resolvedEnd);
  return collapseSlashes(bytes, start, resolvedEnd);
}

/** Copies each component with the slash before it. Going back costs no more than the bytes that it removes. */
function resolveDots(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  for (let at = start; at < end; ) {
    const next = positionOf(SLASH, bytes, at + 1, end);
    if (isDoubleDot(bytes, at + 1, next)) to = Math.max(start, afterLast(SLASH, bytes, start, to) - 1);
    else if (!isSingleDot(bytes, at + 1, next)) to = moved(bytes, at, next, to);
    at = next;
  }
  return to;
}

function isSingleDot(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 1 && bytes[start] === FULL_STOP;
}

function isDoubleDot(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 2 && bytes[start] === FULL_STOP && bytes[start + 1] === FULL_STOP;
}

function collapseSlashes(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  for (let at = start; at < end; at++) {
    const isRepeated = bytes[at] === SLASH && to > start && bytes[to - 1] === SLASH;
    if (!isRepeated) bytes[to++] = bytes[at]!;
  }
  return to;
}

/** Turns backslashes into slashes. A browser has done so before; Chromium does it again after unescaping. */
function slashBackslashes(bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    if (bytes[at] === BACKSLASH) bytes[at] = SLASH;
  }
}
