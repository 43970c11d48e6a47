import { _SHA256 as Sha256 } from '@noble/hashes/sha2.js';
import { DIGESTS, MEMORY_BYTES, NO_MESSAGE, ROW_CAPACITY } from '../../assembly/layout.ts';
import { findLines } from '../bytes/lines.ts';
import type { Kernel, Width } from './kernel.ts';
import { Memory } from './memory.ts';

/**
 * The kernel for hosts without WebAssembly or SIMD. It proves no row: each goes through the parser. It uses the class
 * of SHA-256 itself, since the package's function around it brings checks of options with it: 180 bytes after brotli.
 */
export function jsKernel(): Kernel {
  const memory = new Memory(new ArrayBuffer(MEMORY_BYTES));
  const { bytes, pending, rowEnds: ends, rowStarts: starts } = memory;
  let pieces = new Sha256();

  function write(digest: Uint8Array, address: number, width: Width): void {
    bytes.set(digest.subarray(0, width), address);
  }

  function sha256(message: number, byteLength: number, digest: number, width: Width): void {
    write(new Sha256().update(bytes.subarray(message, message + byteLength)).digest(), digest, width);
  }

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
      memory.rewrittenCount = 0;
    },
    hash: rowByRow(memory, sha256),
    sha256,
    init() {
      pieces = new Sha256();
    },
    update(message, blockCount) {
      pieces.update(bytes.subarray(message, message + blockCount * 64));
    },
    final(tail, tailLength, _byteLength, digest, width) {
      write(pieces.update(bytes.subarray(tail, tail + tailLength)).digest(), digest, width);
    },
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
