export type PrefixSetReason =
  | 'not-a-prefix-set'
  | 'unknown-version'
  | 'wrong-size'
  | 'wrong-checksum'
  | 'not-ascending';

/** Bytes that are not, or no longer, what `PrefixSet.toBytes` wrote. */
export class PrefixSetError extends Error {
  /** @internal */
  static override readonly name = 'PrefixSetError';
  readonly code = 'ERR_INVALID_PREFIX_SET';
  readonly reason: PrefixSetReason;

  constructor(reason: PrefixSetReason, message: string) {
    super(`not a prefix set: ${message}`);
    this.name = 'PrefixSetError';
    this.reason = reason;
  }
}
