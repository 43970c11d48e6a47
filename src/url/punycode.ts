import { isAsciiAlpha, isAsciiDigit } from '../bytes/code-points.ts';

// Punycode of one label, without `xn--`. https://www.rfc-editor.org/rfc/rfc3492#section-6

const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const BASE = DIGITS.length;
const INITIAL_BIAS = 72;
const INITIAL_CODE = 128;
const LAST_CODE = 0x10ffff;
/** A larger number is an overflow. */
const LIMIT = 2 ** 31 - 1;

/** Returns an ASCII text decoded, or undefined where it is not Punycode. */
export function decodePunycode(text: string): string | undefined {
  const basicEnd = Math.max(0, text.lastIndexOf('-'));
  const codePoints = codePointsOf(text.slice(0, basicEnd));
  let next = basicEnd === 0 ? 0 : basicEnd + 1;
  let bias = INITIAL_BIAS;
  let code = INITIAL_CODE;
  for (let at = 0; next < text.length; at++) {
    const before = at;
    for (let weight = 1, place = BASE; ; place += BASE) {
      const digit = next < text.length ? valueOf(text.charCodeAt(next++)) : -1;
      at += digit * weight;
      if (digit === -1 || at > LIMIT || weight > LIMIT) return undefined;
      const threshold = thresholdOf(place, bias);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = codePoints.length + 1;
    bias = adaptedBias(at - before, count, before === 0);
    code += Math.floor(at / count);
    if (code > LAST_CODE) return undefined;
    at %= count;
    codePoints.splice(at, 0, code);
  }
  return String.fromCodePoint(...codePoints);
}

/** Returns a label in Punycode, or undefined where a number overflows: in a label of some thousand characters. */
export function encodePunycode(label: string): string | undefined {
  const codePoints = codePointsOf(label);
  let output = '';
  for (const each of codePoints) if (each < INITIAL_CODE) output += String.fromCharCode(each);
  const basicCount = output.length;
  if (basicCount > 0) output += '-';
  let bias = INITIAL_BIAS;
  let delta = 0;
  let code = INITIAL_CODE;
  for (let count = basicCount; count < codePoints.length; delta++, code++) {
    let least = LAST_CODE;
    for (const each of codePoints) if (each >= code && each < least) least = each;
    delta += (least - code) * (count + 1);
    code = least;
    for (const each of codePoints) {
      if (each < code) delta++;
      if (delta > LIMIT) return undefined;
      if (each !== code) continue;
      output += digitsOf(delta, bias);
      bias = adaptedBias(delta, count + 1, count === basicCount);
      delta = 0;
      count++;
    }
  }
  return output;
}

/** Returns a number as a generalized variable-length integer. */
function digitsOf(number: number, bias: number): string {
  let digits = '';
  let rest = number;
  for (let place = BASE; ; place += BASE) {
    const threshold = thresholdOf(place, bias);
    if (rest < threshold) return digits + DIGITS[rest];
    const radix = BASE - threshold;
    digits += DIGITS[threshold + ((rest - threshold) % radix)];
    rest = Math.floor((rest - threshold) / radix);
  }
}

function thresholdOf(place: number, bias: number): number {
  return Math.min(Math.max(place - bias, 1), 26);
}

// https://www.rfc-editor.org/rfc/rfc3492#section-6.1
function adaptedBias(difference: number, count: number, isFirst: boolean): number {
  let delta = Math.floor(difference / (isFirst ? 700 : 2));
  delta += Math.floor(delta / count);
  let place = 0;
  for (; delta > 455; place += BASE) delta = Math.floor(delta / 35);
  return place + Math.floor((36 * delta) / (delta + 38));
}

function codePointsOf(text: string): number[] {
  const codePoints: number[] = [];
  for (const character of text) codePoints.push(character.codePointAt(0)!);
  return codePoints;
}

/** Returns the value of a digit, or -1. */
function valueOf(code: number): number {
  if (isAsciiDigit(code)) return code - 0x30 + 26;
  return isAsciiAlpha(code) ? (code | 0x20) - 0x61 : -1;
}
