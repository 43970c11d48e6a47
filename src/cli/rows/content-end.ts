import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';

/** The end of a record without its LF or CR LF; at the end of the input a CR stands for them too. */
export function contentEnd(bytes: Uint8Array, start: number, end: number): number {
  const withoutFeed = end > start && bytes[end - 1] === LINE_FEED ? end - 1 : end;
  return withoutFeed > start && bytes[withoutFeed - 1] === CARRIAGE_RETURN ? withoutFeed - 1 : withoutFeed;
}

/** A line without the carriage returns at its end: a line feed written after one would make it part of the line end. */
export function withoutReturns(line: Uint8Array): Uint8Array {
  let end = line.length;
  while (end > 0 && line[end - 1] === CARRIAGE_RETURN) end--;
  return line.subarray(0, end);
}
