import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import type { ByteWriter } from '../stage/byte-writer.ts';
import type { Results, Row } from '../stage/stage.ts';
import { RowByRow } from './format.ts';

export interface AddedColumn<R extends Results> {
  /** What it is called in the header. */
  readonly name: string;
  /** Between two fields. */
  readonly delimiter: string;
  /** Writes its field of one record, which has a result. */
  write(out: ByteWriter, results: R, row: Row): void;
}

/** A table with a column more, after the others: each record stands as it was, and so does its line end. */
export class TableFormat<R extends Results> extends RowByRow<R> {
  readonly #added: AddedColumn<R>;

  constructor(added: AddedColumn<R>) {
    super((out, results, row, hasResult, lineEnd) => {
      out.bytes(results.rows.bytes, row.start, row.end);
      out.text(added.delimiter);
      if (hasResult) added.write(out, results, row);
      if (results.rows.bytes[row.end] === CARRIAGE_RETURN) out.byte(CARRIAGE_RETURN);
      out.byte(lineEnd);
    }, LINE_FEED);
    this.#added = added;
  }

  header(header: Uint8Array): Uint8Array {
    const text = Buffer.from(header.buffer, header.byteOffset, header.length).toString('latin1');
    const end = /\r?\n$/.exec(text)?.[0] ?? '';
    const added = Buffer.from(`${this.#added.delimiter}${this.#added.name}${end || '\n'}`);
    return Buffer.concat([header.subarray(0, header.length - end.length), added]);
  }
}

/** A field as CSV (RFC 4180) spells it; a table with another delimiter knows no quoting. */
export function fieldOf(text: string, delimiter: string): string {
  return delimiter === ',' && /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
