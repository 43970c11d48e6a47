// Punycode (https://www.rfc-editor.org/rfc/rfc3492), in place of the package punycode, whose functions throw where a
// number overflows or a text is not Punycode: these return null. The compiler sees this file beside the folders
// assembly/ and src/.

import { adapted, BASE, ENCODED_BYTES, encodePunycode, INITIAL_BIAS, INITIAL_N, MAX, thresholdAt } from '../assembly/punycode';
import { codePointsOf, textOf } from '../src/core/bytes/code-points';

export function encode(text: string): string | null {
  const codes = codePointsOf(text);
  const bytes = new Uint8Array(ENCODED_BYTES * (codes.length + 1));
  const end = encodePunycode(codes.dataStart, codes.dataStart + 4 * codes.length, bytes.dataStart);
  return end === 0 ? null : String.UTF8.decodeUnsafe(bytes.dataStart, end - bytes.dataStart);
}

/** `text` is ASCII. */
export function decode(text: string): string | null {
  const output: i32[] = [];
  const basicEnd = text.lastIndexOf('-');
  for (let at = 0; at < basicEnd; at++) output.push(text.charCodeAt(at));
  let n = INITIAL_N;
  let place = 0;
  let bias = INITIAL_BIAS;
  for (let at = basicEnd > 0 ? basicEnd + 1 : 0; at < text.length; ) {
    const before = place;
    for (let k = BASE, weight = 1; ; k += BASE) {
      const digit = at < text.length ? valueOf(text.charCodeAt(at++)) : BASE;
      if (digit === BASE || digit > (((MAX - place) / weight) | 0)) return null;
      place += digit * weight;
      const t = thresholdAt(k, bias);
      if (digit < t) break;
      if (weight > ((MAX / (BASE - t)) | 0)) return null;
      weight *= BASE - t;
    }
    const count = output.length + 1;
    bias = adapted(place - before, count, before === 0);
    if (((place / count) | 0) > MAX - n) return null;
    n += (place / count) | 0;
    place %= count;
    if (n > 0x10ffff) return null;
    output.push(0);
    for (let to = output.length - 1; to > place; to--) output[to] = output[to - 1];
    output[place++] = n;
  }
  return textOf(output);
}

/** Returns the value of a digit, or BASE. */
function valueOf(code: i32): i32 {
  if (code >= 0x30 && code <= 0x39) return code - 0x16; // '0' to '9' are 26 to 35: section 5
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? lower - 0x61 : BASE;
}
