import { decodedIfFits, decodeLine } from '../bytes/utf8.ts';
import { type Failure, failure } from '../url/failure.ts';

/** Of a row that is longer than a string can be: more than a message shows. */
const SHOWN_BYTES = 1 << 10;

export interface LongRow {
  readonly input: string;
  /** Present where `input` is only the beginning. */
  readonly failure?: Failure;
}

/** The text of a row that is longer than a batch, or its beginning where no string can hold it. */
export function longRow(bytes: Uint8Array): LongRow {
  const input = decodedIfFits(bytes);
  if (input !== undefined) return { input };
  return { input: decodeLine(bytes.subarray(0, SHOWN_BYTES)), failure: failure('length-limit') };
}
