import { mustBeString } from '../argument.ts';
import { asciiLowercase } from '../bytes/code-points.ts';
import { HashedUriError } from './error.ts';
import { Failure } from './failure.ts';
import { HashedUri } from './hashed-uri.ts';
import type { KeepFlag } from './options.ts';

const SCHEME = 'hashed:';
/** Searched for, since matching all of a value takes a stack as long as the value. */
const NO_HEX_DIGIT = /[^0-9a-f]/;
const KEEP_FLAGS: readonly KeepFlag[] = ['frag', 'query'];

/**
 * Reads a hashed URI, in either case, with flags in any order and any number. An unknown algorithm and a value
 * of a wrong length are well-formed, and `problems` of the result names them.
 *
 * @param text a hashed URI
 * @returns its parts, in lower case
 * @throws {TypeError} on what is not a string
 * @throws {HashedUriError} on what the grammar of section 4.1 does not allow
 * @see draft-feather-hashed-uri-03, section 4.1
 * @example
 * parse('hashed:sha256=00').problems; //=> ['unregistered-algorithm']
 */
export function parse(text: string): HashedUri {
  const parsed = parseHashed(mustBeString('text', text));
  if (parsed instanceof Failure) throw new HashedUriError('hashed URI', text, parsed);
  return parsed;
}

/** The same with the failure as a value. */
export function parseHashed(text: string): HashedUri | Failure {
  const lower = asciiLowercase(text);
  if (!lower.startsWith(SCHEME)) return new Failure('not-hashed', 0);
  const equals = lower.indexOf('=');
  const algorithm = lower.slice(SCHEME.length, equals === -1 ? lower.length : equals);
  if (equals === -1 || algorithm === '' || /[^a-z0-9.-]/.test(algorithm))
    return new Failure('algorithm-malformed', SCHEME.length);
  const [value = '', ...flags] = lower.slice(equals + 1).split('+');
  if (value === '' || NO_HEX_DIGIT.test(value)) return new Failure('value-malformed', equals + 1);
  const isKnown = flags.every((flag) => KEEP_FLAGS.includes(flag as KeepFlag));
  if (!isKnown) return new Failure('flag-unknown', equals + 1 + value.length);
  return new HashedUri(
    algorithm,
    value,
    KEEP_FLAGS.filter((flag) => flags.includes(flag)),
  );
}
