import { type Fields, structBytes } from './thrift.ts';

/** The kinds of pages. */
export const DATA_PAGE = 0;
export const DICTIONARY_PAGE = 2;
export const DATA_PAGE_V2 = 3;

/** Encodings. */
export const PLAIN = 0;
export const RLE = 3;

/** Returns the header of a page of data in version 1 that is not packed. */
export function dataHeader(valueCount: number, encoding: number, bytes: Uint8Array): Uint8Array {
  return headerOf(DATA_PAGE, bytes, [
    5,
    [
      [1, valueCount],
      [2, encoding],
      [3, RLE],
      [4, RLE],
    ],
  ]);
}

/** Returns the header of the page of a dictionary that is not packed. */
export function dictionaryHeader(valueCount: number, bytes: Uint8Array): Uint8Array {
  return headerOf(DICTIONARY_PAGE, bytes, [
    7,
    [
      [1, valueCount],
      [2, PLAIN],
    ],
  ]);
}

function headerOf(type: number, { length }: Uint8Array, fields: readonly [id: number, value: Fields]): Uint8Array {
  return Uint8Array.from(structBytes([[1, type], [2, length], [3, length], fields]));
}

/** Bytes of four that hold a length, the lowest first. */
export function lengthBytes(byteLength: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(byteLength).buffer);
}
