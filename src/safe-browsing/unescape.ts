import { hexDigitValue, PERCENT } from '../bytes/code-points.ts';

/**
 * Removes percent-escapes from bytes [start, end), in place, until none is left, and returns the new end:
 * "repeatedly remove percent-escapes from the URL until it has no more percent-escapes".
 *
 * One pass does what the repetition does. An escape is %HH, no two overlap, and decoding one leaves the
 * others whole, so every order of decoding ends in the same bytes. The bytes written so far are the stack:
 * they hold no escape, and only a new byte can complete one, at their end. Each decoding takes two bytes
 * off, so the time is linear whatever the nesting.
 */
export function unescape(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  while (to < end && bytes[to] !== PERCENT) to++;
  for (let at = to; at < end; at++) {
    bytes[to++] = bytes[at]!;
    while (to - start >= 3 && bytes[to - 3] === PERCENT) {
      const high = hexDigitValue(bytes[to - 2]!);
      const low = hexDigitValue(bytes[to - 1]!);
      if (high === -1 || low === -1) break;
      to -= 2;
      bytes[to - 1] = (high << 4) | low;
    }
  }
  return to;
}
