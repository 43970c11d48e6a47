// Punycode (https://www.rfc-editor.org/rfc/rfc3492), in place of the package punycode, whose functions throw where a
// number overflows or a text is not Punycode: these return null.

const MAX: i32 = 0x7fffffff;
const BASE: i32 = 36;
const T_MIN: i32 = 1;
const T_MAX: i32 = 26;
const INITIAL_BIAS: i32 = 72;
const INITIAL_N: i32 = 0x80;

export function encode(text: string): string | null {
  const input = codePointsOf(text);
  const output: i32[] = [];
  for (let at = 0; at < input.length; at++) if (input[at] < INITIAL_N) output.push(input[at]);
  const basicCount = output.length;
  if (basicCount > 0) output.push(0x2d);
  let n = INITIAL_N;
  let delta = 0;
  let bias = INITIAL_BIAS;
  for (let handled = basicCount; handled < input.length; n++, delta++) {
    let next = MAX;
    for (let at = 0; at < input.length; at++) if (input[at] >= n && input[at] < next) next = input[at];
    if (next - n > (((MAX - delta) / (handled + 1)) | 0)) return null;
    delta += (next - n) * (handled + 1);
    n = next;
    for (let at = 0; at < input.length; at++) {
      const code = input[at];
      if (code < n && delta++ === MAX) return null;
      if (code !== n) continue;
      let q = delta;
      for (let k = BASE; ; k += BASE) {
        const t = thresholdAt(k, bias);
        if (q < t) break;
        output.push(digitOf(t + ((q - t) % (BASE - t))));
        q = ((q - t) / (BASE - t)) | 0;
      }
      output.push(digitOf(q));
      bias = adapted(delta, handled + 1, handled === basicCount);
      delta = 0;
      handled++;
    }
  }
  return textOf(output);
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

function thresholdAt(k: i32, bias: i32): i32 {
  return k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
}

function adapted(delta: i32, count: i32, isFirst: bool): i32 {
  let rest = isFirst ? (delta / 700) | 0 : delta >> 1;
  rest += (rest / count) | 0;
  let k = 0;
  for (; rest > 455; k += BASE) rest = (rest / 35) | 0;
  return k + (((36 * rest) / (rest + 38)) | 0);
}

function digitOf(value: i32): i32 {
  return value < 26 ? value + 0x61 : value + 0x16;
}

/** Returns the value of a digit, or BASE. */
function valueOf(code: i32): i32 {
  if (code >= 0x30 && code <= 0x39) return code - 0x16;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? lower - 0x61 : BASE;
}

function codePointsOf(text: string): i32[] {
  const codes: i32[] = [];
  for (let at = 0; at < text.length; at += codes[codes.length - 1] > 0xffff ? 2 : 1) codes.push(text.codePointAt(at));
  return codes;
}

function textOf(codes: i32[]): string {
  let text = '';
  for (let at = 0; at < codes.length; at++) text += String.fromCodePoint(codes[at]); // at most 1,000
  return text;
}
