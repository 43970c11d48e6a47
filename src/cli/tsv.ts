import type { Table } from './table.ts';

const LINE_FEED = 0x0a;

/**
 * Tab-separated values as IANA registers them (text/tab-separated-values): a record a line, no quoting and
 * no escapes, so a field holds neither tab nor line feed.
 */
export const TSV: Table = {
  delimiter: '\t',
  cutter: () => (chunk) => chunk.lastIndexOf(LINE_FEED) + 1 || -1,
  eachRecord(block, visit) {
    for (let start = 0; start < block.length; ) {
      const end = block.indexOf('\n', start) + 1 || block.length;
      const fields = block.slice(start, end).replace(/\r?\n$/, '').split('\t');
      if (visit({ start, end, fields, problem: undefined }) === false) return;
      start = end;
    }
  },
};
