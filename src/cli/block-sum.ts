import type { Kernel, Width } from '../kernel/kernel.ts';
import type { Sink } from './format/sink.ts';
import { eachRow } from './rows/each-row.ts';
import type { Framing } from './rows/framing.ts';
import type { Selection } from './select/selection.ts';
import { type HashedRows, hashesOf, keepInvalid } from './stage/hashes.ts';
import type { OnError } from './terminal/options.ts';

interface BlockOptions {
  readonly width: Width;
  readonly onError: OnError;
}

/**
 * The onError of one block of whole rows: bytes, hashes, output bytes. `hash` knows nothing of the blocks before
 * it; `write` takes them in the order of input, for what it selects may depend on that.
 */
export class BlockSum {
  readonly #kernel: Kernel;
  readonly #framing: Framing;
  readonly #width: Width;
  readonly #onError: OnError;
  readonly #selection: Selection | undefined;
  readonly #sink: Sink;
  #selected = 0;

  constructor(
    kernel: Kernel,
    framing: Framing,
    { width, onError }: BlockOptions,
    selection: Selection | undefined,
    sink: Sink,
  ) {
    this.#kernel = kernel;
    this.#framing = framing;
    this.#width = width;
    this.#onError = onError;
    this.#selection = selection;
    this.#sink = sink;
  }

  /** Rows that were written, where not all are. */
  get selected(): number | undefined {
    return this.#selection === undefined ? undefined : this.#selected;
  }

  hash(block: Uint8Array): HashedRows {
    const rows = this.#framing.rows(block);
    const column = hashesOf(this.#kernel, rows.values, this.#width);
    if (this.#onError === 'keep') keepInvalid(this.#kernel, rows, column);
    return { rows, bytes: block, column };
  }

  /** The output of the rows; valid until the next call. */
  write(rows: HashedRows): Uint8Array {
    const whole = this.#selection === undefined ? this.#sink.block?.(rows, this.#onError) : undefined;
    if (whole !== undefined) return whole;
    eachRow(rows.rows, rows.column.invalid, (row) => {
      if (row.isInvalid && this.#onError === 'fail') return false;
      if (row.isInvalid && this.#onError === 'skip') return true;
      const isHashed = !row.isInvalid || this.#onError === 'keep';
      if (this.#selection?.isWanted(rows.column, row.row, isHashed) === false) return true;
      this.#selected++;
      this.#sink.row(rows, row, isHashed);
      return true;
    });
    return this.#sink.take();
  }
}
