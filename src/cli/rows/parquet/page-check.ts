import type { Encoding, ParquetType } from 'hyparquet';
import { bitsAt, levelsIn, NO_WIDTH, presentCount, varintAt, walkRuns } from './runs.ts';

// What the decoder of hyparquet takes on trust: how often a run repeats, and how long values are. A few changed bytes
// would have it write 2^31 values, or go back in its input and never end. Pages with such numbers are refused here.

/** A page of data, unpacked: repetition levels, definition levels, each after their byte length, and values. */
export interface DataPage {
  /** Values and nulls, or elements of lists. */
  readonly valueCount: number;
  readonly encoding: Encoding | undefined;
  readonly bytes: Uint8Array;
}

/** The leaf of a column. */
export interface LeafForm {
  readonly type: ParquetType;
  /** Bytes of a value of fixed length. */
  readonly valueBytes: number;
  readonly maxRepetition: number;
  readonly maxDefinition: number;
}

/** @throws where decoding the page would take more than its size allows */
export function mustBeDecodable(page: DataPage, leaf: LeafForm): void {
  const { bytes, valueCount } = page;
  const view = viewOf(bytes);
  let at = 0;
  let levels: Uint8Array | undefined;
  for (const max of [leaf.maxRepetition, leaf.maxDefinition].filter((max) => max > 0)) {
    const end = at + 4 + view.getUint32(at, true);
    if (end > bytes.length) throw new Error('the levels of a page are longer than the page');
    levels = levelsIn(bytes.subarray(at + 4, end), max, valueCount);
    at = end;
  }
  if (leaf.maxDefinition === 0) levels = undefined;
  mustHoldValues(page, leaf, at, presentCount(valueCount, leaf.maxDefinition, levels));
}

/** Checks `count` values from `at` on. */
function mustHoldValues(
  { bytes, encoding }: DataPage,
  { type, valueBytes }: LeafForm,
  at: number,
  count: number,
): void {
  if (count === 0) return;
  if (encoding === 'RLE_DICTIONARY' || encoding === 'PLAIN_DICTIONARY') {
    const width = bytes[at] ?? NO_WIDTH;
    if (width > 0) walkRuns(bytes, at + 1, width, count);
  } else if (encoding === 'RLE' && type === 'BOOLEAN') {
    walkRuns(bytes, at + 4, 1, count);
  } else if (encoding === 'BYTE_STREAM_SPLIT') {
    if (count * valueBytes > bytes.length - at) throw new Error('a page has fewer values than it says');
  } else if (encoding === 'DELTA_BINARY_PACKED' || encoding === 'DELTA_LENGTH_BYTE_ARRAY') {
    deltasIn(bytes, at, count, false);
  } else if (encoding === 'DELTA_BYTE_ARRAY') {
    mustHavePrefixes(bytes, at, count);
  } else if (encoding !== 'PLAIN') {
    throw new Error(`a page is encoded as ${encoding ?? 'nothing known'}`);
  } else if (type === 'BYTE_ARRAY') {
    const view = viewOf(bytes);
    let end = at;
    for (let row = 0; row < count; row++) end += 4 + view.getUint32(end, true);
    if (end > bytes.length) throw new Error('a value of a page is longer than the page');
  }
}

/** Walks over deltas of integers (DELTA_BINARY_PACKED); says where they end, and their sums if those are lengths. */
function deltasIn(bytes: Uint8Array, start: number, count: number, areLengths: boolean) {
  let at = start;
  const varint = () => {
    const { value, next } = varintAt(bytes, at);
    at = next;
    return value;
  };
  const signed = () => {
    const value = varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const [blockCount, miniblocks, total] = [varint(), varint(), varint()];
  const perMiniblock = blockCount / miniblocks;
  if (blockCount === 0 || blockCount > BLOCK_LIMIT || !Number.isInteger(perMiniblock) || perMiniblock % 32 !== 0)
    throw new Error('deltas of a page have blocks of no size');
  if (total !== count) throw new Error('deltas of a page are of another number of values');
  const lengths = new Int32Array(areLengths ? count : 1);
  let value = signed();
  lengths[0] = value;
  for (let seen = 1; seen < count; ) {
    const least = signed();
    const widths = bytes.subarray(at, (at += miniblocks));
    for (const width of widths) {
      if (seen >= count) break; // a miniblock without values has no bytes
      if (width > 64) throw new Error('deltas of a page have too many bits');
      const last = Math.min(count, seen + perMiniblock);
      for (let index = 0; areLengths && seen + index < last; index++)
        lengths[seen + index] = value += least + bitsAt(bytes, at, index * width, width);
      seen = last;
      at += (perMiniblock * width) / 8;
    }
    if (at > bytes.length + perMiniblock * 8) throw new Error('deltas of a page are longer than the page');
  }
  return { next: at, lengths };
}

/** Values of a block: writers have 128 and more. */
const BLOCK_LIMIT = 1 << 16;

/** Each value begins as the one before it does: with no more bytes than that has. */
function mustHavePrefixes(bytes: Uint8Array, start: number, count: number): void {
  const prefixes = deltasIn(bytes, start, count, true);
  const suffixes = deltasIn(bytes, prefixes.next, count, true);
  let [before, total] = [0, 0];
  for (let row = 0; row < count; row++) {
    const [prefix, suffix] = [prefixes.lengths[row]!, suffixes.lengths[row]!];
    if (prefix < 0 || prefix > before || suffix < 0 || suffix > bytes.length)
      throw new Error('a value of a page repeats more than there is');
    before = prefix + suffix;
    total += before;
  }
  if (total > VALUES_LIMIT) throw new Error(`a page has ${total} bytes in values that repeat each other`);
}

/** Bytes of the values of a page: each may repeat all of the one before it, and nearly nothing be stored. */
const VALUES_LIMIT = 1 << 28;

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
