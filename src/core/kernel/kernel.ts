import type { Memory } from './memory.ts';

/** The implementations of the hash: WebAssembly with SIMD, and JavaScript for hosts that lack either. */
export type KernelName = 'simd' | 'js';

/** Bytes of each SHA-256 that are kept. */
export type Width = 8 | 16 | 32;

/** SHA-256 (FIPS 180-4) over messages in a Memory. The implementations are equal in all but speed. */
export interface Kernel {
  readonly name: KernelName;
  readonly memory: Memory;

  /**
   * Makes each line of [address, end), the last byte of which must be `lineEnd`, a row, up to ROW_CAPACITY, and returns
   * their number: memory.rowStarts and rowEnds have their bounds, without LF or CR LF, or other `lineEnd`, and
   * memory.scannedEnd says where the next line begins.
   */
  findLines(address: number, end: number, lineEnd: number): number;

  /**
   * Moves `rowCount` rows, up to ROW_CAPACITY, that are at ROWS, one directly after another, to TEXT with a line feed
   * after each, sets their bounds, and returns their end. memory.rowEnds comes with the offset at which each ends, where
   * the first begins at the offset `start`. Absent from kernels that prove no row.
   */
  readonly separateRows?: (start: number, rowCount: number) => number;

  /**
   * Gives the rows their messages: the row itself if it is canonical, or its rewritten form, from the address `room`
   * on. memory.pending has those that need the parser. The byte after each row, which no URL has, may be overwritten.
   * The messages of pages are folded as `asked` (assembly/layout.ts) and as their rules in memory say, and those that
   * cannot be are pending: memory.listed has those whose parameters may change, for JavaScript.
   */
  classifyRows(rowCount: number, room: number, excludeFragment: boolean, asked: number): void;

  /** Writes the digests of rows [firstRow, endRow) of memory.spans, `width` bytes each, packed. */
  hash(firstRow: number, endRow: number, width: Width): void;

  /** Writes the digest of one message in memory to the address `digest`. */
  sha256(message: number, byteLength: number, digest: number, width: Width): void;

  /**
   * Returns the digest of an ASCII text, on a host that hashes a string sooner than it is copied into memory; valid
   * until the next hash.
   */
  readonly sha256OfText?: (text: string, width: Width) => Uint8Array<ArrayBuffer>;

  /**
   * Together these hash one message in pieces, each at an address: init, update with whole blocks of 64 bytes, final
   * with what is left (0 to 63 bytes) of a message of `byteLength` bytes in all.
   */
  init(): void;
  update(message: number, blockCount: number): void;
  final(tail: number, tailLength: number, byteLength: number, digest: number, width: Width): void;
}
