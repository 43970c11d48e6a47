import { eachLine } from './each-line.ts';
import type { Rows, RowVisitor, Values } from './framing.ts';

type ValueVisitor = (bytes: Uint8Array, ...bounds: Parameters<RowVisitor>) => boolean | void;

/** Calls `visit` with the bytes in which each value lies and its bounds there, until it returns false. */
export function eachValue(values: Values, visit: ValueVisitor): void {
  if ('lines' in values) return eachLine(values.lines, (start, end, row) => visit(values.lines, start, end, row));
  const { bytes, offsets } = values;
  for (let row = 0; row + 1 < offsets.length; row++) {
    if (visit(bytes, offsets[row]!, offsets[row + 1]!, row) === false) return;
  }
}

/** What stands in place of a row's value: of a malformed row, all of it. `start` and `end` are the row's own bounds. */
export function givenIn(rows: Rows, row: number, start: number, end: number): Uint8Array {
  const given = givenBounds(rows, row, start, end);
  return given.bytes.subarray(given.start, given.end);
}

/** The same without a view: bytes [start, end) of `bytes`. */
export function givenBounds({ bytes, values, malformed }: Rows, row: number, start: number, end: number) {
  if ('lines' in values || malformed.has(row)) return { bytes, start, end };
  return { bytes: values.bytes, start: values.offsets[row]!, end: values.offsets[row + 1]! };
}
