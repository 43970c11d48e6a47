import type { OnError } from '../rows/on-error.ts';
import type { Selection } from '../select/selection.ts';
import { eachResult, type Results } from '../stage/stage.ts';
import type { Format } from './format.ts';

/** Writes the results that come out, block by block in the order of input: what is selected may depend on it. */
export class BlockWriter<R extends Results> {
  readonly #format: Format<R>;
  readonly #onError: OnError;
  readonly #selection: Selection<R> | undefined;
  #selectedCount = 0;

  constructor(format: Format<R>, onError: OnError, selection?: Selection<R>) {
    this.#format = format;
    this.#onError = onError;
    this.#selection = selection;
  }

  /** Rows that have come out, where not all do. */
  get selectedCount(): number | undefined {
    return this.#selection === undefined ? undefined : this.#selectedCount;
  }

  /** The output of a block; valid until the next call. */
  written(results: R): Uint8Array {
    const whole = this.#selection === undefined ? this.#format.block?.(results, this.#onError) : undefined;
    if (whole !== undefined) return whole;
    eachResult(results, (row) => {
      if (row.isInvalid && this.#onError === 'fail') return false;
      if (row.isInvalid && this.#onError === 'skip') return true;
      const hasResult = !row.isInvalid || this.#onError === 'keep';
      if (!row.isCaption && this.#selection?.isWanted(results, row.row, hasResult) === false) return true;
      this.#selectedCount++;
      this.#format.row(results, row, hasResult);
      return true;
    });
    return this.#format.take();
  }
}
