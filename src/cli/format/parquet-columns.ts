import { compareBytes } from '../../bytes/compare.ts';
import type { Width } from '../../kernel/kernel.ts';
import type { Batch } from './columns.ts';
import type { Bounds, PackedColumn } from './parquet-chunk.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const WORD_BYTES = 8;
/** Before each URL stands its length. */
const LENGTH_BYTES = 4;

/** The columns of a row group: url, hash, u64 and i64. Hashes do not compress, and few of them are equal. */
export function columnsOf(batch: Batch, width: Width): PackedColumn[] {
  const { urls, validity, rowCount, nullCount } = batch;
  const hashes = valuesOf(batch, batch.hashes, width);
  const words = valuesOf(batch, new Uint8Array(batch.wordHalves.buffer), WORD_BYTES);
  const given = { isCompressed: true, validity: undefined, rowCount, nullCount: 0 } as const;
  const hashed = { isCompressed: false, validity, rowCount, nullCount } as const;
  return [
    { name: 'url', type: 'BYTE_ARRAY', values: urls, bounds: boundsOfUrls(batch), ...given },
    { name: 'hash', type: 'FIXED_LEN_BYTE_ARRAY', values: hashes, bounds: boundsOfHashes(hashes, width), ...hashed },
    { name: 'u64', type: 'INT64', values: words, bounds: boundsOfWords(words, 0), ...hashed },
    { name: 'i64', type: 'INT64', values: words, bounds: boundsOfWords(words, SIGN_BIT), ...hashed },
  ];
}

/** The values of the rows that have one, `valueBytes` each: copied in runs from one row without to the next. */
function valuesOf({ nullCount, rowCount, validity }: Batch, values: Bytes, valueBytes: number): Bytes {
  if (nullCount === 0) return values;
  const present = new Uint8Array(values.length - nullCount * valueBytes);
  for (let row = 0, runStart = 0, to = 0; row <= rowCount; row++) {
    if (row < rowCount && ((validity[row >> 3]! >> (row & 7)) & 1) === 1) continue;
    present.set(values.subarray(runStart * valueBytes, row * valueBytes), to);
    to += (row - runStart) * valueBytes;
    runStart = row + 1;
  }
  return present;
}

/** In the order of their UTF-8. */
function boundsOfUrls({ urls, urlOffsets, rowCount }: Batch): Bounds | undefined {
  const startOf = (row: number) => urlOffsets[row]! + LENGTH_BYTES;
  const endOf = (row: number) => urlOffsets[row + 1]!;
  return boundsOf(
    rowCount,
    (row, other) => compareBytes(urls, startOf(row), endOf(row), urls, startOf(other), endOf(other)),
    (row) => copyOf(urls, startOf(row), endOf(row)),
  );
}

function boundsOfHashes(hashes: Uint8Array, width: Width): Bounds | undefined {
  return boundsOf(
    hashes.length / width,
    (one, other) => compareBytes(hashes, one * width, (one + 1) * width, hashes, other * width, (other + 1) * width),
    (index) => copyOf(hashes, index * width, (index + 1) * width),
  );
}

const SIGN_BIT = 0x80000000;

/** `flipped`: the sign bit, where the words are signed: without it, they have the order of unsigned ones. */
function boundsOfWords(words: Bytes, flipped: 0 | typeof SIGN_BIT): Bounds | undefined {
  const { buffer, byteOffset, length } = words;
  const halves = new Uint32Array(buffer, byteOffset, length / 4);
  const upper = (index: number) => (halves[2 * index + 1]! ^ flipped) >>> 0;
  const Words = flipped === 0 ? BigUint64Array : BigInt64Array;
  return boundsOf(
    length / WORD_BYTES,
    (one, other) => upper(one) - upper(other) || halves[2 * one]! - halves[2 * other]!,
    (index) => new Words(buffer, byteOffset + index * WORD_BYTES, 1)[0]!,
  );
}

/** Of memory that the next batch uses again; a Buffer's own `slice` does not copy. */
function copyOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(bytes.subarray(start, end));
}

/** The least and the greatest of `count` values; undefined where there is none. */
function boundsOf(
  count: number,
  compare: (index: number, other: number) => number,
  valueOf: (index: number) => Uint8Array | bigint,
): Bounds | undefined {
  if (count === 0) return undefined;
  let least = 0;
  let greatest = 0;
  for (let index = 1; index < count; index++) {
    if (compare(index, least) < 0) least = index;
    else if (compare(index, greatest) > 0) greatest = index;
  }
  return { min_value: valueOf(least), max_value: valueOf(greatest) };
}
