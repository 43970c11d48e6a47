import { readFileSync, statSync } from 'node:fs';
import { HashList } from '../../../service/lists/hash-list.ts';
import { MAX_SHRINK, shrinkProblem } from '../../../service/lists/update.ts';
import { group, toggle } from '../../arguments/flag.ts';
import { fileFault } from '../../fault.ts';

export const REPLACE_FLAGS = group('Output', {
  allowEmpty: toggle('write a list even if it has no entries'),
  allowShrink: toggle('write a list even if it has less than half of the entries of the one that it replaces'),
});

interface Allowed {
  readonly allowEmpty: boolean;
  readonly allowShrink: boolean;
}

/**
 * A download that failed, or a file that was cut, must not take a good list away.
 *
 * @param older the list that this one is made of, if it is of one, besides the one in the file that it replaces
 * @throws {Fault} where the list is empty or has lost too much, and no flag allows that
 */
export function mustBeGoodList({ size }: HashList, out: string, allowed: Allowed, older?: HashList): void {
  if (size === 0) {
    if (allowed.allowEmpty) return;
    throw fileFault(out, 'no list is written: it would have no entries (--allow-empty)');
  }
  if (allowed.allowShrink) return;
  const before = Math.max(older?.size ?? 0, sizeAt(out));
  const problem = shrinkProblem(size, before, MAX_SHRINK);
  if (problem !== undefined) throw fileFault(out, `no list is written: ${problem} (--allow-shrink)`);
}

/** Returns the size of the list in a file, 0 where there is none. */
function sizeAt(path: string): number {
  if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return 0;
  try {
    return HashList.fromBytes(readFileSync(path)).size;
  } catch {
    return 0; // what it would replace is not a list
  }
}
