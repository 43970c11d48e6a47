import { CARRIAGE_RETURN, COMMA, LEFT_BRACE, LINE_FEED, QUOTE, SPACE } from '../../core/bytes/code-points.ts';
import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { asciiBytes, textEncoder } from '../../core/bytes/text.ts';
import { type Batch, HEADING, MALFORMED, NO_BRACE } from '../read/batch.ts';
import type { AddedName, Records } from '../read/framing.ts';
import { EMPTY, type Format, type Results, type SelectedRows } from '../work/results.ts';

const NULL = asciiBytes('null');

/** A field that a record gains: hex digits or words, which need no quoting, or a text, which may be missing. */
export type AddedField = { readonly name: AddedName } & (
  | { write(out: GrowingBytes, results: Results, row: number): void }
  | { textOf(results: Results, row: number, field: number): string | undefined }
);

/**
 * Writes records with added fields after the others: columns of a table, members of a JSON object. Each record stays as
 * it is, with its line end; a last record without one gains it.
 */
export class RecordFormat implements Format {
  readonly #added: readonly AddedField[];
  readonly #records: Records;
  readonly #memberNames: readonly Uint8Array[];

  constructor(records: Records, added: readonly AddedField[]) {
    this.#records = records;
    this.#added = added;
    this.#memberNames = added.map(({ name }) => textEncoder().encode(`${JSON.stringify(name.member)}:`));
  }

  write(results: Results, { rows: kept, count, fields }: SelectedRows, out: GrowingBytes): void {
    const { kinds, closingBraces } = results.batch;
    const { bytes, starts, ends } = results.batch.rows;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const delimiter = textEncoder().encode(this.#delimiterIn(results.batch));
    let [from, to] = [0, 0]; // the text that waits: neighbours are copied at once, from one added field to the next
    for (let index = 0; index < count; index++) {
      const row = kept[index]!;
      if (starts[row] !== to) {
        out.run(bytes, view, from, to);
        from = starts[row]!;
      }
      const isObject = closingBraces[row] !== NO_BRACE;
      const place = isObject ? closingBraces[row]! : ends[row]!;
      out.run(bytes, view, from, place);
      if (isObject) this.#writeMembers(out, results, row, fields[row]!);
      else if (kinds[row] === HEADING)
        for (const { name } of this.#added) out.text(this.#delimiterIn(results.batch) + name.column);
      else if (this.#records.kind !== 'json') this.#writeColumns(out, results, row, fields[row]!, delimiter);
      from = place;
      to = lineEndAfter(bytes, ends[row]!);
      if (bytes[to - 1] === LINE_FEED) continue;
      out.bytes(bytes, from, to);
      out.byte(LINE_FEED);
      from = to;
    }
    out.run(bytes, view, from, to);
  }

  #writeColumns(out: GrowingBytes, results: Results, row: number, field: number, delimiter: Uint8Array): void {
    for (const added of this.#added) {
      out.fewBytes(delimiter);
      if (field === EMPTY) continue;
      if ('write' in added) added.write(out, results, row);
      else out.text(this.#spelled(added.textOf(results, row, field) ?? '', this.#delimiterIn(results.batch)));
    }
  }

  /** An object without the value stays as it is; if the value is not a URL, the added fields are null. */
  #writeMembers(out: GrowingBytes, results: Results, row: number, field: number): void {
    const { rows, kinds, closingBraces } = results.batch;
    if (field === EMPTY && kinds[row] === MALFORMED) return;
    let hasMember = hasMembers(rows.bytes, closingBraces[row]!);
    for (let index = 0; index < this.#added.length; index++) {
      if (hasMember) out.byte(COMMA);
      hasMember = true;
      out.fewBytes(this.#memberNames[index]!);
      if (field === EMPTY) out.fewBytes(NULL);
      else this.#writeValue(out, results, row, field, this.#added[index]!);
    }
  }

  #writeValue(out: GrowingBytes, results: Results, row: number, field: number, added: AddedField): void {
    if ('textOf' in added) return out.text(JSON.stringify(added.textOf(results, row, field) ?? null));
    out.byte(QUOTE);
    added.write(out, results, row);
    out.byte(QUOTE);
  }

  #spelled(text: string, delimiter: string): string {
    return this.#records.kind === 'csv' ? csvField(text, delimiter) : text; // the other tables have no quoting
  }

  #delimiterIn({ delimiter = this.#records.delimiter }: Batch): string {
    return delimiter;
  }
}

/** Spells a field of CSV: RFC 4180, section 2. */
export function csvField(text: string, delimiter: string): string {
  return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the end of a record's line: after CR, LF or both, or where the input ends. */
function lineEndAfter(bytes: Uint8Array, end: number): number {
  const feed = bytes[end] === CARRIAGE_RETURN ? end + 1 : end;
  return bytes[feed] === LINE_FEED ? feed + 1 : Math.min(feed, bytes.length);
}

/** An object without members has only white space between its braces. */
function hasMembers(bytes: Uint8Array, closingBrace: number): boolean {
  let at = closingBrace - 1;
  while (bytes[at]! <= SPACE) at--;
  return bytes[at] !== LEFT_BRACE;
}
