import { ROW_CAPACITY, TEXT } from '../../../assembly/layout.ts';
import { BATCH_BYTES, copyLines } from '../../core/bulk/hash-rows.ts';
import { CARRIAGE_RETURN, SPACE, TAB } from '../../core/bytes/code-points.ts';
import { type Bounds, cutterAfter, endOfLines, type Spans, withoutReturn } from '../../core/bytes/lines.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { OMITTED, plainBatch, VALUE } from './batch.ts';
import type { Framing } from './framing.ts';
import { isLinesOfUrls, TEXT_START_BYTES } from './text-kind.ts';

export const NUL = 0x00;

export interface LineOptions {
  /** Line feed, NUL, or any other byte. */
  readonly lineEnd: number;
  readonly skipsBlank: boolean;
  /** The kernel that finds lines, in its memory: it takes some 5 ns per line, `indexOf` 60. */
  readonly kernel: Kernel;
  /** Whether the stage works in that memory. Otherwise rows are lines of the block, and the stage may write over it. */
  readonly isInMemory: boolean;
}

/** Rows are lines ending in LF or CR LF, or texts ending in NUL that may contain LF. Each row is its own value. */
export function linesEndingIn(options: LineOptions): Framing {
  const { lineEnd, skipsBlank } = options;
  const finder = new LineFinder(options);
  return {
    cutter: () => cutterAfter(lineEnd),
    *batches(block) {
      let firstNumber = 0;
      for (let at = 0; at < block.length; at = finder.next) {
        const { lines, length } = finder.find(block, at);
        yield plainBatch(firstNumber, length, lines, skipsBlank ? blankKinds(lines, length) : undefined);
        firstNumber += length;
      }
    },
  };
}

/** Finds the lines of a block from `start` on, as many as make a batch, up to the place `next`. */
class LineFinder {
  next = 0;
  readonly #kernel: Kernel;
  readonly #lineEnd: number;
  /** Bounds of the lines in the block, unless the stage works in the kernel's memory. */
  readonly #bounds: Bounds | undefined;

  constructor({ kernel, lineEnd, isInMemory }: LineOptions) {
    this.#kernel = kernel;
    this.#lineEnd = lineEnd;
    if (!isInMemory) this.#bounds = { starts: new Uint32Array(ROW_CAPACITY), ends: new Uint32Array(ROW_CAPACITY) };
  }

  find(block: Uint8Array, start: number): { readonly lines: Spans; readonly length: number } {
    const { memory } = this.#kernel;
    const length = copyLines(this.#kernel, block, start, this.#lineEnd);
    if (length === 0) return this.#longLine(block, start);
    this.next = Math.min(block.length, start + memory.scannedEnd - TEXT);
    const { bytes, rowStarts, rowEnds } = memory;
    if (this.#bounds === undefined) return { lines: { bytes, starts: rowStarts, ends: rowEnds }, length };
    const { starts, ends } = this.#bounds;
    for (let row = 0; row < length; row++) {
      starts[row] = rowStarts[row]! - TEXT + start;
      ends[row] = rowEnds[row]! - TEXT + start;
    }
    return { lines: { bytes: block, starts, ends }, length };
  }

  /** Finds a line that is longer than a batch, which stays in the block. */
  #longLine(block: Uint8Array, start: number) {
    this.next = endOfLines(block, start, BATCH_BYTES, this.#lineEnd);
    const isEnded = block[this.next - 1] === this.#lineEnd;
    const end = isEnded ? withoutReturn(block, start, this.next - 1, this.#lineEnd) : this.next;
    return { lines: { bytes: block, starts: Uint32Array.of(start), ends: Uint32Array.of(end) }, length: 1 };
  }
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
export function urlLines(lines: Framing, lineEnd: number): Framing {
  return withKnownStart(lines, (start) => {
    const hasFirstLine = start.length >= TEXT_START_BYTES || start.includes(lineEnd);
    return isLinesOfUrls(start, lineEnd) && hasFirstLine ? true : undefined;
  });
}

/** Cuts nothing off an input until `isKnown` has seen enough of its start to accept it; it throws what it refuses. */
export function withKnownStart(lines: Framing, isKnown: (start: Uint8Array) => true | undefined): Framing {
  return {
    ...lines,
    cutter() {
      const endOf = lines.cutter();
      let isChecked = false;
      return (bytes, from) => {
        if (isChecked) return endOf(bytes, from);
        isChecked = isKnown(bytes) === true;
        return isChecked ? endOf(bytes, 0) : 0;
      };
    },
  };
}
