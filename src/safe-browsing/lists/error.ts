export type ListReason =
  | 'rice-parameter'
  | 'rice-count'
  | 'rice-truncated'
  | 'rice-overflow'
  | 'removal-index'
  | 'checksum'
  | 'version'
  | 'message';

/** A list or an update of one that cannot be what its sender meant. The list it was for is as it was. */
export class ListError extends Error {
  readonly code = 'ERR_INVALID_LIST';
  readonly reason: ListReason;

  constructor(reason: ListReason, message: string) {
    super(message);
    this.name = 'ListError';
    this.reason = reason;
  }
}
