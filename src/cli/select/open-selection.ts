import type { Width } from '../../kernel/kernel.ts';
import type { HashedRows } from '../stage/hashes.ts';
import { FirstOfEach } from './first-of-each.ts';
import { Membership } from './membership.ts';
import { bothOf, type Selection } from './selection.ts';
import { SortedWords } from './sorted-words.ts';

export interface SelectionOptions {
  readonly dedup: boolean;
  /** A file of sorted words. */
  readonly against: string | undefined;
  readonly not: boolean;
  readonly width: Width;
}

/** The first row of each hash among the members. @throws {WordFileError} */
export function openSelection({ dedup, against, not, width }: SelectionOptions): Selection<HashedRows> | undefined {
  const members = against === undefined ? undefined : new Membership(new SortedWords(against), !not);
  return bothOf(members, dedup ? new FirstOfEach(width) : undefined);
}
