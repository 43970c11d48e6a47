import { UrlsumError } from '../../core/error.ts';

/**
 * Why a list, an update or a message is refused:
 *
 * - `message`: it is not such a message, or cannot say what it is to say
 * - `rice-parameter`, `rice-count`, `rice-truncated`, `rice-overflow`: its Rice-Golomb code has a parameter or a count
 *   out of range, ends too early, or has a number that is too large
 * - `prefix-length`: prefixes are of a width that they cannot have there
 * - `repeated-entry`: prefixes do not ascend, each once, or are on the list already
 * - `removal-index`: an index to remove is not that of an entry, or does not ascend
 * - `other-list`: an update is of a list with another name
 * - `checksum`, `checksum-missing`: the SHA-256 is another, or there is none
 * - `not-a-list`, `unknown-version`, `wrong-size`: a file is not a list, of another version of the format, or cut
 */
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

/** The part with the fault. */
export type ListPlace = 'message' | 'name' | 'additions' | 'removals' | 'checksum' | 'file';

/** A list, an update or a message that cannot be what its sender meant. It changed nothing. */
export class ListError extends UrlsumError {
  /** @internal */
  static override readonly name = 'ListError';
  /** @internal */
  static readonly code = 'ERR_INVALID_LIST';
  /** Names the class. */
  declare readonly code: 'ERR_INVALID_LIST';
  /** A machine-readable reason. */
  declare readonly reason: ListReason;
  /** The part in which the fault lies. */
  declare readonly place: 'message' | 'name' | 'additions' | 'removals' | 'checksum' | 'file';

  /** @internal */
  constructor(place: ListPlace, reason: ListReason, message: string) {
    super(`${place}: ${message}`, { reason, place });
  }
}
