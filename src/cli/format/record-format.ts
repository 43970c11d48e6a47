import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import type { Records } from '../rows/open-framing.ts';
import type { ByteWriter } from '../stage/byte-writer.ts';
import type { Results, Row } from '../stage/stage.ts';
import { RowByRow } from './format.ts';

const QUOTE = 0x22;
const LEFT_BRACE = 0x7b;

/** Spells a text as a field of a record. */
type Spell = (text: string) => string;

/** What a record gains. */
export interface AddedField<R extends Results> {
  /** What its column is called in a header, and in a JSON object after `urlsum`. */
  readonly name: string;
  /** Writes it for a row that has a result. */
  write(out: ByteWriter, results: R, row: Row, spell: Spell): void;
}

/**
 * Records with fields more, after the others: columns of a table, members of a JSON object. Each record stands as it
 * was, and so does its line end.
 */
export class RecordFormat<R extends Results> extends RowByRow<R> {
  readonly #added: readonly AddedField<R>[];
  readonly #records: Records;

  constructor(records: Records, added: readonly AddedField<R>[]) {
    super((out, results, row, hasResult, lineEnd) => {
      this.#write(out, results, row, hasResult);
      if (results.rows.bytes[row.end] === CARRIAGE_RETURN) out.byte(CARRIAGE_RETURN);
      out.byte(lineEnd);
    }, LINE_FEED);
    this.#records = records;
    this.#added = added;
  }

  header(header: Uint8Array): Uint8Array {
    const text = Buffer.from(header.buffer, header.byteOffset, header.length).toString('latin1');
    const end = /\r?\n$/.exec(text)?.[0] ?? '';
    const added = Buffer.from(`${this.#columnNames()}${end || '\n'}`);
    return Buffer.concat([header.subarray(0, header.length - end.length), added]);
  }

  #write(out: ByteWriter, results: R, row: Row, hasResult: boolean): void {
    const closingBrace = results.rows.closingBraces?.[row.row] ?? -1;
    if (closingBrace !== -1) return this.#writeObject(out, results, row, hasResult, closingBrace);
    out.bytes(results.rows.bytes, row.start, row.end);
    if (row.isCaption) out.text(this.#columnNames());
    else if (this.#records.kind !== 'json') this.#writeColumns(out, results, row, hasResult);
  }

  #writeColumns(out: ByteWriter, results: R, row: Row, hasResult: boolean): void {
    const { delimiter } = this.#records;
    for (const { write } of this.#added) {
      out.text(delimiter);
      if (hasResult) write(out, results, row, (text) => fieldOf(text, delimiter));
    }
  }

  /** An object without the value is left as it is; where the value is not a URL, the added fields are null. */
  #writeObject(out: ByteWriter, results: R, row: Row, hasResult: boolean, closingBrace: number): void {
    const { bytes, malformed } = results.rows;
    if (!hasResult && malformed.has(row.row)) return out.bytes(bytes, row.start, row.end);
    out.bytes(bytes, row.start, closingBrace);
    let comma = hasMembers(bytes, closingBrace) ? ',' : '';
    for (const { name, write } of this.#added) {
      out.text(`${comma}"${memberName(name)}":`);
      if (hasResult) out.byte(QUOTE);
      if (hasResult) write(out, results, row, (text) => JSON.stringify(text).slice(1, -1));
      if (hasResult) out.byte(QUOTE);
      else out.text('null');
      comma = ',';
    }
    out.bytes(bytes, closingBrace, row.end);
  }

  #columnNames(): string {
    return this.#added.map(({ name }) => `${this.#records.delimiter}${name}`).join('');
  }
}

function memberName(name: string): string {
  return name === 'urlsum' ? name : `urlsum_${name}`;
}

/** Before the closing brace of an object without members there is only space, and its opening brace. */
function hasMembers(bytes: Uint8Array, closingBrace: number): boolean {
  let at = closingBrace - 1;
  while (bytes[at]! <= 0x20) at--;
  return bytes[at] !== LEFT_BRACE;
}

/** A field as CSV (RFC 4180) spells it; a table with another delimiter has no quoting. */
function fieldOf(text: string, delimiter: string): string {
  return delimiter === ',' && /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
