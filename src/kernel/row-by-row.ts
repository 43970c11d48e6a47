import { DIGESTS, NO_MESSAGE } from '../../assembly/layout.ts';
import type { Kernel } from './kernel.ts';
import type { Memory } from './memory.ts';

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
