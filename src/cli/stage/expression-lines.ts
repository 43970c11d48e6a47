import { LINES_ENDS, SPAN_ENDS, WRITTEN, WRITTEN_LENGTH } from '../../../assembly/expression-lines/layout.ts';
import { DIGESTS, ROW_CAPACITY, SPANS, TEXT } from '../../../assembly/layout.ts';
import program from '../../../build/expression-lines.hex';
import { TAB } from '../../bytes/code-points.ts';
import { GrowingBytes } from '../../bytes/growing-bytes.ts';
import { bytesOfHex } from '../../bytes/hex.ts';
import type { Spans } from '../../bytes/lines.ts';
import { hasSimd, type Kernel } from '../../kernel/index.ts';
import type { ExpressionBatch } from '../../safe-browsing/index.ts';

export interface ExpressionLineOptions {
  /** Bytes of the SHA-256 that are written as hex after an expression; 0 for none. */
  readonly width: number;
  readonly lineEnd: number;
}

/** A batch whose lines are to be written, and the number of its first row. */
interface NumberedBatch {
  readonly batch: ExpressionBatch;
  readonly kernelWidth: number;
  readonly firstNumber: number;
}

/** Writes a line for each expression: the number of its row, a tab, the expression, and a tab and its hash. */
export class ExpressionLines {
  readonly #digests: Uint8Array;
  readonly #options: ExpressionLineOptions;
  /** Undefined if the host has no SIMD. */
  readonly #program: LinesProgram | undefined;
  readonly #writer = new GrowingBytes();
  /** The bounds of the rows since the last take. */
  readonly #starts = new Uint32Array(ROW_CAPACITY);
  readonly #ends = new Uint32Array(ROW_CAPACITY);
  #rowCount = 0;

  constructor(kernel: Kernel, options: ExpressionLineOptions) {
    this.#digests = kernel.memory.bytes;
    this.#options = options;
    this.#program = hasSimd(kernel.name) ? new LinesProgram() : undefined;
  }

  /** Row r gets the number firstNumber + r. Digests have `kernelWidth` bytes in the kernel's memory. */
  write(batch: ExpressionBatch, kernelWidth: number, firstNumber: number): void {
    const numbered = { batch, kernelWidth, firstNumber };
    // a single row is not worth the program, and may be in memory of its own
    if (this.#program !== undefined && batch.rowCount > 1) this.#writeBy(this.#program, numbered);
    else for (let row = 0; row < batch.rowCount; row++) this.#writeRow(numbered, row);
  }

  /** Returns the lines of each row since the last take, of one batch at most. Valid until the next write. */
  take(): Spans {
    this.#rowCount = 0;
    return { bytes: this.#writer.take(), starts: this.#starts, ends: this.#ends };
  }

  /** Gives the next row the lines up to `end`. */
  #endRow(end: number): void {
    const row = this.#rowCount++;
    this.#starts[row] = row === 0 ? 0 : this.#ends[row - 1]!;
    this.#ends[row] = end;
  }

  #writeRow({ batch, kernelWidth, firstNumber }: NumberedBatch, row: number): void {
    const writer = this.#writer;
    const { width, lineEnd } = this.#options;
    const { bytes, spans, spanEnds } = batch;
    const number = String(firstNumber + row);
    for (let span = row === 0 ? 0 : spanEnds[row - 1]!; span < spanEnds[row]!; span++) {
      const digest = DIGESTS + span * kernelWidth;
      writer.text(number);
      writer.byte(TAB);
      writer.bytes(bytes, spans[2 * span]!, spans[2 * span]! + spans[2 * span + 1]!);
      if (width > 0) writer.byte(TAB);
      writer.hex(this.#digests, digest, digest + width);
      writer.byte(lineEnd);
    }
    this.#endRow(writer.length);
  }

  #writeBy(program: LinesProgram, numbered: NumberedBatch): void {
    const { rowCount } = numbered.batch;
    const { memory, linesEnds } = program;
    program.copyToWasm(numbered, this.#digests);
    for (let row = 0; row < rowCount; ) {
      const before = this.#writer.length;
      const stopped = program.write(row, numbered, this.#options);
      this.#writer.bytes(memory, WRITTEN, WRITTEN + program.writtenLength);
      for (; row < stopped; row++) this.#endRow(before + linesEnds[row]!);
      // its lines do not fit even in empty memory
      if (row < rowCount && program.writtenLength === 0) this.#writeRow(numbered, row++);
    }
  }
}

/** The exports of assembly/expression-lines/index.ts. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  write(row: number, rowCount: number, firstNumber: number, width: number, shownBytes: number, lineEnd: number): number;
}

/** Writes the lines by WebAssembly, in memory of its own. */
class LinesProgram {
  readonly memory: Uint8Array;
  /** The end of each row's lines, in the bytes that the last call has written. */
  readonly linesEnds: Uint32Array;
  readonly #exports: Exports;
  readonly #spans: Uint32Array;
  readonly #spanEnds: Uint32Array;
  readonly #writtenLength: Uint32Array;

  constructor() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesOfHex(program)));
    this.#exports = exports as unknown as Exports;
    const { buffer } = this.#exports.memory;
    this.memory = new Uint8Array(buffer);
    this.#spans = new Uint32Array(buffer, SPANS, 2 * ROW_CAPACITY);
    this.#spanEnds = new Uint32Array(buffer, SPAN_ENDS, ROW_CAPACITY);
    this.linesEnds = new Uint32Array(buffer, LINES_ENDS, ROW_CAPACITY);
    this.#writtenLength = new Uint32Array(buffer, WRITTEN_LENGTH, 1);
  }

  /** The number of bytes that the last call has written, from WRITTEN on. */
  get writtenLength(): number {
    return this.#writtenLength[0]!;
  }

  copyToWasm({ batch, kernelWidth }: NumberedBatch, digests: Uint8Array): void {
    const { bytes, textEnd, spans, spanEnds, count } = batch;
    this.memory.set(bytes.subarray(TEXT, textEnd), TEXT);
    this.memory.set(digests.subarray(DIGESTS, DIGESTS + count * kernelWidth), DIGESTS);
    this.#spans.set(spans.subarray(0, 2 * count));
    this.#spanEnds.set(spanEnds);
  }

  /** Writes the lines of rows from `row` on. Returns the first row that did not fit. */
  write(row: number, { batch, firstNumber, kernelWidth }: NumberedBatch, options: ExpressionLineOptions): number {
    return this.#exports.write(row, batch.rowCount, firstNumber, kernelWidth, options.width, options.lineEnd);
  }
}
