import { UrlsumError } from '../../error.ts';
/** Why a list, an update or a message is refused. */
export type ListReason =
  | 'message'
  | 'rice-parameter'
  | 'rice-count'
  | 'rice-truncated'
  | 'rice-overflow'
  | 'prefix-length'
  | 'repeated-entry'
  | 'removal-index'
  | 'other-list'
  | 'checksum'
  | 'checksum-missing'
  | 'not-a-list'
  | 'unknown-version'
  | 'wrong-size';

/** The part in which the fault lies. */
export type ListPlace = 'message' | 'name' | 'additions' | 'removals' | 'checksum' | 'file';

/** A list, an update or a message that cannot be what its sender meant. Nothing was changed by it. */
export class ListError extends UrlsumError {
  /** @internal */
  static override readonly name = 'ListError';
  /** @internal */
  static readonly code = 'ERR_INVALID_LIST';
  /** The same for every such error. */
  readonly code = 'ERR_INVALID_LIST';
  /** Why. */
  readonly reason: ListReason;
  /** In which part. */
  override readonly place: ListPlace;

  /** @internal */
  constructor(place: ListPlace, reason: ListReason, message: string) {
    super(`${place}: ${message}`);
    this.name = 'ListError';
    this.reason = reason;
    this.place = place;
  }
}
