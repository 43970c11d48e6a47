import {
  canonicalForm,
  type Reading,
  type SafeBrowsingFailure,
  SafeBrowsingUrlError,
} from '../../safe-browsing/index.ts';
import type { RowProblem } from '../rows/row-batch.ts';
import type { Form } from './texts.ts';

/** Makes the canonical form under one reading. */
export function safeBrowsingForm(reading: Reading): Form {
  return (value) => {
    const form = canonicalForm(value, reading);
    return typeof form === 'string' ? form : new SafeBrowsingUrlError(value, form);
  };
}

/** More bytes of a URL than a message shows. */
const SHOWN_BYTES = 1 << 10;

/** The reason why a row has no result. The message takes longer to make than a line's expressions; few are shown. */
export class DeferredProblem implements RowProblem {
  readonly row: number;
  readonly reason: string;
  readonly #shown: Uint8Array;
  readonly #messageOf: (shown: Uint8Array) => string;

  /** `messageOf` gets a copy of the start of `input`. */
  constructor(row: number, reason: string, input: Uint8Array, messageOf: (shown: Uint8Array) => string) {
    this.row = row;
    this.reason = reason;
    this.#shown = Uint8Array.from(input.subarray(0, SHOWN_BYTES));
    this.#messageOf = messageOf;
  }

  get message(): string {
    return this.#messageOf(this.#shown);
  }
}

/** Makes the problem of a URL without a host to look up. */
export function safeBrowsingProblem(row: number, input: Uint8Array, failure: SafeBrowsingFailure): RowProblem {
  return new DeferredProblem(row, failure.reason, input, (shown) => new SafeBrowsingUrlError(shown, failure).message);
}
