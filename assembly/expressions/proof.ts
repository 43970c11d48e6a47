// Proves that a line is canonical as it is, apart from a scheme, a fragment and the slash after a bare host: under both
// profiles and in both modes, like src/specs/safe-browsing/url-bytes.ts. The proof may fail for such a line, and must never hold
// for another. Every address it reads is before a line feed or in the slack after it.

import { FULL_STOP, NUMBER_SIGN, QUESTION_MARK, SLASH } from '../bytes';
import { firstOutside, outside, ROW_BIT } from '../byte-set';
import { HOST } from '../host';
import { mayBeDotSegment } from '../path';
import { afterScheme } from '../scheme';
import { addExpressions, dotsOf, isHost } from './spans';

// Sets in the form of ../byte-set.ts; test/specs/safe-browsing/batch.test.ts puts every byte into each part of a URL.
const SETS: usize = memory.data<u8>([
  0xf8, 0xfc, 0xfc, 0xf8, 0xfc, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xdc, 0xfc, 0xfc, 0x74,
  0xf8, 0xfc, 0xfc, 0xf8, 0xfc, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0x7c,
]);
/** U+0021 to U+007E except # % ? \ */
const PATH: usize = SETS;
/** U+0021 to U+007E except # % */
const QUERY: usize = SETS + 16;

/** Adds the expressions of the line [line, end), if it can be proven canonical. */
export function addProven(line: usize, end: usize, sections: u32): bool {
  const scheme = afterScheme(line);
  const host = scheme == 0 ? line : scheme; // a line without a scheme is read with http
  const hostEnd = firstOutside(host, HOST);
  const isBare = load<u8>(hostEnd) != SLASH;
  const pathEnd = isBare ? hostEnd : plainPathEnd(hostEnd);
  const hasQuery = !isBare && load<u8>(pathEnd) == QUESTION_MARK;
  const urlEnd = hasQuery ? firstOutside(pathEnd + 1, QUERY) : pathEnd;
  if (urlEnd != end && load<u8>(urlEnd) != NUMBER_SIGN) return false;
  const dots = dotsOf(host, hostEnd);
  if (!isHost(host, hostEnd, dots)) return false;
  if (isBare) store<u8>(hostEnd, SLASH);
  addExpressions(host, hostEnd, dots, pathEnd + <usize>isBare, urlEnd + <usize>isBare, sections);
  return true;
}

/** Returns where a path at `slash` ends that no step changes, or the first byte that a step may change. */
// @ts-ignore: decorator
@inline function plainPathEnd(slash: usize): usize {
  let at = firstChange(slash + 1);
  while (load<u8>(at) == FULL_STOP && !mayBeDotSegment(at)) at = firstChange(at + 1);
  return at;
}

/** Returns the first byte at or after `at` that is not in PATH, or is a dot or slash after a slash. */
function firstChange(at: usize): usize {
  const rows = v128.load(PATH), rowBit = v128.load(ROW_BIT);
  let bits: i32;
  while ((bits = changeBits(at, rows, rowBit) | (changeBits(at + 16, rows, rowBit) << 16)) == 0) at += 32;
  return at + <usize>ctz(bits);
}

// @ts-ignore: decorator
@inline function changeBits(at: usize, rows: v128, rowBit: v128): i32 {
  const bytes = v128.load(at), slash = i8x16.splat(<i8>SLASH);
  const isAfterSlash = i8x16.eq(v128.load(at - 1), slash);
  const isSegment = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>FULL_STOP)), i8x16.eq(bytes, slash));
  return i8x16.bitmask(v128.or(outside(bytes, rows, rowBit), v128.and(isAfterSlash, isSegment)));
}
