import { cutterAfter } from '../../bulk/line-blocks.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import { withoutBlankLines } from './blank-lines.ts';
import { eachLine } from './each-line.ts';
import type { Framing, LineValues, PackedValues, Problem, Rows, RowVisitor } from './framing.ts';

export const NUL = 0x00;

const NO_PROBLEMS: ReadonlyMap<number, Problem> = new Map();
const NOTHING: readonly number[] = [];

/** Lines that end in LF or CR LF, or text that ends in NUL and may hold line feeds. */
export function linesEndingIn(lineEnd: number, skipsBlank = false): Framing {
  const RowsOf = lineEnd === LINE_FEED ? LineRows : ZeroRows;
  return {
    cutter: () => cutterAfter(lineEnd),
    rows(block) {
      const { bytes, skipped } = skipsBlank ? withoutBlankLines(block, lineEnd) : { bytes: block, skipped: NOTHING };
      return new RowsOf(bytes, skipped);
    },
  };
}

/** Each row is its own value. */
class LineRows implements Rows {
  readonly bytes: Uint8Array;
  readonly values: LineValues;
  readonly malformed = NO_PROBLEMS;
  readonly skipped: readonly number[];

  constructor(bytes: Uint8Array, skipped: readonly number[]) {
    this.bytes = bytes;
    this.values = { lines: bytes };
    this.skipped = skipped;
  }

  eachRow(visit: RowVisitor): void {
    eachLine(this.bytes, visit);
  }
}

/** The same between NULs: the values lie packed in a copy without them, since they may hold what ends a line. */
class ZeroRows implements Rows {
  readonly bytes: Uint8Array;
  readonly values: PackedValues;
  readonly malformed = NO_PROBLEMS;
  readonly skipped: readonly number[];

  constructor(bytes: Uint8Array, skipped: readonly number[]) {
    this.bytes = bytes;
    this.values = packed(bytes);
    this.skipped = skipped;
  }

  eachRow(visit: RowVisitor): void {
    eachLine(this.bytes, visit, NUL);
  }
}

function packed(block: Uint8Array): PackedValues {
  const bytes = new Uint8Array(block.length);
  const offsets = [0];
  let length = 0;
  const add = (start: number, end: number) => {
    bytes.set(block.subarray(start, end), length);
    length += end - start;
    offsets.push(length);
  };
  eachLine(block, add, NUL);
  return { bytes, offsets: Uint32Array.from(offsets) };
}
