/** Why bytes are not a prefix set. */
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
  /** The same for every such error. */
  readonly code = 'ERR_INVALID_PREFIX_SET';
  /** Why. */
  readonly reason: PrefixSetReason;

  /** @internal */
  constructor(reason: PrefixSetReason, message: string) {
    super(`not a prefix set: ${message}`);
    this.name = 'PrefixSetError';
    this.reason = reason;
  }
}
