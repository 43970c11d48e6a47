import { InputError } from '../input/inputs.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';

/** Ends quietly where an input cannot be read, once that is reported. */
export async function* reported<T>(blocks: AsyncIterable<T>, diagnostics: Diagnostics): AsyncGenerator<T> {
  try {
    yield* blocks;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    diagnostics.trouble(error);
  }
}
