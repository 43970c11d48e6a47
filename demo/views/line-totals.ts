import { type HashColumn, type Options, UrlHasher } from '../../src/index.ts';

/** Lines hashed at a time: a few milliseconds, so that typing is never kept waiting. */
const SLICE_LINES = 1000;

/** How far the counting is. */
export interface Totals {
  readonly countedLines: number;
  readonly invalidLines: number;
  readonly keyCount: number;
}

/** Hashes lines slice by slice and counts those that are not URLs; a new call ends the one before. */
export class LineTotals {
  readonly #tell: (totals: Totals) => void;
  #columns: HashColumn[] = [];
  /** The first line of each key, by its first eight bytes. */
  readonly #firstLines = new Map<bigint, number>();
  #timer: number | undefined;

  constructor(tell: (totals: Totals) => void) {
    this.#tell = tell;
  }

  /** Tells of the first slice at once. */
  count(lines: readonly string[], options: Options): void {
    clearTimeout(this.#timer);
    this.#columns = [];
    this.#firstLines.clear();
    this.#addSlice(new UrlHasher(options), lines, 0, 0);
  }

  /** All lines' hashes as the command writes them in hex, as far as they are known. */
  hex(): string {
    return this.#columns
      .flatMap((column) => Array.from({ length: column.length }, (_, row) => `${column.hex(row) ?? ''}\n`))
      .join('');
  }

  /** Did an earlier line have this hash, as far as is known? */
  isRepeated(line: number, hash: string): boolean {
    return (this.#firstLines.get(BigInt(`0x${hash.slice(0, 16)}`)) ?? line) < line;
  }

  #addKeys(column: HashColumn, start: number): void {
    const view = new DataView(column.bytes.buffer, column.bytes.byteOffset);
    for (let row = 0; row < column.length; row++) {
      const key = view.getBigUint64(row * column.width);
      if (key !== 0n && !this.#firstLines.has(key)) this.#firstLines.set(key, start + row); // 0: not a URL
    }
  }

  #addSlice(hasher: UrlHasher, lines: readonly string[], start: number, invalidBefore: number): void {
    const end = Math.min(lines.length, start + SLICE_LINES);
    const column = hasher.hashMany(lines.slice(start, end));
    const invalidLines = invalidBefore + column.invalid.length;
    this.#columns.push(column);
    this.#addKeys(column, start);
    this.#tell({ countedLines: end, invalidLines, keyCount: this.#firstLines.size });
    if (end < lines.length)
      this.#timer = setTimeout(() => this.#addSlice(hasher, lines, end, invalidLines)) as unknown as number;
  }
}
