import { cutterAfter } from '../../bulk/line-blocks.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import { contentEnd } from './content-end.ts';
import type { Table } from './table.ts';

/**
 * One record per line, without quoting or escapes, so a field holds neither the delimiter nor a line feed. With tabs
 * these are tab-separated values as IANA registers them (text/tab-separated-values).
 *
 * @param delimiter one ASCII character
 */
export function delimitedBy(delimiter: string): Table {
  const separator = delimiter.charCodeAt(0);
  return {
    delimiter,
    cutter: () => cutterAfter(LINE_FEED),
    eachRecord(block, column, visit) {
      const record = { start: 0, end: 0, malformation: undefined, fieldCount: 0, fieldStart: 0, fieldEnd: 0 };
      for (let start = 0; start < block.length; start = record.end) {
        const feed = block.indexOf(LINE_FEED, start);
        record.start = start;
        record.end = feed === -1 ? block.length : feed + 1;
        findField(block, record, column, separator);
        if (visit(record) === false) return;
      }
    },
    valuesOf(record) {
      const values: Uint8Array[] = [];
      const recordEnd = contentEnd(record, 0, record.length);
      for (let start = 0; start <= recordEnd; start += values.at(-1)!.length + 1) {
        const found = record.indexOf(separator, start);
        values.push(record.subarray(start, found === -1 ? recordEnd : found));
      }
      return values;
    },
    writeValue(block, start, end, into, at) {
      for (let from = start; from < end; from++) into[at + from - start] = block[from]!;
      return at + end - start;
    },
  };
}

interface Fields {
  readonly start: number;
  readonly end: number;
  fieldCount: number;
  fieldStart: number;
  fieldEnd: number;
}

/** Counts the fields of a record and notes the bounds of one. */
function findField(block: Uint8Array, record: Fields, column: number, separator: number): void {
  const recordEnd = contentEnd(block, record.start, record.end);
  record.fieldCount = 0;
  for (let start = record.start, at = start; at <= recordEnd; at++) {
    if (at < recordEnd && block[at] !== separator) continue;
    if (record.fieldCount++ === column) {
      record.fieldStart = start;
      record.fieldEnd = at;
    }
    start = at + 1;
  }
}
