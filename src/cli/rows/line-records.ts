import { cutterAfter } from '../../bulk/line-blocks.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import { isBlank } from './blank-lines.ts';
import { eachLine } from './each-line.ts';
import type { Framing } from './framing.ts';
import type { JsonScanner } from './json-scanner.ts';
import { RecordRows } from './record-rows.ts';

export interface LineRecordsOptions {
  /** Finds most values at once, where they are in JSON and the host can run it. */
  readonly scanner: JsonScanner | undefined;
  readonly skipsBlank: boolean;
  /** Adds the line [start, end). */
  add(rows: RecordRows, start: number, end: number): void;
}

/** One record per line, which holds its value somewhere. */
export function lineRecords({ scanner, skipsBlank, add }: LineRecordsOptions): Framing {
  return {
    cutter: () => cutterAfter(LINE_FEED),
    rows(block) {
      const rows = new RecordRows(block);
      const addLine = (start: number, end: number) => {
        if (skipsBlank && isBlank(block, start, end)) rows.passOver();
        else add(rows, start, end);
      };
      if (scanner === undefined) eachLine(block, addLine);
      else scanner.eachLine(block, { found: (records) => rows.addFound(records), other: addLine });
      return rows;
    },
  };
}
