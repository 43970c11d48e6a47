import { CARRIAGE_RETURN, LINE_FEED, NUMBER_SIGN, QUESTION_MARK, SLASH, SPACE, TAB } from '../bytes/code-points.ts';
import { browserUrl } from './browser.ts';
import { afterLast, authorityEnd, lowercase, positionOf } from './bytes.ts';
import type { CanonicalUrl } from './canonical-url.ts';
import { failure, type SafeBrowsingFailure } from './failure.ts';
import { appendHost } from './host.ts';
import { canonicalizePath, slashBackslashes } from './path.ts';
import { isPlain } from './proven.ts';
import { schemeColon } from './scheme.ts';
import type { Reading } from './settings.ts';
import type { Trace } from './trace.ts';
import { unescape } from './unescape.ts';

const COMMERCIAL_AT = 0x40;

type Failed = SafeBrowsingFailure | undefined;

/**
 * The page's steps, in its order, over bytes: each step works in place on a copy of the input and only the
 * last one, escaping, makes it longer. One instance serves any number of URLs and, but for IP addresses and
 * hosts beyond ASCII, leaves no garbage behind.
 */
export class Canonicalizer {
  readonly #trace: Trace | undefined;
  #work = new Uint8Array(1024);

  constructor(trace?: Trace) {
    this.#trace = trace;
  }

  /** Brings bytes [start, end) to canonical form in `url`, or gives the reason why they have none. */
  run(bytes: Uint8Array, start: number, end: number, reading: Reading, url: CanonicalUrl): Failed {
    return isPlain(bytes, start, end, url) ? undefined : this.runSteps(bytes, start, end, reading, url);
  }

  /** The same without looking for a proof first. */
  runSteps(bytes: Uint8Array, start: number, end: number, reading: Reading, url: CanonicalUrl): Failed {
    if (this.#work.length < end - start) this.#work = new Uint8Array(2 * (end - start));
    url.begin();
    return reading.mode === 'browser'
      ? this.#browserSteps(bytes, start, end, reading, url)
      : this.#specSteps(bytes, start, end, reading, url);
  }

  #specSteps(bytes: Uint8Array, start: number, end: number, reading: Reading, url: CanonicalUrl): Failed {
    const work = this.#work;
    const length =
      this.#trace === undefined ? copied(bytes, start, end, work, true) : this.#tracedCopy(bytes, start, end);
    const first = trimmedStart(work, length);
    return this.#decodedSteps(first, trimmedEnd(work, first, length), reading, url);
  }

  #browserSteps(bytes: Uint8Array, start: number, end: number, reading: Reading, url: CanonicalUrl): Failed {
    const length = copied(bytes, start, end, this.#work, false);
    const first = trimmedStart(this.#work, length);
    const visited = browserUrl(this.#work, first, trimmedEnd(this.#work, first, length));
    if (typeof visited !== 'string') return visited;
    if (this.#work.length < visited.length) this.#work = new Uint8Array(2 * visited.length);
    for (let at = 0; at < visited.length; at++) this.#work[at] = visited.charCodeAt(at);
    this.#trace?.('visited by a browser', this.#work, 0, visited.length);
    return this.#decodedSteps(0, visited.length, reading, url);
  }

  /** For the trace: tabs and line ends, then the fragment, which the copy does in one go. */
  #tracedCopy(bytes: Uint8Array, start: number, end: number): number {
    this.#trace!('tabs and line ends removed', this.#work, 0, copied(bytes, start, end, this.#work, false));
    const length = copied(bytes, start, end, this.#work, true);
    this.#trace!('fragment removed', this.#work, 0, length);
    return length;
  }

  /** From "repeatedly remove percent-escapes" on, for work [start, trimmedEnd). */
  #decodedSteps(start: number, trimmedEnd: number, reading: Reading, url: CanonicalUrl): Failed {
    const work = this.#work;
    this.#trace?.('spaces around removed', work, start, trimmedEnd);
    const end = unescape(work, start, trimmedEnd);
    this.#trace?.('unescaped', work, start, end);
    const authority = appendScheme(work, start, end, url);
    if (authority === -1) return failure('scheme-without-authority');
    const pathStart = authorityEnd(work, authority, end);
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
    if (reading.mode === 'browser') slashBackslashes(work, pathStart, queryStart);
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

/** Copies without TAB, CR and LF, and where `cutsFragment` up to the first `#`; returns the length. */
function copied(bytes: Uint8Array, start: number, end: number, to: Uint8Array, cutsFragment: boolean): number {
  let length = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (cutsFragment && byte === NUMBER_SIGN) break;
    if (byte !== TAB && byte !== CARRIAGE_RETURN && byte !== LINE_FEED) to[length++] = byte;
  }
  return length;
}

// The page shows trimming only in its examples; bytes <= 0x20 are what the URL Standard trims.
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

/** Appends the scheme, in lower case, or http, and returns where the authority begins; -1 where none can. */
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
