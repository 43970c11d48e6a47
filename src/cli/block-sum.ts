import type { Kernel, Width } from '../kernel/kernel.ts';
import type { Framing, Rows } from './framing.ts';
import type { ErrorWay } from './options.ts';
import { eachRow, keepInvalid } from './rows.ts';
import type { Selection } from './selection.ts';
import type { Sink } from './sink.ts';

interface BlockOptions {
  readonly width: Width;
  readonly way: ErrorWay;
}

/**
 * The way of one block of whole rows: bytes, hashes, output bytes. `hash` knows nothing of the blocks before
 * it; `write` takes them in the order of input, for what it selects may depend on that.
 */
export class BlockSum {
  readonly #kernel: Kernel;
  readonly #framing: Framing;
  readonly #width: Width;
  readonly #way: ErrorWay;
  readonly #selection: Selection | undefined;
  readonly #sink: Sink;
  #selected = 0;

  constructor(kernel: Kernel, framing: Framing, { width, way }: BlockOptions, selection: Selection | undefined, sink: Sink) {
    this.#kernel = kernel;
    this.#framing = framing;
    this.#width = width;
    this.#way = way;
    this.#selection = selection;
    this.#sink = sink;
  }

  /** Rows that were written, where not all are. */
  get selected(): number | undefined {
    return this.#selection === undefined ? undefined : this.#selected;
  }

  hash(block: Uint8Array): Rows {
    const rows = this.#framing.rows(this.#kernel, block, this.#width);
    if (this.#way === 'keep') keepInvalid(this.#kernel, rows);
    return rows;
  }

  /** The output of the rows; valid until the next call. */
  write(rows: Rows): Uint8Array {
    const whole = this.#selection === undefined ? this.#sink.block?.(rows, this.#way) : undefined;
    if (whole !== undefined) return whole;
    eachRow(rows, (row) => {
      if (row.isInvalid && this.#way === 'fail') return false;
      if (row.isInvalid && this.#way === 'skip') return true;
      const isHashed = !row.isInvalid || this.#way === 'keep';
      if (this.#selection?.isWanted(rows.column, row.row, isHashed) === false) return true;
      this.#selected++;
      this.#sink.row(rows, row, isHashed);
      return true;
    });
    return this.#sink.take();
  }
}
