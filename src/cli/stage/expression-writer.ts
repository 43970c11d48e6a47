import { DIGESTS } from '../../../assembly/layout.ts';
import { TAB } from '../../bytes/code-points.ts';
import { GrowingBytes } from '../../bytes/growing-bytes.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { ExpressionRows } from '../../safe-browsing/batch.ts';

export interface ExpressionWriterOptions {
  /** Bytes of the SHA-256 that are written after an expression, as hex: 0 for none. */
  readonly width: number;
  readonly lineEnd: number;
}

/** Gives the number of a row among `ExpressionRows`, counted from 0; asked for in ascending order. */
export type NumberOf = (row: number) => number;

/** Writes a line for each expression: the number of its row, a tab, the expression, and a tab and its hash. */
export class ExpressionWriter {
  readonly #kernel: Kernel;
  protected readonly options: ExpressionWriterOptions;
  protected readonly writer = new GrowingBytes();
  protected ends: number[] = [];

  constructor(kernel: Kernel, options: ExpressionWriterOptions) {
    this.#kernel = kernel;
    this.options = options;
  }

  /** `kernelWidth`: bytes per digest in the kernel's memory. */
  write(rows: ExpressionRows, kernelWidth: number, numberOf: NumberOf): void {
    for (let row = 0; row < rows.rowCount; row++) this.writeRow(rows, row, kernelWidth, numberOf(row));
  }

  /** The lines since the last take, and where those of each row end; valid until the next write. */
  take(): { readonly bytes: Uint8Array; readonly ends: readonly number[] } {
    const { ends } = this;
    this.ends = [];
    return { bytes: this.writer.take(), ends };
  }

  protected writeRow(
    { bytes, spans, spanEnds }: ExpressionRows,
    row: number,
    kernelWidth: number,
    number: number,
  ): void {
    const { writer } = this;
    const { width, lineEnd } = this.options;
    for (let span = row === 0 ? 0 : spanEnds[row - 1]!; span < spanEnds[row]!; span++) {
      const digest = DIGESTS + span * kernelWidth;
      writer.text(String(number));
      writer.byte(TAB);
      writer.bytes(bytes, spans[2 * span]!, spans[2 * span]! + spans[2 * span + 1]!);
      if (width > 0) writer.byte(TAB);
      writer.hex(this.#kernel.memory.bytes, digest, digest + width);
      writer.byte(lineEnd);
    }
    this.ends.push(writer.length);
  }
}
