import type { Memory } from './memory.ts';

/**
 * The implementations of the hash: WebAssembly with SIMD, without, and JavaScript; and `wide`, which is SIMD with eight
 * messages at a time in V8's vectors of 256 bits, by explicit choice alone.
 */
export type KernelName = 'simd' | 'scalar' | 'js' | 'wide';

/** Does it run where there is SIMD? */
export function hasSimd(name: KernelName): boolean {
  return name === 'simd' || name === 'wide';
}

/** Where a runtime has the WebAssembly of a kernel. */
export type KernelModule = (name: 'simd' | 'scalar') => WebAssembly.Module;

/** Bytes of each SHA-256 that are kept. */
export type Width = 8 | 16 | 32;

/** SHA-256 (FIPS 180-4) over messages in a Memory. The implementations are equal in all but speed. */
export interface Kernel {
  readonly name: KernelName;
  /** Why it is not the one that was asked for. */
  readonly reason?: string;
  readonly memory: Memory;

  /**
   * Gives a row to each line of [address, end), the last byte of which must be `lineEnd`, up to ROW_CAPACITY, and
   * returns their number: memory.rowStarts and rowEnds have their bounds, without LF or CR LF, or other `lineEnd`, and
   * memory.scannedEnd says where the next line begins.
   */
  findLines(address: number, end: number, lineEnd: number): number;

  /**
   * Gives bounds to `rowCount` rows, up to ROW_CAPACITY, that lie at ROWS one directly after another: moves them to TEXT
   * with a line feed after each, and returns their end. memory.pending has the offset at which each ends, where the
   * first begins at the offset `start`. Absent from kernels that prove no row.
   */
  readonly separateRows?: (start: number, rowCount: number) => number;

  /**
   * Gives the rows their messages: each itself where it is canonical, or what it is rewritten to, from the address
   * `room` on. memory.pending has those that need the parser. The byte after each row, which no URL has, may be
   * overwritten.
   */
  classifyRows(rowCount: number, room: number, excludeFragment: boolean): void;

  /** Writes the digests of rows [firstRow, endRow) of memory.spans, `width` bytes each, packed. */
  hash(firstRow: number, endRow: number, width: Width): void;

  /** Writes the digest of one message in memory to the address `digest`. */
  sha256(message: number, byteLength: number, digest: number, width: Width): void;

  /**
   * The digest of an ASCII text, where the host hashes a string sooner than it is brought into memory; valid until the
   * next hash.
   */
  readonly sha256OfText?: (text: string, width: Width) => Uint8Array<ArrayBuffer>;

  /**
   * One message in pieces, each at an address: init, update with whole blocks of 64 bytes, final with what is left (0
   * to 63 bytes) of a message of `byteLength` bytes in all.
   */
  init(): void;
  update(message: number, blockCount: number): void;
  final(tail: number, tailLength: number, byteLength: number, digest: number, width: Width): void;
}
