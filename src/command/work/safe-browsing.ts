import type { Refusal } from '../../specs/safe-browsing/block-list.ts';
import { canonicalForm } from '../../specs/safe-browsing/canonicalize.ts';
import { type SafeBrowsingFailure, SafeBrowsingUrlError } from '../../specs/safe-browsing/failure.ts';
import type { Reading } from '../../specs/safe-browsing/settings.ts';
import { DeferredProblem, type RowProblem } from '../read/batch.ts';
import type { Form } from './texts.ts';

export function safeBrowsingForm(reading: Reading): Form {
  return (value) => {
    const form = canonicalForm(value, reading);
    return typeof form === 'string' ? form : new SafeBrowsingUrlError(value, form);
  };
}

/** Makes the problem of a URL without a host to look up, or of a line that is no list entry. */
export function safeBrowsingProblem(
  row: number,
  input: Uint8Array,
  failure: SafeBrowsingFailure | Refusal,
): RowProblem {
  const shown = shownBytes(input);
  return new DeferredProblem(row, failure.reason, () => new SafeBrowsingUrlError(shown, failure).message);
}

/** More bytes of a URL than a message shows. */
const SHOWN_BYTES = 1 << 10;

/** Copies as much of a URL as a message shows: by the time it is made, the URL may have left the kernel's memory. */
export function shownBytes(input: Uint8Array): Uint8Array {
  return Uint8Array.from(input.subarray(0, SHOWN_BYTES));
}

/** Returns a unit for each byte, up to `byteLimit` of them. */
export function latin1Of({ buffer, byteOffset, length }: Uint8Array, byteLimit = length): string {
  return Buffer.from(buffer, byteOffset, Math.min(length, byteLimit)).toString('latin1');
}
