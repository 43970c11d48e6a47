import { constants } from 'node:buffer';
import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { rowIn, type Spans } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import { givenSpans, HEADING, type RowProblem, VALUE } from '../read/batch.ts';
import type { AddedName, RowForm } from '../read/framing.ts';
import { type AddedField, RecordFormat } from '../write/records.ts';
import {
  EMPTY,
  type Format,
  GIVEN,
  keepOnly,
  RESULT,
  type Results,
  type SelectedRows,
  type Stage,
  unhashed,
} from './results.ts';

/** Returns the text for a value, or the error that says why there is none; may add to `counts`. */
export type Form = (value: Uint8Array, counts: Record<string, number>) => string | FormError;

/** An error of one of the specifications. */
interface FormError {
  readonly reason: string;
  readonly message: string;
}

/** Makes the form of each value. */
export function textStage(form: Form): Stage {
  const writer = new GrowingBytes();
  const starts = new Uint32Array(ROW_CAPACITY);
  const ends = new Uint32Array(ROW_CAPACITY);
  return (batch) => {
    const { values, kinds, length } = batch;
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
    return { ...unhashed(batch, found, counts), texts };
  };
}

function formOrProblem(form: Form, value: Uint8Array, counts: Record<string, number>): string | FormError {
  if (value.length > constants.MAX_STRING_LENGTH) return tooLong(value);
  try {
    return form(value, counts);
  } catch (error) {
    // a form longer than a string can be: V8 throws a RangeError, Node's buffers an error with a code
    if (error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_STRING_TOO_LONG')
      return tooLong(value);
    throw error;
  }
}

function tooLong({ length }: Uint8Array): FormError {
  return { reason: 'length-limit', message: `a value of ${length} bytes is too long for a string (length-limit)` };
}

/** Writes a line per row, or adds a field to each record; an invalid row has `empty` as its line. */
export function openTextFormat({ lineEnd, records, added }: RowForm, empty = ''): Format {
  return records === undefined ? linePerRow(lineEnd, empty) : new RecordFormat(records, added.map(textField));
}

/** Writes the rows whose form has changed: lines as given, records with the form that they have now. */
export function openChangesFormat(plan: RowForm): Format {
  const format = openTextFormat(plan);
  return {
    write(results, kept, out) {
      keepOnly(kept, (row) => results.isChanged![row] !== 0 || results.batch.kinds[row]! === HEADING);
      if (plan.records === undefined) for (const row of kept.rows.subarray(0, kept.count)) kept.fields[row] = GIVEN;
      format.write(results, kept, out);
    },
  };
}

/** Writes a line per row. Adjacent texts with a line end between them are copied at once. */
function linePerRow(lineEnd: number, empty: string): Format {
  return {
    write(results, kept, out) {
      const { bytes, starts, ends } = results.texts!;
      const { rows, count, fields } = kept;
      for (let index = 0; index < count; index++) {
        const row = rows[index]!;
        const field = fields[row]!;
        if (field === RESULT) {
          index = lastOfRun(results.texts!, kept, index, lineEnd);
          out.bytes(bytes, starts[row]!, ends[rows[index]!]!);
        } else if (field === EMPTY) out.text(empty);
        else out.bytes(rowIn(textSpans(results, row, field), row));
        out.byte(lineEnd);
      }
    },
  };
}

/** Returns the index of the last text of those from `index` on that are adjacent, with a line end after each. */
function lastOfRun(
  { bytes, starts, ends }: Spans,
  { rows, count, fields }: SelectedRows,
  index: number,
  lineEnd: number,
): number {
  let last = index;
  for (let end = ends[rows[index]!]!; last + 1 < count && bytes[end] === lineEnd; last++) {
    const next = rows[last + 1]!;
    if (starts[next] !== end + 1 || fields[next] !== RESULT) break;
    end = ends[next]!;
  }
  return last;
}

/** Writes texts that are whole lines, any number each, as they are. */
export const LINES: Format = {
  write({ texts }, { rows, count }, out) {
    const { bytes, starts, ends } = texts!;
    for (const row of rows.subarray(0, count)) out.bytes(bytes, starts[row]!, ends[row]!);
  },
};

function textField(name: AddedName): AddedField {
  return { name, textOf: (results, row, field) => decodeLine(rowIn(textSpans(results, row, field), row)) };
}

/** Returns the spans with the text of a row; for an invalid row that is kept, this is the text as given. */
function textSpans({ batch, texts }: Results, row: number, field: number): Spans {
  return field === GIVEN ? givenSpans(batch, row) : texts!;
}
