import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import type { Memory } from '../../kernel/memory.ts';
import type { Scanner } from './scanner.ts';

/** For kernels without SIMD, in whose own memory it works: each row goes through the steps. */
export class JsScanner implements Scanner {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly spans: Uint32Array<ArrayBuffer>;
  readonly rowBounds = new Uint32Array(ROW_CAPACITY + 1);
  readonly spanEnds = new Uint32Array(ROW_CAPACITY);
  spanCount = 0;
  room = 0;

  constructor({ bytes, spans }: Memory) {
    this.bytes = bytes;
    this.spans = spans;
  }

  use(): void {}

  splitLines(start: number, end: number): number {
    let rowCount = 0;
    this.rowBounds[0] = start - 1;
    for (let at = start; at < end && rowCount < ROW_CAPACITY; at = this.rowBounds[rowCount]! + 1) {
      this.rowBounds[++rowCount] = this.bytes.indexOf(LINE_FEED, at);
    }
    return rowCount;
  }

  expand(row: number): number {
    return row;
  }
}
