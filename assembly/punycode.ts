// Punycode, of code points in memory, 4 bytes each. https://www.rfc-editor.org/rfc/rfc3492

export const MAX: i32 = 0x7fffffff;
export const BASE: i32 = 36;
const T_MIN: i32 = 1;
const T_MAX: i32 = 26;
export const INITIAL_BIAS: i32 = 72;
export const INITIAL_N: i32 = 0x80;

/** The most bytes that a code point takes: digits of a number below 2^31, of which the first is worth one, or a delimiter. */
export const ENCODED_BYTES: u32 = 8;

/** Writes the code points [codes, end) in Punycode to `to`, and returns its end, or 0 where a number overflows. */
export function encodePunycode(codes: usize, end: usize, to: usize): usize {
  const start = to;
  for (let at = codes; at < end; at += 4) if (load<i32>(at) < INITIAL_N) store<u8>(to++, load<u8>(at));
  const basicCount = <i32>(to - start), count = <i32>(end - codes) >> 2;
  if (basicCount > 0) store<u8>(to++, 0x2d);
  let n = INITIAL_N, delta: i32 = 0, bias = INITIAL_BIAS;
  for (let handled = basicCount; handled < count; ++n, ++delta) {
    let next = MAX;
    for (let at = codes; at < end; at += 4) if (load<i32>(at) >= n) next = min(next, load<i32>(at));
    if (next - n > (MAX - delta) / (handled + 1)) return 0;
    delta += (next - n) * (handled + 1);
    n = next;
    for (let at = codes; at < end; at += 4) {
      const code = load<i32>(at);
      if (code < n && delta++ == MAX) return 0;
      if (code != n) continue;
      to = writeNumber(delta, bias, to);
      bias = adapted(delta, handled + 1, handled == basicCount);
      delta = 0;
      ++handled;
    }
  }
  return to;
}

/** Writes a number of variable length, and returns its end. */
function writeNumber(number: i32, bias: i32, to: usize): usize {
  for (let k = BASE; ; k += BASE) {
    const t = thresholdAt(k, bias);
    if (number < t) break;
    store<u8>(to++, digitOf(t + ((number - t) % (BASE - t))));
    number = (number - t) / (BASE - t);
  }
  store<u8>(to++, digitOf(number));
  return to;
}

export function thresholdAt(k: i32, bias: i32): i32 { return k <= bias ? T_MIN : min(k - bias, T_MAX); }

export function adapted(delta: i32, count: i32, isFirst: bool): i32 {
  let rest = isFirst ? delta / 700 : delta >> 1;
  rest += rest / count;
  let k = 0;
  for (; rest > 455; k += BASE) rest /= 35;
  return k + (36 * rest) / (rest + 38);
}

function digitOf(value: i32): i32 { return value + (value < 26 ? 0x61 : 0x16); }
