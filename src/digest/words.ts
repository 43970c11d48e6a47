// The seed's "Representation": a digest is little-endian unsigned 64-bit words, shown in decimal with '-' between.

const WORD_BYTES = 8;
const WORD_LIMIT = 1n << 64n;

export function wordsOfBytes(bytes: Uint8Array): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / WORD_BYTES }, (_, index) => view.getBigUint64(WORD_BYTES * index, true));
}

/** @throws {RangeError} where there are not `byteLength / 8` words, each in 0 … 2^64 - 1 */
export function bytesOfWords(words: ArrayLike<bigint>, byteLength: number): Uint8Array<ArrayBuffer> {
  if (words.length * WORD_BYTES !== byteLength) {
    throw new RangeError(`expected ${byteLength / WORD_BYTES} words, got ${words.length}`);
  }
  const bytes = new Uint8Array(byteLength);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (typeof word !== 'bigint') throw new TypeError(`word ${index} must be a bigint, got ${typeof word}`);
    if (word < 0n || word >= WORD_LIMIT) throw new RangeError(`word ${index} is outside 0 … 2^64 - 1: ${word}`);
    view.setBigUint64(WORD_BYTES * index, word, true);
  }
  return bytes;
}

/** @throws {RangeError} where `text` is not what `wordsOfBytes(…).join('-')` gives for so many bytes */
export function bytesOfText(text: string, byteLength: number): Uint8Array<ArrayBuffer> {
  const count = byteLength / WORD_BYTES;
  const words = text.split('-', count + 1);
  if (words.length !== count || !words.every((word) => /^(?:0|[1-9][0-9]{0,19})$/.test(word))) {
    throw new RangeError(`expected ${count} decimal words joined by '-', got ${JSON.stringify(text.slice(0, 100))}`);
  }
  return bytesOfWords(words.map(BigInt), byteLength);
}
