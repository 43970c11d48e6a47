import { _SHA256 as Sha256 } from '@noble/hashes/sha2.js';
import { MEMORY_BYTES, ROW_CAPACITY, TEXT } from '../../assembly/layout.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../bytes/code-points.ts';
import type { Kernel, Width } from './kernel.ts';
import { Memory } from './memory.ts';
import { rowByRow } from './row-by-row.ts';

/**
 * For hosts without WebAssembly. It proves no line: each goes through the parser. The class of SHA-256 itself, since the
 * function that the package makes of it brings checks of options with it: 180 bytes after brotli.
 */
export function jsKernel(): Kernel {
  const memory = new Memory(new ArrayBuffer(MEMORY_BYTES));
  const { bytes, pending, rowEnds, rowStarts } = memory;
  let pieces = new Sha256();

  function write(digest: Uint8Array, address: number, width: Width): void {
    bytes.set(digest.subarray(0, width), address);
  }

  function hashMessage(message: number, byteLength: number, digest: number, width: Width): void {
    write(new Sha256().update(bytes.subarray(message, message + byteLength)).digest(), digest, width);
  }

  return {
    name: 'js',
    memory,
    scan(address, end) {
      let row = 0;
      let at = address;
      for (; at < end && row < ROW_CAPACITY; row++) {
        const feed = bytes.indexOf(LINE_FEED, at);
        const lineEnd = feed > at && bytes[feed - 1] === CARRIAGE_RETURN ? feed - 1 : feed;
        memory.setSpan(row, at, lineEnd - at);
        rowStarts[row] = at;
        rowEnds[row] = lineEnd;
        pending[row] = row;
        at = feed + 1;
      }
      memory.setScanned(at, end, row, 0);
      return row;
    },
    scanRows(_start, rowCount) {
      for (let row = 0; row < rowCount; row++) pending[row] = row;
      memory.setScanned(TEXT, TEXT, rowCount, 0);
    },
    hash: rowByRow(memory, hashMessage),
    sha256: hashMessage,
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
