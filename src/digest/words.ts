// The seed's "Representation": a digest is little-endian unsigned 64-bit words, shown in decimal with '-' between.

const WORD_BYTES = 8;

export function wordsOfBytes(bytes: Uint8Array): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / WORD_BYTES }, (_, index) => view.getBigUint64(WORD_BYTES * index, true));
}

/** @throws {RangeError} where there are not `byteLength / 8` words, each from 0 to 2^64 - 1; TypeError for what is no bigint */
export function bytesOfWords(words: ArrayLike<bigint>, byteLength: number): Uint8Array<ArrayBuffer> {
  if (words.length * WORD_BYTES !== byteLength) {
    throw new RangeError(`expected ${byteLength / WORD_BYTES} words, got ${words.length}`);
  }
  const bytes = new Uint8Array(byteLength);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < words.length; index++) {
    view.setBigUint64(WORD_BYTES * index, words[index]!, true); // a TypeError for what is no bigint
    if (view.getBigUint64(WORD_BYTES * index, true) !== words[index])
      throw new RangeError(`word ${index} must be from 0 to 2^64 - 1, got ${words[index]}`);
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
