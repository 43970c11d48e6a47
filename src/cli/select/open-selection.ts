import { FirstOfEach } from './first-of-each.ts';
import { Membership } from './membership.ts';
import { openKnownHashes } from './open-known-hashes.ts';
import { allOf, type Selection } from './selection.ts';
import { Unseen, type UnseenOptions } from './unseen.ts';

export interface SelectionOptions extends UnseenOptions {
  readonly dedup: boolean;
  /** Indexes, or files of sorted words. */
  readonly against: readonly string[];
  readonly not: boolean;
  /** An index that gains the hashes of this run. */
  readonly unseen: string | undefined;
}

/** The first row of each hash among the members; none of them seen. @throws as what it opens */
export function openSelection(options: SelectionOptions): Selection | undefined {
  const { dedup, against, not, unseen, width } = options;
  const selections: Selection[] = [];
  if (against.length > 0) selections.push(new Membership(openKnownHashes(against, options), !not));
  if (unseen !== undefined) selections.push(new Unseen(unseen, options));
  else if (dedup) selections.push(new FirstOfEach(width));
  return allOf(selections);
}
