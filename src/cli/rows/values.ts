import { eachLine } from './each-row.ts';
import type { Rows, RowVisitor, Values } from './framing.ts';

/** Calls `visit` with the bytes in which each value lies and its bounds, until it returns false. */
export function eachValue(
  values: Values,
  visit: (bytes: Uint8Array, ...row: Parameters<RowVisitor>) => boolean | void,
) {
  if ('lines' in values) {
    return eachLine(values.lines, (start, end, row) => visit(values.lines, start, end, row), values.lineEnd);
  }
  const { bytes, offsets } = values;
  for (let row = 0; row + 1 < offsets.length; row++) {
    if (visit(bytes, offsets[row]!, offsets[row + 1]!, row) === false) return;
  }
}

/** What stands in place of a row's value: of a malformed row, all of it. `start` and `end` are the row's own bounds. */
export function givenIn({ bytes, values, malformed }: Rows, row: number, start: number, end: number): Uint8Array {
  if ('lines' in values || malformed.has(row)) return bytes.subarray(start, end);
  return values.bytes.subarray(values.offsets[row], values.offsets[row + 1]);
}
