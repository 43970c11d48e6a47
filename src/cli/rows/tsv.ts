import { cutterAfter } from '../../bulk/line-blocks.ts';
import { LINE_FEED, TAB } from '../../bytes/code-points.ts';
import { contentEnd } from './content-end.ts';
import type { Table } from './table.ts';

/**
 * Tab-separated values as IANA registers them (text/tab-separated-values): one record per line, no quoting and no
 * escapes, so a field holds neither tab nor line feed.
 */
export const TSV: Table = {
  delimiter: '\t',
  cutter: () => cutterAfter(LINE_FEED),
  eachRecord(block, column, visit) {
    const record = { start: 0, end: 0, malformation: undefined, fieldCount: 0, fieldStart: 0, fieldEnd: 0 };
    for (let start = 0; start < block.length; start = record.end) {
      const feed = block.indexOf(LINE_FEED, start);
      record.start = start;
      record.end = feed === -1 ? block.length : feed + 1;
      findField(block, record, column);
      if (visit(record) === false) return;
    }
  },
  valuesOf(record) {
    const values: Uint8Array[] = [];
    const recordEnd = contentEnd(record, 0, record.length);
    for (let start = 0; start <= recordEnd; start += values.at(-1)!.length + 1) {
      const tab = record.indexOf(TAB, start);
      values.push(record.subarray(start, tab === -1 ? recordEnd : tab));
    }
    return values;
  },
  writeValue(block, start, end, into, at) {
    for (let from = start; from < end; from++) into[at + from - start] = block[from]!;
    return at + end - start;
  },
};

interface Fields {
  readonly start: number;
  readonly end: number;
  fieldCount: number;
  fieldStart: number;
  fieldEnd: number;
}

/** Counts the fields of a record and notes the bounds of one. */
function findField(block: Uint8Array, record: Fields, column: number): void {
  const recordEnd = contentEnd(block, record.start, record.end);
  record.fieldCount = 0;
  for (let start = record.start, at = start; at <= recordEnd; at++) {
    if (at < recordEnd && block[at] !== TAB) continue;
    if (record.fieldCount++ === column) {
      record.fieldStart = start;
      record.fieldEnd = at;
    }
    start = at + 1;
  }
}
