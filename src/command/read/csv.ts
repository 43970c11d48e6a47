import { CARRIAGE_RETURN, COMMA, LINE_FEED, QUOTE } from '../../core/bytes/code-points.ts';
import { withoutRecordEnd } from '../../core/bytes/lines.ts';
import { asciiText } from '../../core/bytes/text.ts';
import { EVERY, type NamedSeparator, type Table, type TableRecords } from './table.ts';

/**
 * Comma-separated values (RFC 4180), or values with another separator: a field in quotation marks can contain it, line
 * feeds and, doubled, quotation marks. Excel takes the separator from a first line such as `sep=;`.
 */
export function separatedBy(separator: number): Table {
  return {
    cutter() {
      let records: CsvRecords | undefined;
      return (bytes) => {
        if (records === undefined && mayNameSeparator(bytes)) return 0;
        records ??= new CsvRecords(0, LIMIT_BYTES, separatorIn(bytes)?.separator ?? separator);
        while (records.next(bytes, false));
        return records.release();
      };
    },
    records: (column, named = separator) => new CsvRecords(column, LIMIT_BYTES, named),
    separatorIn,
    writeValue,
    isRagged: false,
  };
}

export const CSV = separatedBy(COMMA);

const NAMING = 'sep=';
const NAMING_BYTES = NAMING.length + 3;

function separatorIn(start: Uint8Array): NamedSeparator | undefined {
  const [line, separator] = /^sep=([^\r\n"])\r?\n/.exec(asciiText(start.subarray(0, NAMING_BYTES))) ?? [];
  return line === undefined ? undefined : { separator: separator!.charCodeAt(0), end: line.length };
}

/** Whether it takes more bytes to tell. */
function mayNameSeparator(start: Uint8Array): boolean {
  return start.length < NAMING_BYTES && asciiText(start.subarray(0, NAMING.length)) === NAMING.slice(0, start.length);
}

/** Leaves out the quotation marks around a field, and writes one for each two in it. */
function writeValue(block: Uint8Array, start: number, end: number, into: Uint8Array, at: number): number {
  const isQuoted = block[start] === QUOTE && start < end;
  const [first, last] = isQuoted ? [start + 1, end - 1] : [start, end];
  let valueEnd = at;
  for (let from = first; from < last; from++) {
    const byte = block[from]!;
    into[valueEnd++] = byte;
    if (isQuoted && byte === QUOTE) from++;
  }
  return valueEnd;
}

/** A record that is still in quotes this many bytes after its start has a quotation mark too many or too few. */
const LIMIT_BYTES = 1 << 24;

const TEXT_AFTER_QUOTE = 'text follows a closing quotation mark';
const LEFT_OPEN = 'a quotation mark is left open';
type Malformation = typeof TEXT_AFTER_QUOTE | typeof LEFT_OPEN;

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
 * Finds the records of RFC 4180, section 2, in bytes that come in pieces. A record ends in LF or CR LF; at the end of
 * the input, both or the LF alone may be missing. A quotation mark opens a field at its start, and is text elsewhere.
 *
 * A record is malformed if text follows a closing quotation mark, or if a quotation mark is open at the end of the
 * input or `limitBytes` after the start of the record. Its lines up to that place are then read one by one: those in
 * which a quotation mark is left open, or followed by text, are malformed records, the others are records. So a
 * malformed record costs one line, wherever the pieces are cut.
 *
 * No byte is read more than three times: a line that is open at a line feed before the place of a fault is in the same
 * state there as the record that failed. It would fail at the same place, so it is not read on.
 */
export class CsvRecords implements TableRecords {
  /** The record that was found, with its line end: [start, end). */
  start = 0;
  end = 0;
  malformation: Malformation | undefined;
  fieldCount = 0;
  /** The field of the wanted column, with its quotation marks: [fieldStart, fieldEnd), if the record has one. */
  fieldStart = 0;
  fieldEnd = 0;
  readonly bounds: number[] = [];
  readonly #column: number;
  readonly #limitBytes: number;
  readonly #separator: number;
  #state = START;
  /** The next byte to read. */
  #at = 0;
  /** Start of the field that is being read. */
  #openField = 0;
  #isFound = false;
  /** Lines that end before this place are read one by one. */
  #faultAt = 0;

  /** @param column index of the field whose bounds are kept, or EVERY */
  constructor(column: number, limitBytes = LIMIT_BYTES, separator: number = COMMA) {
    this.#column = column;
    this.#limitBytes = limitBytes;
    this.#separator = separator;
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
        this.#endField(at++);
        state = START;
        continue;
      }
      const byte = bytes[at]!;
      if (state === START) {
        state = byte === QUOTE ? QUOTED : UNQUOTED;
        if (byte === QUOTE) at++;
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
          state = QUOTED;
          at++;
        } else if (byte === this.#separator) {
          this.#endField(at++);
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
    this.fieldCount = 0;
    this.bounds.length = 0;
    this.malformation = undefined;
  }

  /** Returns the place of the separator or line feed that ends an unquoted field, or the end of the bytes. */
  #unquotedEnd(bytes: Uint8Array, start: number): number {
    const separator = this.#separator; // in a local: fields of the class are read again in each iteration
    let at = start;
    while (at < bytes.length && bytes[at] !== separator && bytes[at] !== LINE_FEED) at++;
    return at;
  }

  #endField(end: number): void {
    if (this.fieldCount++ === this.#column) {
      this.fieldStart = this.#openField;
      this.fieldEnd = end;
    } else if (this.#column === EVERY) {
      this.bounds.push(this.#openField, end);
    }
    this.#openField = end + 1;
  }

  #found(bytes: Uint8Array, end: number): true {
    this.#endField(withoutRecordEnd(bytes, this.#openField, end));
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
