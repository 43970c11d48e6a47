import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import { NO_BRACE } from '../rows/framing.ts';
import type { OnError } from '../rows/on-error.ts';
import type { Records } from '../rows/open-framing.ts';
import { ByteWriter } from '../stage/byte-writer.ts';
import { eachResult, type Results, type Row } from '../stage/stage.ts';
import { RowByRow } from './format.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const LEFT_BRACE = 0x7b;

const NULL = Buffer.from('null');
const NOTHING = new Uint8Array(0);

/** Spells a text as a field of a record. */
type Spell = (text: string) => string;

/** What a record gains. */
export interface AddedField<R extends Results> {
  /** What its column is called in a header, and in a JSON object after `urlsum`. */
  readonly name: string;
  /** Writes it for a row that has a result. */
  write(out: ByteWriter, results: R, row: Row, spell: Spell): void;
}

/** Writes the fields of many records at once: of rows with a result, one after another. */
export interface Insertion<R extends Results> {
  /** Begins with the first byte of a block. */
  open(results: R): void;
  /** Adds the fields of `row` at `place` in the block, as members of an object or as columns; or leaves that, false. */
  add(out: ByteWriter, row: number, place: number, areMembers: boolean): boolean;
  /** Writes what was added, and the block up to `place`. */
  flush(out: ByteWriter, place: number): void;
}

/** Leaves every row: copies what lies between two places, line ends and all. */
class OneByOne<R extends Results> implements Insertion<R> {
  #bytes: Uint8Array = NOTHING;
  #copied = 0;

  open({ rows }: R): void {
    this.#bytes = rows.bytes;
    this.#copied = 0;
  }

  add(): boolean {
    return false;
  }

  flush(out: ByteWriter, place: number): void {
    out.bytes(this.#bytes, this.#copied, place);
    this.#copied = place;
  }
}

/**
 * Records with added fields, after the others: columns of a table, members of a JSON object. Each record stands as it
 * was, and so does its line end.
 */
export class RecordFormat<R extends Results> extends RowByRow<R> {
  readonly #added: readonly AddedField<R>[];
  readonly #records: Records;
  readonly #memberNames: readonly Uint8Array[];
  readonly #insertion: Insertion<R>;
  readonly #blockWriter = new ByteWriter();

  /** @param insertion writes the same fields at once; members as of an object that has others */
  constructor(records: Records, added: readonly AddedField<R>[], insertion: Insertion<R> = new OneByOne()) {
    super((out, results, row, hasResult, lineEnd) => {
      this.#write(out, results, row, hasResult);
      if (results.rows.bytes[row.end] === CARRIAGE_RETURN) out.byte(CARRIAGE_RETURN);
      out.byte(lineEnd);
    }, LINE_FEED);
    this.#records = records;
    this.#added = added;
    this.#insertion = insertion;
    this.#memberNames = added.map(({ name }) => Buffer.from(`"${memberName(name)}":`));
  }

  header(header: Uint8Array): Uint8Array {
    const text = Buffer.from(header.buffer, header.byteOffset, header.length).toString('latin1');
    const end = /\r?\n$/.exec(text)?.[0] ?? '';
    const added = Buffer.from(`${this.#columnNames()}${end || '\n'}`);
    return Buffer.concat([header.subarray(0, header.length - end.length), added]);
  }

  /** What stays as it was is copied in long pieces, line ends and all. */
  block(results: R, onError: OnError): Uint8Array | undefined {
    const { rows, problems } = results;
    const isEveryRowOut = problems.length === 0 || onError === 'null' || onError === 'keep';
    if (!isEveryRowOut || rows.skipped.length > 0) return undefined;
    const out = this.#blockWriter;
    const insertion = this.#insertion;
    insertion.open(results);
    eachResult(results, (row) => {
      const closingBrace = rows.closingBraceOf?.(row.row) ?? NO_BRACE;
      const areMembers = closingBrace !== NO_BRACE;
      const place = areMembers ? closingBrace : row.end;
      if (!row.isInvalid && !row.isCaption && insertion.add(out, row.row, place, areMembers)) return;
      insertion.flush(out, place);
      const hasResult = !row.isInvalid || onError === 'keep';
      if (areMembers) this.#writeMembers(out, results, row, hasResult, closingBrace);
      else this.#writeAfter(out, results, row, hasResult);
    });
    insertion.flush(out, rows.bytes.length);
    if (rows.bytes.length > 0 && rows.bytes[rows.bytes.length - 1] !== LINE_FEED) out.byte(LINE_FEED);
    return out.take();
  }

  #write(out: ByteWriter, results: R, row: Row, hasResult: boolean): void {
    const closingBrace = results.rows.closingBraceOf?.(row.row) ?? NO_BRACE;
    if (closingBrace !== NO_BRACE) return this.#writeObject(out, results, row, hasResult, closingBrace);
    out.bytes(results.rows.bytes, row.start, row.end);
    this.#writeAfter(out, results, row, hasResult);
  }

  #writeAfter(out: ByteWriter, results: R, row: Row, hasResult: boolean): void {
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

  #writeObject(out: ByteWriter, results: R, row: Row, hasResult: boolean, closingBrace: number): void {
    const { bytes } = results.rows;
    out.bytes(bytes, row.start, closingBrace);
    this.#writeMembers(out, results, row, hasResult, closingBrace);
    out.bytes(bytes, closingBrace, row.end);
  }

  /** An object without the value is left as it is; where the value is not a URL, the added fields are null. */
  #writeMembers(out: ByteWriter, results: R, row: Row, hasResult: boolean, closingBrace: number): void {
    const { bytes, malformed } = results.rows;
    if (!hasResult && malformed.has(row.row)) return;
    let hasMember = hasMembers(bytes, closingBrace);
    for (let index = 0; index < this.#added.length; index++) {
      if (hasMember) out.byte(COMMA);
      hasMember = true;
      out.fewBytes(this.#memberNames[index]!);
      if (hasResult) this.#writeString(out, results, row, this.#added[index]!);
      else out.fewBytes(NULL);
    }
  }

  #writeString(out: ByteWriter, results: R, row: Row, { write }: AddedField<R>): void {
    out.byte(QUOTE);
    write(out, results, row, spellMember);
    out.byte(QUOTE);
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

/** In the quotation marks of a JSON string. */
function spellMember(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A field as CSV (RFC 4180) spells it; a table with another delimiter has no quoting. */
function fieldOf(text: string, delimiter: string): string {
  return delimiter === ',' && /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
