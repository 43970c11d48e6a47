import { LINES_ENDS, NUMBERS, SPAN_ENDS, WRITTEN, WRITTEN_LENGTH } from '../../../assembly/expression-lines/layout.ts';
import { DIGESTS, ROW_CAPACITY, SPANS, TEXT } from '../../../assembly/layout.ts';
import program from '../../../build/expression-lines.hex';
import { bytesOfHex } from '../../bytes/hex.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { ExpressionRows } from '../../safe-browsing/batch.ts';
import { ExpressionWriter, type ExpressionWriterOptions, type NumberOf } from './expression-writer.ts';

/** assembly/expression-lines/index.ts */
interface Exports {
  readonly memory: WebAssembly.Memory;
  write(row: number, rowCount: number, firstNumber: number, width: number, shownBytes: number, lineEnd: number): number;
}

/** The same by WebAssembly. A row alone is not worth it, and may lie in memory of its own. */
export class ExpressionLines extends ExpressionWriter {
  readonly #memory: Uint8Array;
  readonly #numbers: Uint32Array;
  readonly #linesEnds: Uint32Array;
  readonly #writtenLength: Uint32Array;
  readonly #write: Exports['write'];
  readonly #kernelBytes: Uint8Array;
  readonly #spans: Uint32Array;
  readonly #spanEnds: Uint32Array;

  /** @throws where the host runs no SIMD */
  constructor(kernel: Kernel, options: ExpressionWriterOptions) {
    super(kernel, options);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesOfHex(program)));
    const { memory, write } = exports as unknown as Exports;
    this.#write = write;
    this.#kernelBytes = kernel.memory.bytes;
    this.#memory = new Uint8Array(memory.buffer);
    this.#spans = new Uint32Array(memory.buffer, SPANS, 2 * ROW_CAPACITY);
    this.#spanEnds = new Uint32Array(memory.buffer, SPAN_ENDS, ROW_CAPACITY);
    this.#numbers = new Uint32Array(memory.buffer, NUMBERS, ROW_CAPACITY);
    this.#linesEnds = new Uint32Array(memory.buffer, LINES_ENDS, ROW_CAPACITY);
    this.#writtenLength = new Uint32Array(memory.buffer, WRITTEN_LENGTH, 1);
  }

  override write(rows: ExpressionRows, kernelWidth: number, numberOf: NumberOf): void {
    if (rows.rowCount === 1) return super.write(rows, kernelWidth, numberOf);
    const firstNumber = numberOf(0);
    this.#copyToWasm(rows, kernelWidth);
    for (let row = 0; row < rows.rowCount; row++) this.#numbers[row] = numberOf(row) - firstNumber;
    const { width, lineEnd } = this.options;
    for (let row = 0; row < rows.rowCount; ) {
      const stopped = this.#write(row, rows.rowCount, firstNumber, kernelWidth, width, lineEnd);
      this.#takeOver(row, stopped);
      row = stopped;
      // its lines are longer than all the room there is
      if (stopped < rows.rowCount && this.#writtenLength[0] === 0)
        this.writeRow(rows, row, kernelWidth, firstNumber + this.#numbers[row++]!);
    }
  }

  #copyToWasm({ bytes, textEnd, spans, spanEnds, count }: ExpressionRows, kernelWidth: number): void {
    this.#memory.set(bytes.subarray(TEXT, textEnd), TEXT);
    this.#memory.set(this.#kernelBytes.subarray(DIGESTS, DIGESTS + count * kernelWidth), DIGESTS);
    this.#spans.set(spans.subarray(0, 2 * count));
    this.#spanEnds.set(spanEnds);
  }

  #takeOver(row: number, end: number): void {
    const before = this.writer.length;
    this.writer.bytes(this.#memory, WRITTEN, WRITTEN + this.#writtenLength[0]!);
    for (; row < end; row++) this.ends.push(before + this.#linesEnds[row]!);
  }
}
