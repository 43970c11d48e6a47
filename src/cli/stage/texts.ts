import { constants } from 'node:buffer';
import type { Rows } from '../rows/framing.ts';
import { eachValue } from '../rows/values.ts';
import { ByteWriter } from './byte-writer.ts';
import { type Results, type RowProblem, type Stage, withMalformed } from './stage.ts';

/** What comes out for a value, or the error that says why nothing does; `counts` may be added to. */
export type Form = (value: Uint8Array, counts: Record<string, number>) => string | FormError;

/** An error of any of the specifications. */
export interface FormError {
  readonly reason: string;
  readonly message: string;
}

/** A text for each row, packed: that of row r is bytes[ends[r - 1], ends[r]), its line end included. */
export interface Texts extends Results {
  readonly bytes: Uint8Array;
  readonly ends: ArrayLike<number>;
}

/** The form of each value, and a line end after it; where there is none, forms are whole lines themselves. */
export class TextStage implements Stage<Texts> {
  readonly #form: Form;
  readonly #lineEnd: number | undefined;
  readonly #writer = new ByteWriter();

  constructor(form: Form, lineEnd?: number) {
    this.#form = form;
    this.#lineEnd = lineEnd;
  }

  run(rows: Rows): Texts {
    const ends: number[] = [];
    const problems: RowProblem[] = [];
    const counts: Record<string, number> = {};
    eachValue(rows.values, (bytes, start, end, row) => {
      const form = this.#formOf(bytes.subarray(start, end), counts);
      if (typeof form === 'string') this.#writer.text(form);
      else problems.push({ row, reason: form.reason, message: form.message });
      if (this.#lineEnd !== undefined) this.#writer.byte(this.#lineEnd);
      ends.push(this.#writer.length);
    });
    return {
      rows,
      length: ends.length,
      problems: withMalformed(rows, problems),
      counts,
      ends,
      bytes: this.#writer.take(),
    };
  }

  #formOf(value: Uint8Array, counts: Record<string, number>): string | FormError {
    if (value.length > constants.MAX_STRING_LENGTH) return tooLong(value);
    try {
      return this.#form(value, counts);
    } catch (error) {
      if (isAboutLength(error)) return tooLong(value);
      throw error;
    }
  }
}

/** The form would be longer than a string can be: V8 says so with a RangeError, Node's buffers with a code. */
function isAboutLength(error: unknown): boolean {
  return error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG';
}

function tooLong({ length }: Uint8Array): FormError {
  return { reason: 'length-limit', message: `a value of ${length} bytes is longer than strings can be (length-limit)` };
}
