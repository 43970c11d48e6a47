import { mustBeBoolean, mustBeOptions } from '../argument.ts';

/** What `canonicalize`, `profileOf` and the static functions `of` take. */
export interface CanonicalizeOptions {
  /** Leaves out the fragment and its `#`, as the "exclude fragment" flag of the URL serializer does. Default: false. */
  readonly excludeFragment?: boolean;
}

/** @throws {TypeError} on what is not an object or a boolean @throws {RangeError} on an option that does not exist */
export function isFragmentExcluded(options: CanonicalizeOptions): boolean {
  mustBeOptions('options', options, ['excludeFragment']);
  const { excludeFragment = false } = options;
  return mustBeBoolean('excludeFragment', excludeFragment);
}
