import { mustBeBytes } from '../../core/argument.ts';
import { headAt, mustBePrefixWidth } from '../../specs/safe-browsing/hashes.ts';

/** Bytes of a prefix's head, as `headAt` reads it. */
export const HEAD_BYTES = 4;

/** Prefixes in ascending order of their bytes, without duplicates. */
export interface SortedPrefixes {
  /** The first four bytes of each prefix. */
  readonly heads: Uint32Array<ArrayBuffer>;
  /** The bytes after the heads, `width - 4` each, packed. */
  readonly tails: Uint8Array<ArrayBuffer>;
}

/** Sorts packed prefixes of `width` bytes, in any order, in n log n steps. */
export function sortedPrefixes(prefixes: Uint8Array, width: number): SortedPrefixes {
  if (isAscending(prefixes, width)) return split(prefixes, width);
  return width === HEAD_BYTES ? sortedHeads(prefixes) : split(reordered(prefixes, width), width);
}

/** Whether each prefix is greater than the one before it. */
export function isAscending(prefixes: Uint8Array, width: number): boolean {
  for (let at = width; at < prefixes.length; at += width) {
    if (compareAt(prefixes, at - width, prefixes, at, width) >= 0) return false;
  }
  return true;
}

function sortedHeads(prefixes: Uint8Array): SortedPrefixes {
  const heads = split(prefixes, HEAD_BYTES).heads.sort();
  let count = 0;
  for (const head of heads) if (count === 0 || heads[count - 1] !== head) heads[count++] = head;
  return { heads: heads.slice(0, count), tails: new Uint8Array(0) };
}

function split(prefixes: Uint8Array, width: number): SortedPrefixes {
  const count = prefixes.length / width;
  const tailLength = width - HEAD_BYTES;
  const heads = new Uint32Array(count);
  const tails = new Uint8Array(count * tailLength);
  for (let index = 0, at = 0; index < count; index++, at += width) {
    heads[index] = headAt(prefixes, at);
    for (let byte = 0; byte < tailLength; byte++) {
      tails[index * tailLength + byte] = prefixes[at + HEAD_BYTES + byte]!;
    }
  }
  return { heads, tails };
}

/** Sorts head and row as one 64-bit number, which takes no call per comparison. Equal heads are few. */
function reordered(prefixes: Uint8Array, width: number): Uint8Array {
  const keys = BigUint64Array.from({ length: prefixes.length / width }, (_, row) => {
    return (BigInt(headAt(prefixes, row * width)) << 32n) | BigInt(row);
  }).sort();
  const rows = new Uint32Array(keys.buffer).filter((_, index) => index % 2 === 0);
  sortEqualHeads(prefixes, width, rows);
  return withoutDuplicates(prefixes, width, rows);
}

function sortEqualHeads(prefixes: Uint8Array, width: number, rows: Uint32Array): void {
  for (let start = 0, end = 0; start < rows.length; start = end) {
    const head = headAt(prefixes, rows[start]! * width);
    do end++;
    while (end < rows.length && headAt(prefixes, rows[end]! * width) === head);
    if (end - start === 1) continue;
    rows.subarray(start, end).sort((one, other) => compareAt(prefixes, one * width, prefixes, other * width, width));
  }
}

function withoutDuplicates(prefixes: Uint8Array, width: number, rows: Uint32Array): Uint8Array {
  const kept = new Uint8Array(prefixes.length);
  let end = 0;
  for (const row of rows) {
    kept.set(prefixes.subarray(row * width, (row + 1) * width), end);
    if (end === 0 || compareAt(kept, end - width, kept, end, width) !== 0) end += width;
  }
  return kept.subarray(0, end);
}

/** Returns less than 0 if the `width` bytes at `at` come before those of `other` at `otherAt`, 0 if they are equal. */
export function compareAt(bytes: Uint8Array, at: number, other: Uint8Array, otherAt: number, width: number): number {
  for (let byte = 0; byte < width; byte++) {
    const difference = bytes[at + byte]! - other[otherAt + byte]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns the prefixes as packed bytes. */
export function packed({ heads, tails }: SortedPrefixes, width: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(heads.length * width);
  const view = new DataView(bytes.buffer);
  const tailLength = width - HEAD_BYTES;
  for (let index = 0, at = 0; index < heads.length; index++, at += width) {
    view.setUint32(at, heads[index]!);
    for (let byte = 0; byte < tailLength; byte++) bytes[at + HEAD_BYTES + byte] = tails[index * tailLength + byte]!;
  }
  return bytes;
}

/** @throws {TypeError} where they are not a Uint8Array @throws {RangeError} where `width` does not fit them */
export function mustBeWholePrefixes(prefixes: Uint8Array, width: number): void {
  mustBeBytes('prefixes', prefixes);
  mustBePrefixWidth(width);
  if (prefixes.length % width === 0) return;
  throw new RangeError(`prefixes must be whole: ${prefixes.length} bytes are not a multiple of ${width}`);
}
