import { constants } from 'node:buffer';
import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { rowIn } from '../../core/bytes/lines.ts';
import { type RowProblem, VALUE } from '../read/row-batch.ts';
import { allProblems, NO_DIGESTS, type Stage } from './stage.ts';

/** Returns the text for a value, or the error that says why there is none; may add to `counts`. */
export type Form = (value: Uint8Array, counts: Record<string, number>) => string | FormError;

/** An error of one of the specifications. */
export interface FormError {
  readonly reason: string;
  readonly message: string;
}

/** Makes the form of each value. */
export function textStage(form: Form): Stage {
  const writer = new GrowingBytes();
  const starts = new Uint32Array(ROW_CAPACITY);
  const ends = new Uint32Array(ROW_CAPACITY);
  return (rows) => {
    const { values, kinds, length } = rows;
    const found: RowProblem[] = [];
    const counts: Record<string, number> = {};
    for (let row = 0; row < length; row++) {
      starts[row] = writer.length;
      if (kinds[row] === VALUE) {
        const text = formOrProblem(form, rowIn(values, row), counts);
        if (typeof text === 'string') writer.text(text);
        else found.push({ row, reason: text.reason, message: text.message });
      }
      ends[row] = writer.length;
      writer.byte(LINE_FEED); // so that neighbours are written at once
    }
    const texts = { bytes: writer.take(), starts, ends };
    return { rows, problems: allProblems(rows, found), digests: NO_DIGESTS, width: 0, texts, counts };
  };
}

function formOrProblem(form: Form, value: Uint8Array, counts: Record<string, number>): string | FormError {
  if (value.length > constants.MAX_STRING_LENGTH) return tooLong(value);
  try {
    return form(value, counts);
  } catch (error) {
    if (isAboutLength(error)) return tooLong(value);
    throw error;
  }
}

/** A form longer than a string can be: V8 throws a RangeError, Node's buffers an error with a code. */
function isAboutLength(error: unknown): boolean {
  return error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG';
}

function tooLong({ length }: Uint8Array): FormError {
  return { reason: 'length-limit', message: `a value of ${length} bytes is too long for a string (length-limit)` };
}
