import { DIGESTS, SCRATCH, SCRATCH_END, TEXT, TEXT_END } from '../../../assembly/layout.ts';
import { wrongKind } from '../argument.ts';
import { LINE_FEED } from '../bytes/code-points.ts';
import { asciiBytes, textEncoderIfAny, writeAscii } from '../bytes/text.ts';
import { classify, type Kernel, type Width } from '../kernel/kernel.ts';
import { quote } from '../quote.ts';
import { type CompiledOptions, canonicalForm } from '../url/canonicalize.ts';
import type { Failure } from '../url/failure.ts';

/** The longest URL, in UTF-16 units, that is worth copying into memory before it is known to be canonical. */
const SCANNED_LENGTH = 4096;

/**
 * Returns the first `width` bytes of the SHA-256 of a URL's canonical form. The URL is copied into memory as a line: if
 * the kernel can find the canonical form, that is hashed there, in half the time the parser alone takes. A host that
 * hashes strings is given one: in Bun that takes 345 ns, by way of memory 405. The bytes are valid until the next hash:
 * those of a fresh array of 32 bytes are slow for hosts to read.
 */
export function digestOfUrl(
  kernel: Kernel,
  url: string,
  width: Width,
  options: CompiledOptions,
): Uint8Array<ArrayBuffer> | Failure {
  if (kernel.sha256OfText === undefined && url.length <= SCANNED_LENGTH && isScanned(kernel, url, options)) {
    const { spans } = kernel.memory;
    kernel.sha256(spans[0]!, spans[1]!, DIGESTS, width);
    return kernel.memory.firstDigest(width);
  }
  const canonical = canonicalForm(url, options.base, options.form);
  return typeof canonical === 'string' ? digestOfString(kernel, canonical, width) : canonical;
}

function isScanned(kernel: Kernel, url: string, options: CompiledOptions): boolean {
  const encoder = textEncoderIfAny();
  if (encoder === undefined) return false;
  const { memory } = kernel;
  const end = TEXT + encoder.encodeInto(url, memory.text).written;
  memory.bytes[end] = LINE_FEED;
  if (kernel.findLines(TEXT, end + 1, LINE_FEED) !== 1) return false;
  classify(kernel, options, 1, end + 1);
  return memory.pendingCount === 0;
}

/** Returns the first `width` bytes of the SHA-256 of a canonical form, which is ASCII; valid until the next hash. */
export function digestOfString(kernel: Kernel, canonical: string, width: Width): Uint8Array<ArrayBuffer> {
  if (kernel.sha256OfText !== undefined) return kernel.sha256OfText(canonical, width);
  if (canonical.length > TEXT_END - TEXT) {
    hashBytesInto(kernel, asciiBytes(canonical), DIGESTS, width);
  } else {
    writeAscii(kernel.memory.bytes, TEXT, canonical);
    kernel.sha256(TEXT, canonical.length, DIGESTS, width);
  }
  return kernel.memory.firstDigest(width);
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
