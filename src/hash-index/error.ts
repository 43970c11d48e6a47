export type HashIndexReason =
  | 'not-an-index'
  | 'unknown-version'
  | 'truncated'
  | 'wrong-checksum'
  | 'not-ascending'
  | 'other-width'
  | 'other-profile'
  | 'unreadable';

/** An index that cannot be read, is damaged, or does not fit what it is asked. `source` is its path, or 'bytes'. */
export class HashIndexError extends Error {
  /** @internal */
  static override readonly name = 'HashIndexError';
  readonly code = 'ERR_INVALID_HASH_INDEX';
  readonly source: string;
  readonly reason: HashIndexReason;

  constructor(source: string, reason: HashIndexReason, message: string, cause?: unknown) {
    super(`${source}: ${message}`, cause === undefined ? undefined : { cause });
    this.name = 'HashIndexError';
    this.source = source;
    this.reason = reason;
  }
}
