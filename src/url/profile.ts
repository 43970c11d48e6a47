import { UNICODE } from './idna.ts';
import { type CanonicalizeOptions, isFragmentExcluded } from './options.ts';

/**
 * The name of a canonical form that this build computes: the algorithm's version and that of its UTS #46 tables. It
 * changes whenever any output could. `url/1` is the URL Standard as of July 2026, `url-without-fragment/1` the same
 * serialized with its "exclude fragment" flag; `unicode17` the tables bundled here.
 *
 * @param options those that the URLs are canonicalized or hashed with
 * @returns for example `url-without-fragment/1+unicode17`
 * @throws {TypeError} on options of the wrong kind
 * @throws {RangeError} on an option that does not exist
 * @example
 * profileOf({ excludeFragment: true }); //=> 'url-without-fragment/1+unicode17'
 */
export function profileOf(options: CanonicalizeOptions = {}): string {
  return `${isFragmentExcluded(options) ? 'url-without-fragment' : 'url'}/1+${UNICODE}`;
}

/** What `profileOf()` gives: the profile of the full canonical form, fragment included. */
export const PROFILE: string = `url/1+${UNICODE}`;
