import { cutterAfter } from '../../bulk/line-blocks.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import type { Table } from './table.ts';

/**
 * Tab-separated values as IANA registers them (text/tab-separated-values): a record a line, no quoting and
 * no escapes, so a field holds neither tab nor line feed.
 */
export const TSV: Table = {
  delimiter: '\t',
  cutter: () => cutterAfter(LINE_FEED),
  eachRecord(block, visit) {
    for (let start = 0; start < block.length; ) {
      const feed = block.indexOf('\n', start);
      const end = feed === -1 ? block.length : feed + 1;
      const fieldsEnd = feed === -1 ? end : block[feed - 1] === '\r' && feed > start ? feed - 1 : feed;
      if (visit({ start, end, fields: block.slice(start, fieldsEnd).split('\t'), problem: undefined }) === false)
        return;
      start = end;
    }
  },
};
