import { DIGESTS, NO_MESSAGE } from '../../assembly/layout.ts';
import type { Kernel } from './kernel.ts';
import type { Memory } from './memory.ts';

/** `classifyRows` of a kernel that proves no row canonical: all of them need the parser. */
export function leaveRows(memory: Memory): Kernel['classifyRows'] {
  const { pending } = memory;
  return (rowCount, room) => {
    for (let row = 0; row < rowCount; row++) pending[row] = row;
    memory.roomEnd = room;
    memory.pendingCount = rowCount;
    memory.rewrittenCount = 0;
  };
}

/** `hash` of a kernel that has nothing better than one message after another. */
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
