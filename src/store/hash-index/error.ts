import { UrlsumError } from '../../core/error.ts';

/** Why an index cannot be used or made. */
export type HashIndexReason =
  | 'not-an-index'
  | 'unknown-version'
  | 'truncated'
  | 'wrong-checksum'
  | 'not-ascending'
  | 'wrong-segment'
  | 'other-width'
  | 'other-profile'
  | 'unreadable'
  | 'unwritable';

/** An index that cannot be read or written, is damaged, or does not fit the question. */
export class HashIndexError extends UrlsumError {
  /** @internal */
  static override readonly name = 'HashIndexError';
  /** @internal */
  static readonly code = 'ERR_INVALID_HASH_INDEX';
  /** Names the class. */
  declare readonly code: 'ERR_INVALID_HASH_INDEX';
  /** The index: its path, or 'bytes'; 'the column' that does not fit one; the folder of temporary files. */
  declare readonly source: string;
  /** Why. */
  declare readonly reason: HashIndexReason;

  /** @internal */
  constructor(source: string, reason: HashIndexReason, message: string, cause?: unknown) {
    super(`${source}: ${message}`, { source, reason }, cause);
  }
}
