import { DIGESTS, NO_MESSAGE, ROW_CAPACITY } from '../../assembly/layout.ts';
import { findLines } from '../bytes/lines.ts';
import type { Kernel } from './kernel.ts';
import type { Memory } from './memory.ts';

/** The row functions of a kernel without SIMD: it proves no row canonical, so each goes through the parser. */
export function rowsOneByOne(memory: Memory): Pick<Kernel, 'findLines' | 'classifyRows'> {
  const { bytes, pending, rowEnds: ends, rowStarts: starts } = memory;
  return {
    findLines(address, end, lineEnd) {
      const { rowCount, next } = findLines(bytes, address, end, lineEnd, { starts, ends }, ROW_CAPACITY);
      memory.scannedEnd = next;
      return rowCount;
    },
    classifyRows(rowCount, room) {
      for (let row = 0; row < rowCount; row++) pending[row] = row;
      memory.roomEnd = room;
      memory.pendingCount = rowCount;
      memory.rewrittenCount = 0;
    },
  };
}

/** Makes `hash` for a kernel that has nothing better than one message after another. */
export function rowByRow({ bytes, spans }: Memory, sha256: Kernel['sha256']): Kernel['hash'] {
  return (firstRow, endRow, width) => {
    for (let row = firstRow; row < endRow; row++) {
      const digest = DIGESTS + row * width;
      const byteLength = spans[2 * row + 1]!;
      if (byteLength === NO_MESSAGE) bytes.fill(0, digest, digest + width);
      else sha256(spans[2 * row]!, byteLength, digest, width);
    }
  };
}
