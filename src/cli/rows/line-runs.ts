import { LINE_FEED } from '../../bytes/code-points.ts';
import { endOfLines } from '../../bytes/lines.ts';
import { endOfLine } from './each-line.ts';

/** A WebAssembly module that works on whole lines in its own memory, many at once. */
export interface LineModule {
  readonly memory: Uint8Array;
  /** The address of its room for lines, and the byte length of that. */
  readonly lines: number;
  readonly linesByteLength: number;
  /**
   * Takes lines from the address `line` on, each of which ends in a line feed, and returns the address of the first
   * that it leaves. `shift` makes an address a place in the block.
   */
  take(line: number, linesEnd: number, shift: number): number;
}

/**
 * Brings the lines of a block to a module, in order; gives `other` each line [start, end) of the block that it leaves.
 */
export function eachRun(block: Uint8Array, module: LineModule, other: (start: number, end: number) => void): void {
  const takeAlone = (start: number, feed: number) => other(start, endOfLine(block, start, feed));
  for (let start = 0, end = 0; start < block.length; start = end) {
    end = endOfLines(block, start, module.linesByteLength);
    const runsEnd = end - start > module.linesByteLength ? start : endOfTerminatedLines(block, start, end);
    eachRunOf(block, start, runsEnd, module, takeAlone);
    if (runsEnd < end) takeAlone(runsEnd, block[end - 1] === LINE_FEED ? end - 1 : end);
  }
}

/** Where the last of the lines [start, end) that has a line feed ends. */
function endOfTerminatedLines(block: Uint8Array, start: number, end: number): number {
  return block[end - 1] === LINE_FEED ? end : Math.max(start, block.lastIndexOf(LINE_FEED, end - 1) + 1);
}

function eachRunOf(
  block: Uint8Array,
  start: number,
  end: number,
  module: LineModule,
  takeAlone: (start: number, feed: number) => void,
): void {
  const shift = start - module.lines;
  module.memory.set(block.subarray(start, end), module.lines);
  for (let line = module.lines, linesEnd = end - shift; line < linesEnd; ) {
    const stopped = module.take(line, linesEnd, shift);
    if (stopped > line) {
      line = stopped;
    } else {
      const feed = block.indexOf(LINE_FEED, line + shift);
      takeAlone(line + shift, feed);
      line = feed + 1 - shift;
    }
  }
}
