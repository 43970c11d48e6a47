import { mustBeUrlOrBytes } from '../../core/argument.ts';
import { decodedIfFits, textEncoder } from '../../core/bytes/text.ts';
import { type Failure, failure } from '../../core/url/failure.ts';
import type { CanonicalUrl } from './canonical-url.ts';

/** A URL as text, as a `URL`, or as the bytes of which the specifications speak: a text counts as its UTF-8. */
export type UrlInput = string | URL | Uint8Array;

// Up to this length a loop beats encodeInto and the view it needs (src/core/bytes/text.ts has the figures).
const LOOPED_LENGTH = 128;

/** A UTF-8 byte order mark is not part of a URL: `http:` after it would read as a host. */
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
   * Returns the bytes of `url`, the input's canonical form, from `start` on, if a string can be as long. A slice takes a
   * third of decoding.
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
