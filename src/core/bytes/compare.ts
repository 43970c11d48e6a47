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
