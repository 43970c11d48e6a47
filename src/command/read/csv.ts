import { COMMA, QUOTE } from '../../core/bytes/code-points.ts';
import { withoutRecordEnd } from '../../core/bytes/lines.ts';
import { CsvRecords } from './csv-records.ts';
import type { Table } from './table.ts';

/**
 * Comma-separated values (RFC 4180): a field in quotation marks can contain commas, line feeds and, doubled, quotation
 * marks.
 */
export const CSV: Table = {
  cutter() {
    const records = new CsvRecords(0);
    return (bytes) => {
      while (records.next(bytes, false));
      return records.release();
    };
  },
  records: (column) => new CsvRecords(column),
  valuesOf(record) {
    const values: Uint8Array[] = [];
    const recordEnd = withoutRecordEnd(record, 0, record.length);
    for (let start = 0; start <= recordEnd; ) {
      const end = fieldEnd(record, start, recordEnd);
      const value = new Uint8Array(end - start);
      values.push(value.subarray(0, writeValue(record, start, end, value, 0)));
      start = end + 1;
    }
    return values;
  },
  writeValue,
  isRagged: false,
};

function fieldEnd(record: Uint8Array, start: number, recordEnd: number): number {
  if (record[start] === QUOTE) return quotedEnd(record, start);
  const comma = record.indexOf(COMMA, start);
  return comma === -1 ? recordEnd : comma;
}

function quotedEnd(record: Uint8Array, start: number): number {
  let quote = record.indexOf(QUOTE, start + 1);
  while (record[quote + 1] === QUOTE) quote = record.indexOf(QUOTE, quote + 2);
  return quote + 1;
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
