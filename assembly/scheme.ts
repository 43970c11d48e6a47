// The scheme of a line, its default port, and where its authority begins.

import { COLON, FULL_STOP, isDigit, isLetter } from './bytes';

/** Returns the address of the colon after a scheme, or 0. With a `fold` of 0x20, its letters may be in upper case. */
export function schemeEnd(line: usize, fold: u32): usize {
  if (!isLetter(load<u8>(line) | fold)) return 0;
  let byte: u32;
  do byte = load<u8>(++line);
  while (isLetter(byte | fold) || isDigit(byte) || byte == FULL_STOP || byte == 0x2b || byte == 0x2d);
  return byte == COLON ? line : 0;
}

/** The default port of `file`, which is special and has none. */
export const NO_PORT: u32 = 0x10000;

/** Returns the default port of a scheme in any case, or 0 if it is not special; the words are little-endian. */
export function defaultPort(line: usize, colon: usize): u32 {
  const length = <u64>(colon - line);
  if (length > 5) return 0;
  const scheme = (load<u64>(line) | 0x2020202020202020) & ((<u64>1 << (length << 3)) - 1);
  if (scheme == 0x70747468 || scheme == 0x7377) return 80; // http, ws
  if (scheme == 0x7370747468 || scheme == 0x737377) return 443; // https, wss
  if (scheme == 0x707466) return 21; // ftp
  return scheme == 0x656c6966 ? NO_PORT : 0;
}

/** Returns the address after `http://` or `https://` (here as little-endian words), or 0. */
// @ts-ignore: decorator
@inline export function afterScheme(line: usize): usize {
  const word = load<u64>(line);
  const isHttps = <usize>(word == 0x2f2f3a7370747468); // added, not branched on: half of all lines are either
  return isHttps | <usize>((word & 0x00ffffffffffffff) == 0x002f2f3a70747468) ? line + 7 + isHttps : 0;
}
