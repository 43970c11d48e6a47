import { type SafeBrowsingFailure, SafeBrowsingUrlError } from '../../safe-browsing/failure.ts';
import type { RowProblem } from './stage.ts';

/** More of a URL than a message shows. */
export const SHOWN_BYTES = 1 << 10;

/** A URL without a host to look up. The message takes longer to make than the expressions of a line. */
export class SafeBrowsingProblem implements RowProblem {
  readonly row: number;
  readonly #input: Uint8Array;
  readonly #failure: SafeBrowsingFailure;

  constructor(row: number, input: Uint8Array, failure: SafeBrowsingFailure) {
    this.row = row;
    this.#input = Uint8Array.from(input.subarray(0, SHOWN_BYTES));
    this.#failure = failure;
  }

  get reason(): string {
    return this.#failure.reason;
  }

  get message(): string {
    return new SafeBrowsingUrlError(this.#input, this.#failure).message;
  }
}
