import { fstatSync, readSync } from 'node:fs';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { withoutByteOrderMark } from '../../core/bytes/text.ts';
import { readWhole } from '../whole.ts';

/** Bytes read at a time in search of a line feed: nearly every line is shorter. */
const SEARCHED_BYTES = 1 << 12;

/** Ranges differ by about a line: with this much to spare, a buffer rarely has to grow. */
const SPARE_BYTES = 1 << 16;

/** Whether the threads of a process have its open files: Deno numbers those of each thread from the start. */
export const SHARES_DESCRIPTORS = !('Deno' in globalThis);

/** Bytes [start, end) of a file. */
export interface Range {
  /** One for all ranges: under its name there may be another file a moment later. */
  readonly descriptor: number;
  readonly start: number;
  readonly end: number;
}

/** Yields ranges of `rangeBytes` that cover a file, in order. */
export function* rangesOf(descriptor: number, byteLength: number, rangeBytes: number): Generator<Range> {
  for (let start = 0; start < byteLength; start += rangeBytes) {
    yield { descriptor, start, end: Math.min(start + rangeBytes, byteLength) };
  }
}

/** Reads ranges into reused memory: touching fresh memory for each range took a quarter of the time. */
export class RangeReader {
  #bytes = new Uint8Array(0);

  /**
   * Returns the lines of a file that begin in a range, whole: the last may go on after the range's end. Ranges that
   * cover a file share out its lines, each to one of them, without a look at the file beforehand; the byte order mark
   * at its start is left out. The bytes are valid until the next call.
   *
   * @throws what reading throws, and an Error where the file ends before the range does
   */
  lines({ descriptor, start, end }: Range): Uint8Array {
    const lines = this.#linesIn(descriptor, start, end);
    if (fstatSync(descriptor).size < end) throw new Error('it became shorter while it was read');
    return start === 0 ? withoutByteOrderMark(lines) : lines;
  }

  #linesIn(file: number, start: number, end: number): Uint8Array {
    const first = start === 0 ? 0 : afterLineFeed(file, start - 1, end);
    if (first >= end) return new Uint8Array(0);
    return this.#read(file, first, afterLineFeed(file, end - 1, Number.POSITIVE_INFINITY));
  }

  #read(file: number, start: number, end: number): Uint8Array {
    const byteLength = end - start;
    if (this.#bytes.length < byteLength) this.#bytes = new Uint8Array(byteLength + SPARE_BYTES);
    const lines = this.#bytes.subarray(0, byteLength);
    return lines.subarray(0, readWhole(file, lines, start));
  }
}

/** Returns the position after the first line feed in [from, limit), or else the limit or the file's end. */
function afterLineFeed(file: number, from: number, limit: number): number {
  const bytes = new Uint8Array(SEARCHED_BYTES);
  for (let at = from; at < limit; ) {
    const length = readSync(file, bytes, 0, Math.min(SEARCHED_BYTES, limit - at), at);
    const feed = bytes.subarray(0, length).indexOf(LINE_FEED);
    if (feed !== -1) return at + feed + 1;
    if (length === 0) return at;
    at += length;
  }
  return limit;
}
