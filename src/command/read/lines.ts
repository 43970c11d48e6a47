import { foundLines } from '../../core/bulk/hash-rows.ts';
import { CARRIAGE_RETURN, SPACE, TAB } from '../../core/bytes/code-points.ts';
import { cutterAfter, type Spans } from '../../core/bytes/lines.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { copiedRows, OMITTED, plainBatch, VALUE } from './batch.ts';
import type { Framing } from './framing.ts';
import { isLinesOfUrls, TEXT_START_BYTES } from './text-kind.ts';

export const NUL = 0x00;

export interface LineOptions {
  /** Line feed, NUL, or any other byte. */
  readonly lineEnd: number;
  readonly skipsBlank: boolean;
  /** The kernel that finds lines, in its memory: it takes some 5 ns per line, `indexOf` 60. */
  readonly kernel: Kernel;
}

/** Rows are lines ending in LF or CR LF, or texts ending in NUL that may contain LF. Each row is its own value. */
export function linesEndingIn({ kernel, lineEnd, skipsBlank }: LineOptions): Framing {
  return {
    cutter: () => cutterAfter(lineEnd),
    *batches(block) {
      let firstNumber = 0;
      for (let at = 0; at < block.length; ) {
        const { lines, rowCount, next } = foundLines(kernel, block, at, lineEnd);
        const values = lines.bytes === block ? copiedRows(kernel, lines, rowCount) : lines;
        yield plainBatch(firstNumber, rowCount, values, skipsBlank ? blankKinds(values, rowCount) : undefined);
        firstNumber += rowCount;
        at = next;
      }
    },
  };
}

function blankKinds({ bytes, starts, ends }: Spans, length: number): Uint8Array {
  const kinds = new Uint8Array(length);
  for (let row = 0; row < length; row++) kinds[row] = isBlank(bytes, starts[row]!, ends[row]!) ? OMITTED : VALUE;
  return kinds;
}

/** Whether bytes [start, end) are all spaces, tabs and carriage returns. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === CARRIAGE_RETURN)) at++;
  return at === end;
}

/** Lines of URLs. Other kinds of text, and lines that end in another way, are refused before any row is written. */
export function urlLines(lines: Framing, lineEnd: number, mayHaveTabs: boolean): Framing {
  return withKnownStart(lines, (start) => {
    const hasFirstLine = start.length >= TEXT_START_BYTES || start.includes(lineEnd);
    return isLinesOfUrls(start, lineEnd, mayHaveTabs) && hasFirstLine;
  });
}

/** Cuts nothing off an input until `isKnown` has seen enough of its start to accept it; it throws what it refuses. */
export function withKnownStart(lines: Framing, isKnown: (start: Uint8Array) => boolean): Framing {
  return {
    ...lines,
    cutter() {
      const endOf = lines.cutter();
      let isChecked = false;
      return (bytes, from) => {
        if (isChecked) return endOf(bytes, from);
        isChecked = isKnown(bytes);
        return isChecked ? endOf(bytes, 0) : 0;
      };
    },
  };
}
