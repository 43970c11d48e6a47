export function areSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Compares bytes [start, end) with [otherStart, otherEnd): negative, zero or positive. */
export function compareBytes(
  left: Uint8Array,
  start: number,
  end: number,
  right: Uint8Array,
  otherStart: number,
  otherEnd: number,
): number {
  const common = Math.min(end - start, otherEnd - otherStart);
  for (let at = 0; at < common; at++) {
    const difference = left[start + at]! - right[otherStart + at]!;
    if (difference !== 0) return difference;
  }
  return end - start - (otherEnd - otherStart);
}

/** Returns the index of `value` in ascending `values`, or -1. */
export function indexOfSorted(values: Uint32Array, value: number): number {
  const index = indexOfLeast(values, value);
  return values[index] === value ? index : -1;
}

/** Returns the index of the first of ascending `values` that is not less than `least`, or their number. */
export function indexOfLeast(values: Uint32Array, least: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
