import { cutterAfter } from '../../core/bulk/hash-stream.ts';
import { LINE_FEED, SPACE } from '../../core/bytes/code-points.ts';
import { withoutRecordEnd } from '../../core/bytes/lines.ts';
import type { Table, TableRecords } from './table.ts';

/**
 * One record per line, without quoting or escapes, so a field has neither the delimiter nor a line feed. With tabs
 * these are tab-separated values as IANA registers them (text/tab-separated-values). With spaces they are the lines of
 * logs: spaces in a row separate two fields, as in awk, and lines may have any number of fields.
 *
 * @param delimiter one ASCII character
 */
export function delimitedBy(delimiter: string): Table {
  const separator = delimiter.charCodeAt(0);
  const isRagged = separator === SPACE;
  return {
    cutter: () => cutterAfter(LINE_FEED),
    records: (column) => new DelimitedRecords(separator, column),
    valuesOf(record) {
      const values: Uint8Array[] = [];
      const recordEnd = withoutRecordEnd(record, 0, record.length);
      for (let start = 0; start <= recordEnd; ) {
        const found = record.indexOf(separator, start);
        const end = found === -1 ? recordEnd : found;
        if (!isRagged || end > start) values.push(record.subarray(start, end));
        start = end + 1;
      }
      return values;
    },
    writeValue(block, start, end, into, at) {
      for (let from = start; from < end; from++) into[at + from - start] = block[from]!;
      return at + end - start;
    },
    isRagged,
  };
}

class DelimitedRecords implements TableRecords {
  start = 0;
  end = 0;
  readonly malformation = undefined;
  fieldCount = 0;
  fieldStart = 0;
  fieldEnd = 0;
  readonly #separator: number;
  readonly #column: number;

  constructor(separator: number, column: number) {
    this.#separator = separator;
    this.#column = column;
  }

  next(block: Uint8Array): boolean {
    if (this.end >= block.length) return false;
    const feed = block.indexOf(LINE_FEED, this.end);
    this.start = this.end;
    this.end = feed === -1 ? block.length : feed + 1;
    this.#findField(block, withoutRecordEnd(block, this.start, this.end));
    return true;
  }

  /** Counts the fields of the record and keeps the bounds of one. */
  #findField(block: Uint8Array, recordEnd: number): void {
    const [separator, column] = [this.#separator, this.#column];
    const isRagged = separator === SPACE;
    let fieldCount = 0;
    for (let start = this.start, at = start; at <= recordEnd; at++) {
      if (at < recordEnd && block[at] !== separator) continue;
      if ((!isRagged || at > start) && fieldCount++ === column) {
        this.fieldStart = start;
        this.fieldEnd = at;
      }
      start = at + 1;
    }
    this.fieldCount = fieldCount;
  }
}
