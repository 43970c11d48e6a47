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
