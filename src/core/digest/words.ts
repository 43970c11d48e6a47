import { wrongKind } from '../argument.ts';

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
    throw new RangeError(
      `text must be decimal words joined by '-', ${count} in all, got ${JSON.stringify(text.slice(0, 100))}`,
    );
  }
  return bytesOfWords(words.map(BigInt), byteLength);
}
