import type { Encoding, ParquetType } from 'hyparquet';

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

/** Where the values of a page begin, and the definition levels before them; undefined if none can be null. */
export interface PageLayout {
  readonly valuesStart: number;
  readonly levels: Uint8Array | undefined;
}

/** @throws where decoding the page would take more than its size allows */
export function checkedLayout(page: DataPage, leaf: LeafForm): PageLayout {
  const { bytes, valueCount } = page;
  const view = viewOf(bytes);
  let at = 0;
  let levels: Uint8Array | undefined;
  for (const max of [leaf.maxRepetition, leaf.maxDefinition].filter((max) => max > 0)) {
    const end = at + 4 + view.getUint32(at, true);
    if (end > bytes.length) throw new Error('the levels of a page are longer than the page');
    levels = levelsIn(bytes.subarray(0, end), at + 4, 32 - Math.clz32(max), valueCount);
    at = end;
  }
  if (leaf.maxDefinition === 0) levels = undefined;
  const presentCount = levels?.reduce((count, level) => count + (level === leaf.maxDefinition ? 1 : 0), 0);
  mustHoldValues(page, leaf, at, presentCount ?? valueCount);
  return { valuesStart: at, levels };
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

const NO_WIDTH = 255;

/** The values from `first` up to `next`: one that is repeated, or packed ones from the place `at` on. */
type VisitRun = (first: number, next: number, at: number, isPacked: boolean) => void;

/** Walks over runs of repeated values and of packed ones (the RLE/bit-packing hybrid) until there are `count`. */
function walkRuns(bytes: Uint8Array, start: number, width: number, count: number, visit?: VisitRun): void {
  if (width > 32) throw new Error('values of a page have too many bits');
  let at = start;
  for (let seen = 0; seen < count; ) {
    const head = varintAt(bytes, at);
    at = head.next;
    const isPacked = head.value % 2 === 1;
    const runCount = isPacked ? 4 * (head.value - 1) : head.value / 2;
    if (runCount > count - seen + (isPacked ? PADDING_VALUES : 0))
      throw new Error('a run of a page has too many values');
    visit?.(seen, Math.min(count, seen + runCount), at, isPacked);
    at += isPacked ? (runCount / 8) * width : Math.ceil(width / 8);
    seen += runCount;
  }
}

function levelsIn(bytes: Uint8Array, start: number, width: number, count: number): Uint8Array {
  const levels = new Uint8Array(count);
  walkRuns(bytes, start, width, count, (first, next, at, isPacked) => {
    if (!isPacked) levels.fill(bytes[at] ?? 0, first, next);
    else for (let row = first; row < next; row++) levels[row] = packedAt(bytes, at, (row - first) * width, width);
  });
  return levels;
}

/** Packed values come in groups of eight, and some writers fill up a run of groups. */
const PADDING_VALUES = 512;

/** Levels have few bits. */
function packedAt(bytes: Uint8Array, start: number, bit: number, width: number): number {
  const at = start + (bit >> 3);
  return (((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)) >> (bit & 7)) & ((1 << width) - 1);
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

function bitsAt(bytes: Uint8Array, start: number, bit: number, width: number): number {
  let [value, factor] = [0, 1];
  for (let done = 0; done < width; ) {
    const from = (bit + done) & 7;
    const taken = Math.min(8 - from, width - done);
    value += (((bytes[start + ((bit + done) >> 3)] ?? 0) >> from) & ((1 << taken) - 1)) * factor;
    factor *= 2 ** taken;
    done += taken;
  }
  return value;
}

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

function varintAt(bytes: Uint8Array, start: number): { readonly value: number; readonly next: number } {
  let [value, factor] = [0, 1];
  for (let at = start; at < Math.min(bytes.length, start + 10); factor *= 128) {
    const byte = bytes[at++]!;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next: at };
  }
  throw new Error('a number of a page has no end');
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
