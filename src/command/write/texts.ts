import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { rowIn, type Spans } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import type { RowForm } from '../read/framing.ts';
import type { AddedName } from '../read/names.ts';
import { givenSpans } from '../read/row-batch.ts';
import { EMPTY, GIVEN, isHeading, type KeptRows, keepOnly, RESULT, type ResultBatch } from '../work/stage.ts';
import type { Format } from './format.ts';
import { type AddedField, RecordFormat } from './records.ts';

/** Writes a line per row, or adds a field to each record; an invalid row has `empty` as its line. */
export function openTextFormat({ lineEnd, records, added }: RowForm, empty = ''): Format {
  return records === undefined ? new LinePerRow(lineEnd, empty) : new RecordFormat(records, added.map(textField));
}

/** Writes the rows whose form has changed: lines as given, records with the form that they have now. */
export function openChangesFormat(plan: RowForm): Format {
  const format = openTextFormat(plan);
  return {
    write(results, kept, out) {
      keepOnly(kept, (row) => results.isChanged![row] !== 0 || isHeading(results.rows.kinds[row]!));
      if (plan.records === undefined) for (const row of kept.rows.subarray(0, kept.count)) kept.fields[row] = GIVEN;
      format.write(results, kept, out);
    },
  };
}

/** Writes a line per row. Adjacent texts with a line end between them are copied at once. */
class LinePerRow implements Format {
  readonly #lineEnd: number;
  readonly #empty: string;

  constructor(lineEnd: number, empty: string) {
    this.#lineEnd = lineEnd;
    this.#empty = empty;
  }

  write(results: ResultBatch, kept: KeptRows, out: GrowingBytes): void {
    const { bytes, starts, ends } = results.texts!;
    const { rows, count, fields } = kept;
    for (let index = 0; index < count; index++) {
      const row = rows[index]!;
      const field = fields[row]!;
      if (field !== RESULT) {
        this.#writeOther(out, results, row, field);
        continue;
      }
      index = lastOfRun(results.texts!, kept, index, this.#lineEnd);
      out.bytes(bytes, starts[row]!, ends[rows[index]!]!);
      out.byte(this.#lineEnd);
    }
  }

  #writeOther(out: GrowingBytes, results: ResultBatch, row: number, field: number): void {
    const { bytes, starts, ends } = textSpans(results, row, field);
    if (field === EMPTY) out.text(this.#empty);
    else out.bytes(bytes, starts[row]!, ends[row]!);
    out.byte(this.#lineEnd);
  }
}

/** Returns the index of the last text of those from `index` on that are adjacent, with a line end after each. */
function lastOfRun(
  { bytes, starts, ends }: Spans,
  { rows, count, fields }: KeptRows,
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

/** Writes texts that are whole lines, any number each, as they are; adjacent texts are written at once. */
export class Lines implements Format {
  write({ texts }: ResultBatch, { rows: kept, count }: KeptRows, out: GrowingBytes): void {
    const { bytes, starts, ends } = texts!;
    let [start, end] = [0, 0];
    for (let index = 0; index < count; index++) {
      const row = kept[index]!;
      if (starts[row] !== end) {
        out.bytes(bytes, start, end);
        start = starts[row]!;
      }
      end = ends[row]!;
    }
    out.bytes(bytes, start, end);
  }
}

function textField(name: AddedName): AddedField {
  return {
    name,
    textOf: (results, row, field) => decodeLine(rowIn(textSpans(results, row, field), row)),
  };
}

/** Returns the spans with the text of a row; for an invalid row that is kept, this is the text as given. */
function textSpans({ rows, texts }: ResultBatch, row: number, field: number): Spans {
  return field === GIVEN ? givenSpans(rows, row) : texts!;
}
