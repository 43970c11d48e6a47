import { quote } from '../quote.ts';
import type { GrowingBytes } from './growing-bytes.ts';

/** The conversion that the host offers: Uint8Array's own method (ES2026), or that of Node's Buffer. */
interface HostBytes extends Uint8Array {
  toHex?(): string;
}
type HexSlice = (this: Uint8Array, start: number, end: number) => string;
const hexSlice = (globalThis as { Buffer?: { prototype: { hexSlice?: HexSlice } } }).Buffer?.prototype.hexSlice;

/**
 * Returns two lower-case digits per byte of bytes [start, end). For 32 bytes, toHex takes 37 ns in Bun and hexSlice 69;
 * if a view must be made for toHex, they take the same.
 */
export function hexOfBytes(bytes: HostBytes, start = 0, end = bytes.length): string {
  if (end - start === bytes.length && bytes.toHex) return bytes.toHex();
  if (hexSlice) return hexSlice.call(bytes, start, end);
  const part: HostBytes = bytes.subarray(start, end);
  return part.toHex?.() ?? hexByDigits(part);
}

/** The path of hosts without `toHex` and without Buffer. */
export function hexByDigits(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += hexOfByte(byte);
  return hex;
}

export function hexOfByte(byte: number): string {
  return (byte + 256).toString(16).slice(1);
}

const HEX_DIGITS = '0123456789abcdef';

/** The digits of a byte, both, the first in the lower half: one store per byte takes half the time of two. */
const HEX_PAIRS = /* @__PURE__ */ Uint16Array.from(
  { length: 256 },
  (_, byte) => HEX_DIGITS.charCodeAt(byte >> 4) | (HEX_DIGITS.charCodeAt(byte & 15) << 8),
);

/** Appends two lower-case digits per byte of bytes [start, end). */
export function appendHex(out: GrowingBytes, bytes: Uint8Array, start: number, end: number): void {
  out.room(2 * (end - start));
  const { view } = out;
  let to = out.length;
  for (let at = start; at < end; at++, to += 2) view.setUint16(to, HEX_PAIRS[bytes[at]!]!, true);
  out.length = to;
}

/** @throws {RangeError} where `hex` is not `byteLength` pairs of hex digits, in either case */
export function parseHex(hex: string, byteLength: number): Uint8Array<ArrayBuffer> {
  if (hex.length !== 2 * byteLength || !/^[0-9a-f]*$/i.test(hex)) {
    throw new RangeError(`hex must have ${2 * byteLength} hex digits, got ${quote(hex.slice(0, 100))}`);
  }
  return bytesOfHex(hex);
}

/**
 * Returns the bytes of an embedded module, by what the host offers: the loop below takes 0.8 ms for a kernel, which is
 * longer than to compile and to start it. Embedded as hex, not base64: every byte stays two whole characters, so that
 * the kernel compresses to 4.3 kB with brotli where base64 takes 5.7.
 */
export function bytesOfProgram(hex: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: { from(hex: string, encoding: 'hex'): Uint8Array<ArrayBuffer> } };
  const { fromHex } = Uint8Array as { fromHex?(hex: string): Uint8Array<ArrayBuffer> };
  return fromHex?.call(Uint8Array, hex) ?? Buffer?.from(hex, 'hex') ?? bytesOfHex(hex);
}

/**
 * Returns the bytes of hex digits in either case. A plain loop: it takes 250 ns for 32 bytes, Buffer's hexWrite 450, and
 * Uint8Array.from with a callback five times as long on a first call.
 */
export function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = (digitValue(hex.charCodeAt(2 * at)) << 4) | digitValue(hex.charCodeAt(2 * at + 1));
  }
  return bytes;
}

/**
 * The value of '0'–'9' (0x30–0x39), 'a'–'f' (0x61–0x66) or 'A'–'F' (0x41–0x46): letters have bit 6, and 1 to 6 below.
 */
function digitValue(code: number): number {
  return (code & 0xf) + 9 * (code >> 6);
}

const UPPER_DIGITS = '0123456789ABCDEF';

/** Writes a byte as a percent-escape, with digits in upper case, and returns the position after it. */
export function writeEscape(to: Uint8Array, at: number, byte: number): number {
  to[at] = 0x25;
  to[at + 1] = UPPER_DIGITS.charCodeAt(byte >> 4);
  to[at + 2] = UPPER_DIGITS.charCodeAt(byte & 15);
  return at + 3;
}
