import { LINE_FEED } from '../bytes/code-points.ts';
import type { ExpressionBatch } from './batch.ts';
import { positionOf } from './bytes.ts';
import type { SafeBrowsingFailure } from './failure.ts';
import { InputBytes } from './input.ts';

/** Strings, and UTF-16 units, that are brought into memory at once: one join and one encodeInto for all of them. */
export const STRINGS_LIMIT = 256;
export const UNITS_LIMIT = 32 * 1024;

/** Gets each string's number of expressions, or why it has none. */
type Visit = (added: number | SafeBrowsingFailure, input: string) => void;

/** Adds strings to a batch, at most UNITS_LIMIT units of them. */
export function addStrings(batch: ExpressionBatch, strings: readonly string[], visit: Visit): void {
  const input = new InputBytes();
  const text = strings.join('\n');
  batch.addFrom(text, (bytes, start, end) => {
    const isAscii = end - start === text.length;
    if (!isAscii && lineFeedCount(bytes, start, end) !== strings.length - 1)
      return addSingly(batch, strings, input, visit);
    for (let index = 0, at = start; index < strings.length; index++) {
      const string = strings[index]!;
      const stop = isAscii ? at + string.length : positionOf(LINE_FEED, bytes, at, end);
      input.setBytes(bytes, at, stop);
      visit(batch.add(bytes, input.start, stop), string);
      at = stop + 1;
    }
  });
}

/** For strings beyond ASCII of which one holds a line feed: they are not lines of the joined text. */
function addSingly(batch: ExpressionBatch, strings: readonly string[], input: InputBytes, visit: Visit): void {
  for (const string of strings) {
    input.set(string);
    visit(batch.add(input.bytes, input.start, input.end), string);
  }
}

function lineFeedCount(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) count += bytes[at] === LINE_FEED ? 1 : 0;
  return count;
}
