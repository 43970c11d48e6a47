import { DIGESTS, MEMORY_BYTES, NO_MESSAGE, ROW_CAPACITY } from '../../../assembly/layout.ts';
import { findLines } from '../bytes/lines.ts';
import { sha256In } from './js-sha256.ts';
import type { Kernel } from './kernel.ts';
import { Memory } from './memory.ts';

/** The kernel for hosts without WebAssembly or SIMD. It proves no row: each goes through the parser. */
export function jsKernel(): Kernel {
  const memory = new Memory(new ArrayBuffer(MEMORY_BYTES));
  const { bytes, pending, rowEnds: ends, rowStarts: starts } = memory;
  const state = sha256In(bytes);

  return {
    name: 'js',
    memory,
    findLines(address, end, lineEnd) {
      const { rowCount, next } = findLines(bytes, address, end, lineEnd, { starts, ends }, ROW_CAPACITY);
      memory.scannedEnd = next;
      return rowCount;
    },
    classifyRows(rowCount, room) {
      for (let row = 0; row < rowCount; row++) pending[row] = row;
      memory.roomEnd = room;
      memory.pendingCount = rowCount;
    },
    hash: rowByRow(memory, state.sha256),
    ...state,
  };
}

/** Makes `hash` from a function that hashes one message. */
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
