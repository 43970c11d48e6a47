import { cutterAfter } from '../../bulk/line-blocks.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import { eachLine } from './each-row.ts';
import type { Framing, LineValues, Problem, Rows, RowVisitor } from './framing.ts';

export const NUL = 0x00;

const NONE_MALFORMED: ReadonlyMap<number, Problem> = new Map();
const NONE_PASSED_OVER: readonly number[] = [];

/** Lines that end in LF or CR LF. */
export const LINES: Framing = linesEndingIn(LINE_FEED);

/** Text that ends in NUL: it may hold line feeds. */
export const ZERO_LINES: Framing = linesEndingIn(NUL);

function linesEndingIn(lineEnd: number): Framing {
  return { cutter: () => cutterAfter(lineEnd), rows: (block) => new LineRows(block, lineEnd) };
}

/** Each row is its own value. */
class LineRows implements Rows {
  readonly bytes: Uint8Array;
  readonly values: LineValues;
  readonly malformed = NONE_MALFORMED;
  readonly passedOver = NONE_PASSED_OVER;

  constructor(bytes: Uint8Array, lineEnd: number) {
    this.bytes = bytes;
    this.values = { lines: bytes, lineEnd };
  }

  eachRow(visit: RowVisitor): void {
    eachLine(this.bytes, visit, this.values.lineEnd);
  }
}
