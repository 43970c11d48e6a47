import { LINES_ENDS, SPAN_ENDS, WRITTEN, WRITTEN_LENGTH } from '../../../assembly/expression-lines/layout.ts';
import { DIGESTS, ROW_CAPACITY, SPANS, TEXT } from '../../../assembly/layout.ts';
import program from '../../../build/expression-lines.hex';
import { TAB } from '../../core/bytes/code-points.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { appendHex, bytesOfProgram } from '../../core/bytes/hex.ts';
import type { Spans } from '../../core/bytes/lines.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { type ExpressionBatch, ExpressionReader } from '../../specs/safe-browsing/batch.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import type { RowProblem } from '../read/batch.ts';
import { type Stage, unhashed } from '../work/results.ts';
import { safeBrowsingProblem } from '../work/urls.ts';

export interface ExpressionOptions {
  readonly settings: Settings;
  /** Bytes of the SHA-256 that are written as hex after an expression; 0 for none. */
  readonly shownBytes: number;
  readonly lineEnd: number;
  /** Whether a URL without expressions is written as it was given. */
  readonly keepsInvalid: boolean;
}

/** Writes a line for each expression of each URL: the number of the URL's row, a tab, the expression, and its hash. */
export function expressionStage(kernel: Kernel, options: ExpressionOptions): Stage {
  const { settings, shownBytes, keepsInvalid } = options;
  const reader = new ExpressionReader(kernel, shownBytes, settings, undefined, keepsInvalid);
  const lines = new ExpressionLines(kernel, reader.kernelWidth, options);
  return (batch, rowsBefore) => {
    const firstNumber = rowsBefore + batch.firstNumber + 1;
    const found: RowProblem[] = [];
    let expressions = 0;
    for (const part of reader.rows(batch.values, batch.length, batch.kinds)) {
      lines.write(part, firstNumber + part.firstRow);
      for (const { row, input, failure } of part.rejected) found.push(safeBrowsingProblem(row, input, failure));
      expressions += part.count - (keepsInvalid ? part.rejected.length : 0);
    }
    return { ...unhashed(batch, found, { expressions }), texts: lines.take() };
  };
}

/** Writes the lines, by WebAssembly where the host has SIMD. */
class ExpressionLines {
  readonly #digests: Uint8Array;
  readonly #kernelWidth: number;
  readonly #options: ExpressionOptions;
  /** The program that writes lines; undefined if the host has no SIMD. */
  readonly #program: LinesProgram | undefined;
  readonly #writer = new GrowingBytes();
  /** The bounds of the lines of each row since the last take. */
  readonly #starts = new Uint32Array(ROW_CAPACITY);
  readonly #ends = new Uint32Array(ROW_CAPACITY);
  #rowCount = 0;

  /** @param kernelWidth bytes of each digest in the kernel's memory */
  constructor(kernel: Kernel, kernelWidth: number, options: ExpressionOptions) {
    this.#digests = kernel.memory.bytes;
    this.#kernelWidth = kernelWidth;
    this.#options = options;
    this.#program = kernel.name === 'simd' ? openProgram(kernelWidth, options) : undefined;
  }

  /** Row r gets the number firstNumber + r. */
  write(batch: ExpressionBatch, firstNumber: number): void {
    // a single row is not worth the program, and may be in memory of its own
    if (this.#program !== undefined && batch.rowCount > 1) this.#writeBy(this.#program, batch, firstNumber);
    else for (let row = 0; row < batch.rowCount; row++) this.#writeRow(batch, row, firstNumber);
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

  #writeRow({ bytes, spans, spanEnds }: ExpressionBatch, row: number, firstNumber: number): void {
    const writer = this.#writer;
    const { shownBytes, lineEnd } = this.#options;
    const number = String(firstNumber + row);
    for (let span = row === 0 ? 0 : spanEnds[row - 1]!; span < spanEnds[row]!; span++) {
      const digest = DIGESTS + span * this.#kernelWidth;
      writer.text(number);
      writer.byte(TAB);
      writer.bytes(bytes, spans[2 * span]!, spans[2 * span]! + spans[2 * span + 1]!);
      if (shownBytes > 0) writer.byte(TAB);
      appendHex(writer, this.#digests, digest, digest + shownBytes);
      writer.byte(lineEnd);
    }
    this.#endRow(writer.length);
  }

  #writeBy(program: LinesProgram, batch: ExpressionBatch, firstNumber: number): void {
    program.copyToWasm(batch, this.#digests);
    for (let row = 0; row < batch.rowCount; ) {
      const before = this.#writer.length;
      const stopped = program.write(row, batch.rowCount, firstNumber);
      this.#writer.bytes(program.lines());
      if (stopped === row)
        this.#writeRow(batch, row++, firstNumber); // its lines alone do not fit
      else while (row < stopped) this.#endRow(before + program.linesEnds[row++]!);
    }
  }
}

/** The exports of assembly/expression-lines/index.ts. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  write(row: number, rowCount: number, firstNumber: number, width: number, shownBytes: number, lineEnd: number): number;
}

type LinesProgram = ReturnType<typeof openProgram>;

/** Opens the program that writes the lines by WebAssembly, in memory of its own. */
function openProgram(kernelWidth: number, { shownBytes, lineEnd }: ExpressionOptions) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesOfProgram(program)));
  const { memory, write } = exports as unknown as Exports;
  const { buffer } = memory;
  const bytesOfMemory = new Uint8Array(buffer);
  const spansOfMemory = new Uint32Array(buffer, SPANS, 2 * ROW_CAPACITY);
  const spanEndsOfMemory = new Uint32Array(buffer, SPAN_ENDS, ROW_CAPACITY);
  const writtenLength = new Uint32Array(buffer, WRITTEN_LENGTH, 1);
  return {
    /** The end of each row's lines. */
    linesEnds: new Uint32Array(buffer, LINES_ENDS, ROW_CAPACITY),
    /** Returns the lines of the last write, valid until the next. */
    lines: () => bytesOfMemory.subarray(WRITTEN, WRITTEN + writtenLength[0]!),
    copyToWasm({ bytes, textEnd, spans, spanEnds, count }: ExpressionBatch, digests: Uint8Array): void {
      bytesOfMemory.set(bytes.subarray(TEXT, textEnd), TEXT);
      bytesOfMemory.set(digests.subarray(DIGESTS, DIGESTS + count * kernelWidth), DIGESTS);
      spansOfMemory.set(spans.subarray(0, 2 * count));
      spanEndsOfMemory.set(spanEnds);
    },
    /** Writes the lines of rows from `row` on. Returns the first row that did not fit. */
    write: (row: number, rowCount: number, firstNumber: number) =>
      write(row, rowCount, firstNumber, kernelWidth, shownBytes, lineEnd),
  };
}
