import { DIGESTS, LINES, LINES_BYTES, ROW_CAPACITY, STOPPED, SUMS } from '../../../assembly/text-lines/layout.ts';
import sums from '../../../build/text-lines.hex';
import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import { bytesOfHex } from '../../bytes/hex.ts';
import type { HashColumn } from '../../digest/column.ts';
import type { OnError } from '../rows/on-error.ts';
import { ByteWriter } from '../stage/byte-writer.ts';
import type { HashedRows } from '../stage/hashes.ts';
import { RowByRow } from './format.ts';
import { hex, text } from './row-formats.ts';

const NONE: readonly number[] = [];

/** assembly/text-lines/index.ts */
interface Exports {
  readonly memory: WebAssembly.Memory;
  write(
    rows: number,
    digest: number,
    width: number,
    line: number,
    linesEnd: number,
    lineEnd: number,
    withLine: boolean,
    to: number,
  ): number;
}

/** The formats `text` and `hex`, written by WebAssembly a block at a time: 100 ns a line, where row by row they took 360. */
export class WholeLines extends RowByRow<HashedRows> {
  readonly #write: Exports['write'];
  readonly #memory: Uint8Array;
  readonly #stopped: Uint32Array;
  readonly #writer = new ByteWriter();
  readonly #withLine: boolean;
  readonly #lineEnd: number;

  /** @throws where the host runs no SIMD */
  constructor(format: 'text' | 'hex', lineEnd: number) {
    super(format === 'text' ? text : hex, lineEnd);
    const { memory, write } = new WebAssembly.Instance(new WebAssembly.Module(bytesOfHex(sums)))
      .exports as unknown as Exports;
    this.#write = write;
    this.#memory = new Uint8Array(memory.buffer);
    this.#stopped = new Uint32Array(memory.buffer, STOPPED, 2);
    this.#withLine = format === 'text';
    this.#lineEnd = lineEnd;
  }

  block({ rows, column }: HashedRows, onError: OnError): Uint8Array | undefined {
    const pieces = this.#pieces(rows.bytes);
    if (pieces === undefined) return undefined;
    const invalid = onError === 'keep' ? NONE : column.invalid;
    let [row, nextInvalid] = [0, 0];
    for (const piece of pieces) {
      const linesEnd = this.#bringIn(piece);
      for (let line = LINES; line < linesEnd; line = this.#nextLine) {
        if (invalid[nextInvalid] !== row) {
          row += this.#writeRows(line, linesEnd, column, row, invalid[nextInvalid] ?? column.length);
        } else if (onError === 'fail') {
          return this.#writer.take();
        } else {
          this.#writeInvalid(line, linesEnd, onError);
          row++;
          nextInvalid++;
        }
      }
    }
    return this.#writer.take();
  }

  /** Whole lines that fit in memory together; undefined where one alone does not, or where the last ends in a CR that is part of it. */
  #pieces(bytes: Uint8Array): Uint8Array[] | undefined {
    if (this.#lineEnd === LINE_FEED && bytes[bytes.length - 1] === CARRIAGE_RETURN) return undefined;
    const pieces: Uint8Array[] = [];
    for (let start = 0, end = 0; start < bytes.length; start = end) {
      end =
        bytes.length - start <= LINES_BYTES
          ? bytes.length
          : bytes.lastIndexOf(this.#lineEnd, start + LINES_BYTES - 1) + 1;
      if (end <= start) return undefined;
      pieces.push(bytes.subarray(start, end));
    }
    return pieces;
  }

  /** Copies lines to LINES, ends the last one where it lacks its line end, and returns their end. */
  #bringIn(lines: Uint8Array): number {
    this.#memory.set(lines, LINES);
    const end = LINES + lines.length;
    if (lines[lines.length - 1] === this.#lineEnd) return end;
    this.#memory[end] = this.#lineEnd;
    return end + 1;
  }

  /** Writes the valid rows [row, endRow) as far as there is room and there are lines, and returns how many. */
  #writeRows(line: number, linesEnd: number, { bytes, width }: HashColumn, row: number, endRow: number): number {
    const count = Math.min(endRow - row, ROW_CAPACITY);
    this.#memory.set(bytes.subarray(row * width, (row + count) * width), DIGESTS);
    const end = this.#write(count, DIGESTS, width, line, linesEnd, this.#lineEnd, this.#withLine, SUMS);
    this.#writer.bytes(this.#memory, SUMS, end);
    return count - this.#rowsLeft;
  }

  /** An invalid row has no digits, and may be left out. */
  #writeInvalid(line: number, linesEnd: number, onError: OnError): void {
    const end = this.#write(1, DIGESTS, 0, line, linesEnd, this.#lineEnd, this.#withLine, SUMS);
    if (onError !== 'skip') this.#writer.bytes(this.#memory, SUMS, end);
  }

  /** Where the module stopped. */
  get #nextLine(): number {
    return this.#stopped[0]!;
  }

  /** Of the rows it was to write. */
  get #rowsLeft(): number {
    return this.#stopped[1]!;
  }
}
