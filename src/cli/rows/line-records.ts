import { cutterAfter } from '../../bulk/line-blocks.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import { isBlank } from './blank-lines.ts';
import { eachLine } from './each-line.ts';
import type { Framing } from './framing.ts';
import { RecordRows } from './record-rows.ts';

/** One record per line; `add` adds the row of the line [start, end). */
export function lineRecords(skipsBlank: boolean, add: (rows: RecordRows, start: number, end: number) => void): Framing {
  return {
    cutter: () => cutterAfter(LINE_FEED),
    rows(block) {
      const rows = new RecordRows(block);
      eachLine(block, (start, end) => {
        if (skipsBlank && isBlank(block, start, end)) rows.passOver();
        else add(rows, start, end);
      });
      return rows;
    },
  };
}
