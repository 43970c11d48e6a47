import { _SHA256 as Sha256 } from '@noble/hashes/sha2.js';
import { MEMORY_BYTES } from '../../assembly/layout.ts';
import type { Kernel, Width } from './kernel.ts';
import { Memory } from './memory.ts';
import { rowByRow, rowsOneByOne } from './row-by-row.ts';

/**
 * The kernel for hosts without WebAssembly. It proves no row: each goes through the parser. It uses the class of
 * SHA-256 itself, since the package's function around it brings checks of options with it: 180 bytes after brotli.
 */
export function jsKernel(): Kernel {
  const memory = new Memory(new ArrayBuffer(MEMORY_BYTES));
  const { bytes } = memory;
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
    ...rowsOneByOne(memory),
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
