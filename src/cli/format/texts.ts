import type { GrowingBytes } from '../../bytes/growing-bytes.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import { hasSimd, type Kernel } from '../../kernel/kernel.ts';
import type { Records } from '../rows/framing.ts';
import { givenSpans, type Spans } from '../rows/row-batch.ts';
import { EMPTY, GIVEN, type KeptRows, type ResultBatch } from '../stage/stage.ts';
import { type Format, type RowFormat, rowByRow } from './format.ts';
import { FORM_FIELDS, LineWriter } from './line-writer.ts';
import { type AddedField, RecordFormat } from './records.ts';

export interface TextFormatOptions {
  readonly lineEnd: number;
  /** Rows that are records, which pass through. */
  readonly records: Records | undefined;
}

/** A line per row, or a field added to each record, called `name` there; `empty` stands for that of an invalid row. */
export function openTextFormat({ lineEnd, records }: TextFormatOptions, name: string, empty = ''): Format {
  return records === undefined ? rowByRow(lineOf(lineEnd, empty)) : new RecordFormat(records, [textField(name)]);
}

/** The same for canonical forms in a kernel's memory. */
export function openFormFormat(options: TextFormatOptions, name: string, kernel: Kernel): Format {
  const { lineEnd, records } = options;
  if (records !== undefined || !hasSimd(kernel.name)) return openTextFormat(options, name);
  return new LineWriter(kernel, FORM_FIELDS, lineEnd, lineOf(lineEnd, ''));
}

function lineOf(lineEnd: number, empty: string): RowFormat {
  return (out, results, row, field) => {
    const { bytes, starts, ends } = textSpans(results, row, field);
    if (field === EMPTY) out.text(empty);
    else out.bytes(bytes, starts[row]!, ends[row]!);
    out.byte(lineEnd);
  };
}

/** Texts that are any number of whole lines each: they are written as they are. */
export class Lines implements Format {
  write({ rows, texts }: ResultBatch, { rows: kept, count }: KeptRows, out: GrowingBytes): void {
    const { bytes, starts, ends } = texts!;
    if (count === rows.length && count > 0) return out.bytes(bytes, starts[0]!, ends[count - 1]!);
    for (let index = 0; index < count; index++) out.bytes(bytes, starts[kept[index]!]!, ends[kept[index]!]!);
  }

  end(): Iterable<Uint8Array> {
    return [];
  }
}

/** The text of each row as a field. */
function textField(name: string): AddedField {
  return {
    name,
    write(out, results, row, field, spell) {
      const { bytes, starts, ends } = textSpans(results, row, field);
      out.text(spell(decodeLine(bytes.subarray(starts[row], ends[row]))));
    },
  };
}

/** Where the text of a row lies: of an invalid row that is kept, what was given. */
function textSpans({ rows, texts }: ResultBatch, row: number, field: number): Spans {
  return field === GIVEN ? givenSpans(rows, row) : texts!;
}
