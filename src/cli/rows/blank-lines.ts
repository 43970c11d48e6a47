import { CARRIAGE_RETURN, SPACE, TAB } from '../../bytes/code-points.ts';
import { eachLine } from './each-line.ts';

/** Is there nothing but spaces, tabs and carriage returns in bytes [start, end)? */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === CARRIAGE_RETURN)) at++;
  return at === end;
}

/** The lines of a block that are not blank, and the numbers of those that are. */
export function withoutBlankLines(
  block: Uint8Array,
  lineEnd: number,
): { readonly bytes: Uint8Array; readonly skipped: readonly number[] } {
  const skipped: number[] = [];
  const kept = new Uint8Array(block.length);
  let length = 0;
  const keep = (start: number, end: number, row: number) => {
    if (isBlank(block, start, end)) return void skipped.push(row);
    const found = block.indexOf(lineEnd, end);
    const line = block.subarray(start, found === -1 ? block.length : found + 1);
    kept.set(line, length);
    length += line.length;
  };
  eachLine(block, keep, lineEnd);
  return { bytes: skipped.length === 0 ? block : kept.subarray(0, length), skipped };
}
