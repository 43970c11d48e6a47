import { writeEscape } from '../bytes/hex.ts';
import { CLASSES, ESCAPED } from './bytes.ts';

/**
 * A canonical URL as positions in bytes, reused from URL to URL:
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
  #own = new Uint8Array(1024);

  /** Makes the URL empty, in bytes of its own to append to. */
  begin(): void {
    this.bytes = this.#own;
    this.start = this.end = 0;
    this.isAddress = this.isProven = this.hadBackslash = false;
  }

  appendText(ascii: string): void {
    this.#reserve(ascii.length);
    for (let at = 0; at < ascii.length; at++) this.#own[this.end++] = ascii.charCodeAt(at);
  }

  /** Appends bytes [start, end), with the escapes that the page demands. */
  appendEscaped(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(3 * (end - start));
    const own = this.#own;
    let to = this.end;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if ((CLASSES[byte]! & ESCAPED) === 0) own[to++] = byte;
      else to = writeEscape(own, to, byte);
    }
    this.end = to;
  }

  #reserve(byteLength: number): void {
    if (this.end + byteLength <= this.#own.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#own.length, this.end + byteLength));
    grown.set(this.#own.subarray(0, this.end));
    this.bytes = this.#own = grown;
  }
}
