import type { Width } from '../../kernel/kernel.ts';

/** Hashes to look others up in: an index, or a file of sorted words. */
export interface KnownHashes {
  /** Hashes in it. */
  readonly size: number;
  /** Bytes of a hash that are compared: the first ones. */
  readonly width: Width;
  /** Is the hash whose 32-bit units begin at `at` among them? @throws {HashIndexError} where its page is damaged */
  hasAt(units: Uint32Array, at: number): boolean;
}
