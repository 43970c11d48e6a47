import { mustBeUrlOrBytes } from '../../core/argument.ts';
import {
  BACKSLASH,
  COLON,
  FULL_STOP,
  isAsciiDigit,
  NUMBER_SIGN,
  PERCENT,
  QUESTION_MARK,
  SLASH,
} from '../../core/bytes/code-points.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { writeEscape } from '../../core/bytes/hex.ts';
import { decodedIfFits, textEncoder, writeAscii } from '../../core/bytes/text.ts';
import { type Failure, failure } from '../../core/url/failure.ts';

/** A URL as text, as a `URL`, or as the bytes of which the specifications speak: a text counts as its UTF-8. */
export type UrlInput = string | URL | Uint8Array;

// Up to this length a loop beats encodeInto and the view it needs (src/core/bytes/text.ts has the figures).
const LOOPED_LENGTH = 128;

/** Returns the position after a UTF-8 byte order mark, which is not part of a URL: `http:` after it would be a host. */
export function afterByteOrderMark(bytes: Uint8Array, start: number, end: number): number {
  const hasMark = end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
  return hasMark ? start + 3 : start;
}

/** The bytes of the current input: [start, end) of `bytes`, valid until the next input. */
export class InputBytes {
  bytes: Uint8Array = new Uint8Array(1024);
  start = 0;
  end = 0;
  #own = this.bytes;
  /** The input, if it is a short ASCII string: then positions in `bytes` are those in it. */
  #ascii: string | undefined;

  /** @throws {TypeError} if the input, `name` in messages, is neither a string, a `URL` nor bytes in memory */
  set(input: UrlInput, name = 'url'): void {
    const url = mustBeUrlOrBytes(name, input);
    if (typeof url === 'string') this.#setText(url);
    else this.#setBytes(url, url.length);
  }

  /**
   * Returns the bytes of `url`, the input's canonical form, from `start` on, if a string can be as long. A slice takes
   * a third of decoding.
   */
  textOf(url: CanonicalUrl, start: number): string | Failure {
    const isSlice = url.isProven && this.#ascii !== undefined;
    if (isSlice) return this.#ascii!.slice(start, url.end);
    return decodedIfFits(url.bytes.subarray(start, url.end)) ?? failure('length-limit');
  }

  #setBytes(bytes: Uint8Array, end: number): void {
    this.#ascii = undefined;
    this.bytes = bytes;
    this.start = afterByteOrderMark(bytes, 0, end);
    this.end = end;
  }

  #setText(text: string): void {
    if (this.#own.length < 3 * text.length) this.#own = new Uint8Array(3 * text.length);
    if (!this.#setShortAscii(text)) {
      const { written } = textEncoder().encodeInto(text, this.#own);
      this.#setBytes(this.#own, written);
    }
  }

  #setShortAscii(text: string): boolean {
    if (text.length > LOOPED_LENGTH) return false;
    const bytes = this.#own;
    let seen = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      bytes[at] = code;
      seen |= code;
    }
    if (seen > 0x7f) return false;
    this.#ascii = text;
    this.bytes = bytes;
    this.start = 0;
    this.end = text.length;
    return true;
  }
}

/** Classes of bytes, as bits of one table. */
const ESCAPED = 1; //     "<= ASCII 32, >= 127, #, or %": written as an escape in a canonical form
export const PLAIN_HOST = 2; //  a-z 0-9 - _ : unchanged in every reading
const PLAIN_PATH = 4; //  not ESCAPED, and none of / ? \
const PLAIN_QUERY = 8; // not ESCAPED

export const CLASSES: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte <= 0x20 || byte >= 0x7f || byte === NUMBER_SIGN || byte === PERCENT) return ESCAPED;
  const isPathPlain = byte !== SLASH && byte !== QUESTION_MARK && byte !== BACKSLASH;
  return PLAIN_QUERY | (isPathPlain ? PLAIN_PATH : 0) | (/[a-z0-9_-]/.test(String.fromCharCode(byte)) ? PLAIN_HOST : 0);
});

/**
 * A canonical form as positions in bytes, reused from URL to URL:
 *
 *     http://a.b.c/1/2.html?param=1
 *     start  host ^path    ^query  ^end      (pathEnd is the '?', or the end)
 *
 * Every expression is a run of these bytes: it begins at a component of the host and ends in path or query.
 */
export class CanonicalUrl {
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  hostStart = 0;
  hostEnd = 0;
  pathEnd = 0;
  end = 0;
  /** Whether the host is an IP address, whose components are not looked up. */
  isAddress = false;
  /** Whether the input was proven canonical under every profile and mode; `bytes` are then those of the input. */
  isProven = false;
  /** Whether there was a backslash in the path that its steps were taken on, even if they removed it. */
  hadBackslash = false;
  readonly #own = new GrowingBytes(1 << 10);

  /** Makes the URL empty, in bytes of its own to append to. */
  begin(): void {
    this.bytes = this.#own.room(0);
    this.start = this.end = 0;
    this.isAddress = this.isProven = this.hadBackslash = false;
  }

  appendText(ascii: string): void {
    writeAscii(this.#room(ascii.length), this.end, ascii);
    this.end += ascii.length;
  }

  /** Appends bytes [start, end), with the escapes that Safe Browsing's page demands. */
  appendEscaped(bytes: Uint8Array, start: number, end: number): void {
    const own = this.#room(3 * (end - start));
    let to = this.end;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if ((CLASSES[byte]! & ESCAPED) === 0) own[to++] = byte;
      else to = writeEscape(own, to, byte);
    }
    this.end = to;
  }

  /** Returns its own bytes, with room for so many after the end. */
  #room(byteLength: number): Uint8Array {
    this.#own.length = this.end;
    return (this.bytes = this.#own.room(byteLength));
  }
}

/**
 * Proves that bytes [start, inputEnd) are canonical as they are, except for a fragment, under both profiles and in both
 * modes, and sets their parts in `url`. Nine of ten real URLs are, and the proof takes a quarter of the time of the
 * steps. It is never wrong, but not always found. It needs no escapes and nothing to escape; a path without `//`, `/.`
 * and backslashes; and a host of plain lower-case labels, the last of which begins with no digit, so that it is not an
 * address. A fragment may follow.
 */
export function proveCanonical(bytes: Uint8Array, start: number, inputEnd: number, url: CanonicalUrl): boolean {
  const hostStart = afterScheme(bytes, start, inputEnd);
  const hostEnd = hostStart === -1 ? -1 : plainHostEnd(bytes, hostStart, inputEnd);
  const pathEnd = hostEnd === -1 ? -1 : provenPathEnd(bytes, hostEnd, inputEnd);
  const end = pathEnd === -1 ? -1 : plainQueryEnd(bytes, pathEnd, inputEnd);
  if (end === -1) return false;
  url.bytes = bytes;
  url.start = start;
  url.hostStart = hostStart;
  url.hostEnd = hostEnd;
  url.pathEnd = pathEnd;
  url.end = end;
  url.isAddress = false;
  url.isProven = true;
  return true;
}

/** Returns the position after `http://` or `https://`, or -1. */
function afterScheme(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 8) return -1;
  const isHttp =
    bytes[start] === 0x68 && bytes[start + 1] === 0x74 && bytes[start + 2] === 0x74 && bytes[start + 3] === 0x70;
  const colon = bytes[start + 4] === 0x73 ? start + 5 : start + 4;
  return isHttp && bytes[colon] === COLON && bytes[colon + 1] === SLASH && bytes[colon + 2] === SLASH ? colon + 3 : -1;
}

/** Returns the position of the slash that ends a plain host, or -1. */
function plainHostEnd(bytes: Uint8Array, start: number, end: number): number {
  let labelStart = start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if ((CLASSES[byte]! & PLAIN_HOST) !== 0) continue;
    if (at === labelStart) return -1;
    if (byte === SLASH) return isAsciiDigit(bytes[labelStart]!) ? -1 : at;
    if (byte !== FULL_STOP) return -1;
    labelStart = at + 1;
  }
  return -1;
}

/** Returns the position of the `?`, the `#` or the end after a plain path at `start`, or -1. */
function provenPathEnd(bytes: Uint8Array, start: number, end: number): number {
  let before = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUESTION_MARK || byte === NUMBER_SIGN) return at;
    if (before === SLASH && (byte === SLASH || byte === FULL_STOP)) return -1;
    if (byte !== SLASH && (CLASSES[byte]! & PLAIN_PATH) === 0) return -1;
    before = byte;
  }
  return end;
}

/** Returns the position of the `#` or the end after a plain query at `start`, or after none, or -1. */
function plainQueryEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === NUMBER_SIGN) return at;
    if ((CLASSES[byte]! & PLAIN_QUERY) === 0) return -1;
  }
  return end;
}
