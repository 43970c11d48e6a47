import { DIGESTS, SCRATCH, SCRATCH_END, TEXT } from '../../../assembly/layout.ts';
import { wrongKind } from '../argument.ts';
import { LINE_FEED } from '../bytes/code-points.ts';
import { hexOfBytes } from '../bytes/hex.ts';
import { asciiBytes, textEncoderIfAny } from '../bytes/text.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';
import { classify } from '../kernel/row-messages.ts';
import { quote } from '../quote.ts';
import { type CompiledOptions, canonicalForm } from '../url/canonicalize.ts';
import type { Failure } from '../url/failure.ts';

/** The longest URL, in UTF-16 units, that is worth copying into memory before it is known to be canonical. */
const SCANNED_LENGTH = 4096;

/**
 * Returns the hex digits of the first `width` bytes of the SHA-256 of a URL's canonical form. The URL is copied into
 * memory as a line: if the kernel can find the canonical form, that is hashed there, in half the time the parser alone
 * takes. A host whose own function is faster is given the string, if that is the form.
 */
export function hexOfUrl(kernel: Kernel, url: string, width: Width, options: CompiledOptions): string | Failure {
  if (url.length <= SCANNED_LENGTH && isScanned(kernel, url, options)) return hexOfFirst(kernel, url, width);
  const canonical = canonicalForm(url, options.base, options.form);
  if (typeof canonical !== 'string') return canonical;
  const hostHex = kernel.hostHex(canonical.length);
  if (hostHex) return hostHex(canonical).slice(0, 2 * width);
  return hexOfBytes(digestOfBytes(kernel, asciiBytes(canonical), width));
}

function isScanned(kernel: Kernel, url: string, options: CompiledOptions): boolean {
  const encoder = textEncoderIfAny();
  if (encoder === undefined) return false;
  const { memory } = kernel;
  const end = TEXT + encoder.encodeInto(url, memory.text).written;
  memory.bytes[end] = LINE_FEED;
  memory.rowStarts[0] = TEXT;
  memory.rowEnds[0] = end;
  classify(kernel, options, 1, end + 1);
  return memory.pendingCount === 0;
}

function hexOfFirst(kernel: Kernel, url: string, width: Width): string {
  const { bytes, spans } = kernel.memory;
  const address = spans[0]!;
  const byteLength = spans[1]!;
  const hostHex = kernel.hostHex(byteLength);
  if (hostHex) {
    const isUrl = address === TEXT && byteLength === url.length;
    return hostHex(isUrl ? url : bytes.subarray(address, address + byteLength)).slice(0, 2 * width);
  }
  kernel.sha256(address, byteLength, DIGESTS, width);
  return hexOfBytes(bytes, DIGESTS, DIGESTS + width);
}

/** Returns the first `width` bytes of the SHA-256 of a message of any length, copied into memory piece by piece. */
export function digestOfBytes(kernel: Kernel, message: Uint8Array, width: Width): Uint8Array<ArrayBuffer> {
  hashBytesInto(kernel, message, DIGESTS, width);
  return kernel.memory.firstDigest(width).slice();
}

/** Writes the digest to the address `digest`; uses SCRATCH, so that TEXT stays as it is. */
export function hashBytesInto(kernel: Kernel, message: Uint8Array, digest: number, width: Width): void {
  const pieceLength = (SCRATCH_END - SCRATCH) & ~63;
  const wholeLength = message.length - (message.length % 64);
  kernel.init();
  for (let at = 0; at < wholeLength; at += pieceLength) {
    const piece = message.subarray(at, Math.min(at + pieceLength, wholeLength));
    kernel.memory.bytes.set(piece, SCRATCH);
    kernel.update(SCRATCH, piece.length / 64);
  }
  kernel.memory.bytes.set(message.subarray(wholeLength), SCRATCH);
  kernel.final(SCRATCH, message.length - wholeLength, message.length, digest, width);
}

// url-hash, "Representation": a digest is little-endian unsigned 64-bit words, shown in decimal with '-' between.

const WORD_BYTES = 8;

export function wordsOfBytes(bytes: Uint8Array): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words: bigint[] = [];
  for (let at = 0; at < bytes.length; at += WORD_BYTES) words.push(view.getBigUint64(at, true));
  return words;
}

/**
 * @throws {TypeError} on anything but a list of bigints
 * @throws {RangeError} on another number of words than `byteLength / 8`, and on one outside of 0 to 2^64 - 1
 */
export function bytesOfWords(words: ArrayLike<bigint>, byteLength: number): Uint8Array<ArrayBuffer> {
  if (typeof words !== 'object' || typeof words?.length !== 'number')
    throw wrongKind('words', 'a list of bigints', words);
  const count = byteLength / WORD_BYTES;
  if (words.length !== count) throw new RangeError(`words must have length ${count}, got ${words.length}`);
  const bytes = new Uint8Array(byteLength);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < count; index++) {
    const word = words[index]!;
    if (typeof word !== 'bigint') throw wrongKind(`word ${index}`, 'a bigint', word);
    if (BigInt.asUintN(64, word) !== word)
      throw new RangeError(`word ${index} must be from 0 to 2^64 - 1, got ${String(word).slice(0, 100)}`);
    view.setBigUint64(WORD_BYTES * index, word, true);
  }
  return bytes;
}

/** @throws {RangeError} where `text` is not what `wordsOfBytes(…).join('-')` gives for `byteLength` bytes */
export function bytesOfDecimal(text: string, byteLength: number): Uint8Array<ArrayBuffer> {
  const count = byteLength / WORD_BYTES;
  const words = text.split('-', count + 1);
  if (words.length !== count || !words.every((word) => /^(?:0|[1-9][0-9]{0,19})$/.test(word))) {
    throw new RangeError(`text must be decimal words joined by '-', ${count} in all, got ${quote(text.slice(0, 100))}`);
  }
  return bytesOfWords(words.map(BigInt), byteLength);
}
