import { CARRIAGE_RETURN, COMMA, LINE_FEED, QUOTE, SPACE } from '../../core/bytes/code-points.ts';
import { withoutRecordEnd } from '../../core/bytes/lines.ts';

/** The form of a table: how the fields of a record are told apart. */
export interface TableForm {
  /** A byte of ASCII that is not part of a line end. */
  readonly separator: number;
  /**
   * Whether fields may be in quotation marks, as in comma-separated values (RFC 4180): such a field can contain the
   * separator, line feeds and, doubled, quotation marks. Otherwise a field has neither the separator nor a line feed, as
   * in tab-separated values as IANA registers them (text/tab-separated-values).
   */
  readonly isQuoted: boolean;
}

export const CSV: TableForm = { separator: COMMA, isQuoted: true };

/** Whether records may have any number of fields: lines of logs, in which spaces in a row separate two, as in awk. */
export function isRagged({ separator, isQuoted }: TableForm): boolean {
  return separator === SPACE && !isQuoted;
}

/** The value of a field is bytes [fieldStart, fieldEnd): what is between its quotation marks. */
export interface Field {
  readonly fieldStart: number;
  readonly fieldEnd: number;
  /** Whether quotation marks in it are doubled. */
  readonly isDoubled: boolean;
}

/** Returns the value of a field, with one quotation mark for each two in it. */
export function valueOf(bytes: Uint8Array, { fieldStart, fieldEnd, isDoubled }: Field): Uint8Array {
  const value = bytes.subarray(fieldStart, fieldEnd);
  let isFirst = false;
  return isDoubled ? value.filter((byte) => byte !== QUOTE || (isFirst = !isFirst)) : value;
}

/** Stands for a column where all fields are wanted. */
export const EVERY = -1;

/** A record that is still in quotes this many bytes after its start has a quotation mark too many or too few. */
const LIMIT_BYTES = 1 << 24;

const TEXT_AFTER_QUOTE = 'text follows a closing quotation mark';
const LEFT_OPEN = 'a quotation mark is left open';
type Malformation = typeof TEXT_AFTER_QUOTE | typeof LEFT_OPEN;

/** Stands for a byte that a table lacks. */
const NONE = -1;

/**
 * The states of the scan: at the start of a field, in an unquoted one, in a quoted one, after a quotation mark there,
 * or in a line that is lost.
 */
const START = 0;
const UNQUOTED = 1;
const QUOTED = 2;
const CLOSED = 3;
const LOST = 4;

/**
 * Finds the records of a table in bytes that come in pieces: those of RFC 4180, section 2, or lines. A record ends in
 * LF or CR LF; at the end of the input, both or the LF alone may be missing. A quotation mark opens a field at its
 * start, and is text elsewhere.
 *
 * A record is malformed if text follows a closing quotation mark, or if a quotation mark is open at the end of the
 * input or `limitBytes` after the start of the record. Its lines up to that place are then read one by one: those in
 * which a quotation mark is left open, or followed by text, are malformed records, the others are records. So a
 * malformed record costs one line, wherever the pieces are cut.
 *
 * No byte is read more than three times: a line that is open at a line feed before the place of a fault is in the same
 * state there as the record that failed. It would fail at the same place, so it is not read on.
 */
export class TableRecords implements Field {
  /** The record that was found, with its line end: [start, end). */
  start = 0;
  end = 0;
  /** The reason why it is not a record, and has no fields. */
  malformation: Malformation | undefined;
  fieldCount = 0;
  /** The field of the wanted column, if the record has as many. */
  fieldStart = 0;
  fieldEnd = 0;
  isDoubled = false;
  /** All fields, if EVERY one is wanted. */
  readonly fields: Field[] = [];
  readonly #separator: number;
  /** The byte that opens and closes fields, or none. */
  readonly #mark: number;
  readonly #isRagged: boolean;
  readonly #column: number;
  readonly #limitBytes: number;
  #state = START;
  /** The next byte to read. */
  #at = 0;
  /** Start of the field that is being read. */
  #openField = 0;
  #isOpenDoubled = false;
  #isFound = false;
  /** Lines that end before this place are read one by one. */
  #faultAt = 0;

  /** @param column index of the field that is kept, or EVERY */
  constructor(form: TableForm, column: number, limitBytes = LIMIT_BYTES) {
    this.#separator = form.separator;
    this.#mark = form.isQuoted ? QUOTE : NONE;
    this.#isRagged = isRagged(form);
    this.#column = column;
    this.#limitBytes = limitBytes;
  }

  /**
   * Goes to the next record. Returns false if `bytes` have no whole one left.
   *
   * @param bytes those of the last call, and any number after them
   * @param isEnd whether the input ends with them
   */
  next(bytes: Uint8Array, isEnd: boolean): boolean {
    if (this.#isFound) this.#begin();
    const limit = this.start + this.#limitBytes;
    const lineByLineEnd = Math.min(this.#faultAt, limit);
    let at = this.#at;
    let state = this.#state;
    while (at < bytes.length) {
      if (state === UNQUOTED) {
        at = this.#unquotedEnd(bytes, at);
        if (bytes[at] === LINE_FEED) return this.#found(bytes, at + 1);
        if (at === bytes.length) break;
        this.#endField(bytes, at++);
        state = START;
        continue;
      }
      const byte = bytes[at]!;
      if (state === START) {
        state = byte === this.#mark ? QUOTED : UNQUOTED;
        if (state === QUOTED) at++;
      } else if (state === QUOTED && at < lineByLineEnd) {
        if (byte === LINE_FEED) return this.#lost(at + 1, LEFT_OPEN);
        if (byte === QUOTE) state = CLOSED;
        at++;
      } else if (state === QUOTED) {
        const quote = bytes.indexOf(QUOTE, at);
        if ((quote === -1 ? bytes.length : quote) >= limit) {
          if (this.#fault(bytes, Math.max(at, limit), LEFT_OPEN)) return true;
          [at, state] = [this.#at, LOST];
        } else if (quote === -1) {
          at = bytes.length;
        } else {
          at = quote + 1;
          state = CLOSED;
        }
      } else if (state === CLOSED) {
        if (byte === QUOTE) {
          this.#isOpenDoubled = true;
          state = QUOTED;
          at++;
        } else if (byte === this.#separator) {
          this.#endField(bytes, at++);
          state = START;
        } else if (byte === LINE_FEED) {
          return this.#found(bytes, at + 1);
        } else if (byte === CARRIAGE_RETURN && at + 1 === bytes.length) {
          if (isEnd) return this.#found(bytes, at + 1);
          break; // the byte after it decides
        } else if (byte === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) {
          return this.#found(bytes, at + 2);
        } else {
          if (this.#fault(bytes, at, TEXT_AFTER_QUOTE)) return true;
          [at, state] = [this.#at, LOST];
        }
      } else {
        const feed = bytes.indexOf(LINE_FEED, at);
        if (feed !== -1) return this.#lost(feed + 1, this.malformation!);
        at = bytes.length;
      }
    }
    this.#at = at;
    this.#state = state;
    return isEnd && at > this.start && this.#last(bytes);
  }

  /** Releases the bytes before the incomplete record, and returns their number. */
  release(): number {
    const released = this.start;
    this.start = 0;
    this.#at -= released;
    this.#openField -= released;
    this.fieldStart -= released;
    this.fieldEnd -= released;
    this.#faultAt -= released;
    return released;
  }

  #begin(): void {
    this.#isFound = false;
    this.start = this.end;
    this.#at = this.end;
    this.#openField = this.end;
    this.#state = START;
    this.#isOpenDoubled = false;
    this.fieldCount = 0;
    if (this.#column === EVERY) this.fields.length = 0; // which takes 90 ns
    this.malformation = undefined;
  }

  /** Returns the place of the separator or line feed that ends an unquoted field, or the end of the bytes. */
  #unquotedEnd(bytes: Uint8Array, start: number): number {
    const separator = this.#separator; // in a local: fields of the class are read again in each iteration
    let at = start;
    while (at < bytes.length && bytes[at] !== separator && bytes[at] !== LINE_FEED) at++;
    return at;
  }

  #endField(bytes: Uint8Array, end: number): void {
    const start = this.#openField;
    this.#openField = end + 1;
    if (this.#isRagged && start === end) return;
    const index = this.fieldCount++;
    if (index === this.#column || this.#column === EVERY) this.#keepField(bytes, start, end);
    this.#isOpenDoubled = false;
  }

  #keepField(bytes: Uint8Array, start: number, end: number): void {
    const markBytes = bytes[start] === this.#mark ? 1 : 0;
    this.fieldStart = start + markBytes;
    this.fieldEnd = end - markBytes;
    this.isDoubled = this.#isOpenDoubled;
    const { fieldStart, fieldEnd, isDoubled } = this;
    if (this.#column === EVERY) this.fields.push({ fieldStart, fieldEnd, isDoubled });
  }

  #found(bytes: Uint8Array, end: number): true {
    this.#endField(bytes, withoutRecordEnd(bytes, this.#openField, end));
    this.end = end;
    return (this.#isFound = true);
  }

  #lost(end: number, malformation: Malformation): true {
    this.malformation = malformation;
    this.end = end;
    return (this.#isFound = true);
  }

  /** Gives up the first line of a record that failed at `at`. Returns false if the line's end is not read yet. */
  #fault(bytes: Uint8Array, at: number, malformation: Malformation): boolean {
    this.#faultAt = Math.max(this.#faultAt, at);
    const feed = bytes.indexOf(LINE_FEED, this.start);
    if (feed !== -1) return this.#lost(feed + 1, feed < at ? LEFT_OPEN : malformation);
    this.malformation = malformation;
    this.#at = Math.min(at, bytes.length);
    return false;
  }

  /** Ends the last record of the input, which lacks its line feed. */
  #last(bytes: Uint8Array): true {
    if (this.#state === LOST) return this.#lost(bytes.length, this.malformation!);
    if (this.#state !== QUOTED) return this.#found(bytes, bytes.length);
    return this.#fault(bytes, bytes.length, LEFT_OPEN) || this.#lost(bytes.length, LEFT_OPEN);
  }
}
