import { type HashColumn, type Options, UrlHasher } from '../../src/index.ts';

/** Lines hashed at a time: a few milliseconds, so that typing is never kept waiting. */
const SLICE_LINES = 1000;

/** How far the counting is. */
export interface Totals {
  readonly countedLines: number;
  readonly invalidLines: number;
}

/** Hashes lines slice by slice and counts those that are not URLs; a new call ends the one before. */
export class LineTotals {
  readonly #tell: (totals: Totals) => void;
  #columns: HashColumn[] = [];
  #timer: number | undefined;

  constructor(tell: (totals: Totals) => void) {
    this.#tell = tell;
  }

  /** Tells of the first slice at once. */
  count(lines: readonly string[], options: Options): void {
    clearTimeout(this.#timer);
    this.#columns = [];
    this.#addSlice(new UrlHasher(options), lines, 0, 0);
  }

  /** All lines' hashes as the command writes them in hex, as far as they are known. */
  hex(): string {
    return this.#columns
      .flatMap((column) => Array.from({ length: column.length }, (_, row) => `${column.hex(row) ?? ''}\n`))
      .join('');
  }

  #addSlice(hasher: UrlHasher, lines: readonly string[], start: number, invalidBefore: number): void {
    const end = Math.min(lines.length, start + SLICE_LINES);
    const column = hasher.hashMany(lines.slice(start, end));
    const invalidLines = invalidBefore + column.invalid.length;
    this.#columns.push(column);
    this.#tell({ countedLines: end, invalidLines });
    if (end < lines.length)
      this.#timer = setTimeout(() => this.#addSlice(hasher, lines, end, invalidLines)) as unknown as number;
  }
}
