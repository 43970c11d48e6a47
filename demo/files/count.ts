import { explain } from '../../src/explain/index.ts';
import type { HashColumn } from '../../src/index.ts';
import type { FileProgress, InvalidLine } from './message.ts';

const INTERVAL_MS = 100;
const SHOWN_INVALID = 20;
const SHOWN_UNITS = 300;

/** Counts what goes by, tells of it now and then, and keeps the first invalid lines. */
export class FileCount {
  readonly invalid: InvalidLine[] = [];
  readonly #tell: (progress: FileProgress) => void;
  readonly #start = performance.now();
  #toldAt = performance.now();
  #fileBytes = 0;
  #textBytes = 0;
  #lines = 0;
  #invalidCount = 0;

  constructor(tell: (progress: FileProgress) => void) {
    this.#tell = tell;
  }

  get progress(): FileProgress {
    return {
      fileBytes: this.#fileBytes,
      textBytes: this.#textBytes,
      lines: this.#lines,
      invalidCount: this.#invalidCount,
      elapsedMs: performance.now() - this.#start,
    };
  }

  addFileBytes(byteLength: number): void {
    this.#fileBytes += byteLength;
  }

  addTextBytes(byteLength: number): void {
    this.#textBytes += byteLength;
  }

  addColumn(column: HashColumn): void {
    for (const row of column.invalid.subarray(0, SHOWN_INVALID - this.invalid.length)) {
      const { input } = column.errorAt(row)!;
      const sentence = explain(input).failure?.sentence ?? '';
      this.invalid.push({ line: this.#lines + row + 1, input: input.slice(0, SHOWN_UNITS), sentence });
    }
    this.#lines += column.length;
    this.#invalidCount += column.invalid.length;
    const now = performance.now();
    if (now - this.#toldAt < INTERVAL_MS) return;
    this.#toldAt = now;
    this.#tell(this.progress);
  }
}
