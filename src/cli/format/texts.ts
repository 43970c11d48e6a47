import { decodeLine } from '../../bytes/utf8.ts';
import type { OnError } from '../rows/on-error.ts';
import type { Records } from '../rows/open-framing.ts';
import { givenIn } from '../rows/values.ts';
import type { Row } from '../stage/stage.ts';
import type { Texts } from '../stage/texts.ts';
import { type Format, RowByRow } from './format.ts';
import { type AddedField, RecordFormat } from './record-format.ts';

export interface TextFormatOptions {
  readonly lineEnd: number;
  /** Rows that are records, which pass through. */
  readonly records: Records | undefined;
}

/** A line per row, or a field added to each record, called `name` there. */
export function openTextFormat({ lineEnd, records }: TextFormatOptions, name: string, empty = ''): Format<Texts> {
  return records === undefined ? new LinePerRow(lineEnd, empty) : new RecordFormat(records, [textField(name)]);
}

/** The text of each row as a line; `empty` stands for that of an invalid one. */
class LinePerRow extends RowByRow<Texts> {
  readonly #empty: string;

  constructor(lineEnd: number, empty: string) {
    super((out, texts, row, hasResult) => {
      const { bytes, start, end } = textAt(texts, row);
      if (hasResult) out.bytes(bytes, start, end);
      else out.text(empty);
      out.byte(lineEnd);
    }, lineEnd);
    this.#empty = empty;
  }

  block({ bytes, problems }: Texts, onError: OnError): Uint8Array | undefined {
    return problems.length === 0 || (onError === 'null' && this.#empty === '') ? bytes : undefined;
  }
}

/** Texts that are any number of lines each: they are written as they are. */
export class Lines extends RowByRow<Texts> {
  constructor(lineEnd: number) {
    super((out, { bytes, ends }, { row }) => out.bytes(bytes, ends[row - 1] ?? 0, ends[row]!), lineEnd);
  }

  block({ bytes, problems }: Texts, onError: OnError): Uint8Array | undefined {
    return problems.length === 0 || onError !== 'fail' ? bytes : undefined;
  }
}

/** The text of each row as a field. */
function textField(name: string): AddedField<Texts> {
  return {
    name,
    write(out, texts, row, spell) {
      const { bytes, start, end } = textAt(texts, row);
      out.text(spell(decodeLine(bytes.subarray(start, end))));
    },
  };
}

/** Where the text of a row lies, without its line end: of an invalid row that is kept, what was given. */
function textAt({ rows, bytes, ends }: Texts, { row, start, end, isInvalid }: Row) {
  if (!isInvalid) return { bytes, start: ends[row - 1] ?? 0, end: ends[row]! - 1 };
  const given = givenIn(rows, row, start, end);
  return { bytes: given, start: 0, end: given.length };
}
