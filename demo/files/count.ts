import { decodeLine } from '../../src/core/bytes/text.ts';
import { explain } from '../../src/entries/explain.ts';
import type { HashedBlock } from './hashed-block.ts';
import type { BadRow, FileProgress } from './message.ts';

const INTERVAL_MS = 100;
const SHOWN_BAD_ROWS = 20;
const SHOWN_UNITS = 300;

/** Counts what goes by, tells of it now and then, and keeps the first bad rows. */
export class FileCount {
  readonly badRows: BadRow[] = [];
  readonly #tell: (progress: FileProgress) => void;
  readonly #base: string;
  readonly #start = performance.now();
  #toldAt = performance.now();
  #fileBytes = 0;
  #textBytes = 0;
  #rows = 0;
  #badCount = 0;

  constructor(base: string, tell: (progress: FileProgress) => void) {
    this.#base = base;
    this.#tell = tell;
  }

  get progress(): FileProgress {
    return {
      fileBytes: this.#fileBytes,
      textBytes: this.#textBytes,
      rows: this.#rows,
      badCount: this.#badCount,
      elapsedMs: performance.now() - this.#start,
    };
  }

  addFileBytes(byteLength: number): void {
    this.#fileBytes += byteLength;
  }

  addBlock(block: HashedBlock): void {
    this.badRows.push(...badRowsOf(block, this.#base, SHOWN_BAD_ROWS - this.badRows.length));
    this.#textBytes += block.bytes.length;
    this.#rows += block.column.length;
    this.#badCount += block.column.invalid.length;
    const now = performance.now();
    if (now - this.#toldAt < INTERVAL_MS) return;
    this.#toldAt = now;
    this.#tell(this.progress);
  }
}

/** The first bad rows of a block, at most so many. */
export function badRowsOf(block: HashedBlock, base: string, limit: number): BadRow[] {
  const { bytes, starts, ends, column, malformed, rowsBefore } = block;
  return Array.from(column.invalid.subarray(0, limit), (row) => {
    const problem = malformed.get(row);
    const input =
      problem === undefined ? column.errorAt(row)!.input : decodeLine(bytes.subarray(starts[row], ends[row]));
    const sentence = problem ?? explain(input, base === '' ? {} : { base }).failure?.sentence ?? '';
    return { row: rowsBefore + row + 1, input: input.slice(0, SHOWN_UNITS), sentence };
  });
}
