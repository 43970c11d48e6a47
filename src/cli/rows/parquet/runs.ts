// Runs of repeated values and of packed ones: the RLE/bit-packing hybrid, in which levels and indices are.
// https://parquet.apache.org/docs/file-format/data-pages/encodings/

/** The values from `first` up to `next`: one that is repeated, or packed ones from the place `at` on. */
type VisitRun = (first: number, next: number, at: number, isPacked: boolean) => void;

/** The width that an index has where its page ends before it. */
export const NO_WIDTH = 255;

/** Walks over runs until there are `count` values. */
export function walkRuns(bytes: Uint8Array, start: number, width: number, count: number, visit?: VisitRun): void {
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

/** Packed values come in groups of eight, and some writers fill up a run of groups. */
const PADDING_VALUES = 512;

/** Reads levels up to `max`. */
export function levelsIn(bytes: Uint8Array, max: number, count: number): Uint8Array {
  const levels = new Uint8Array(count);
  readRuns(bytes, 0, 32 - Math.clz32(max), levels);
  return levels;
}

/** Counts the rows with a value: those of the highest level. */
export function presentCount(rowCount: number, maxDefinition: number, levels: Uint8Array | undefined): number {
  if (levels === undefined) return rowCount;
  let count = 0;
  for (const level of levels) if (level === maxDefinition) count++;
  return count;
}

/** The index of a row without a value. */
export const NO_INDEX = 0xffffffff;

/** Reads the indices of values in a dictionary, after a byte with their width: NO_INDEX for rows without a value. */
export function indicesIn(
  bytes: Uint8Array,
  rowCount: number,
  maxDefinition: number,
  levels: Uint8Array | undefined,
): Uint32Array {
  const count = presentCount(rowCount, maxDefinition, levels);
  const indices = new Uint32Array(count);
  const width = bytes[0] ?? NO_WIDTH;
  if (width > 0 && count > 0) readRuns(bytes, 1, width, indices);
  if (count === rowCount) return indices;
  let next = 0;
  return Uint32Array.from(levels!, (level) => (level === maxDefinition ? indices[next++]! : NO_INDEX));
}

function readRuns(bytes: Uint8Array, start: number, width: number, values: Uint8Array | Uint32Array): void {
  const valueAt = width <= SHORT_BITS ? shortBitsAt : bitsAt;
  walkRuns(bytes, start, width, values.length, (first, next, at, isPacked) => {
    if (at + Math.ceil(isPacked ? ((next - first) * width) / 8 : width / 8) > bytes.length)
      throw new Error('a run of a page is longer than the page');
    if (!isPacked) values.fill(bitsAt(bytes, at, 0, 8 * Math.ceil(width / 8)), first, next);
    else
      for (let index = first; index < next; index++) values[index] = valueAt(bytes, at, (index - first) * width, width);
  });
}

/** Bits that lie in four bytes, wherever they begin. */
const SHORT_BITS = 25;

/** Bytes after the end are undefined, which counts as 0. */
function shortBitsAt(bytes: Uint8Array, start: number, bit: number, width: number): number {
  const at = start + (bit >> 3);
  const four = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  return (four >>> (bit & 7)) & ((1 << width) - 1);
}

export function bitsAt(bytes: Uint8Array, start: number, bit: number, width: number): number {
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

export function varintAt(bytes: Uint8Array, start: number): { readonly value: number; readonly next: number } {
  let [value, factor] = [0, 1];
  for (let at = start; at < Math.min(bytes.length, start + 10); factor *= 128) {
    const byte = bytes[at++]!;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next: at };
  }
  throw new Error('a number of a page has no end');
}
