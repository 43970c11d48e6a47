/**
 * The digits of the columns in unicode-table.txt: printable ASCII except what a string literal or a page would escape
 * (quotes, `$`, `<` and the backslash). The first 64 end a number, the others come before such a digit.
 */
export const DIGITS = ' !#%&()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~';
export const FINAL_DIGITS = 64;

/**
 * Reads the whole numbers in a text, from 0 on. They have no separators, and one spelling each: a leading digit counts
 * from 1. One loop with no calls: it runs once, before anything is compiled; a method per number took twice as long.
 */
export function numbersIn(text: string): Uint32Array {
  const values = new Uint8Array(128);
  for (let value = 0; value < DIGITS.length; value++) values[DIGITS.charCodeAt(value)] = value;
  const leadingDigits = DIGITS.length - FINAL_DIGITS;
  const numbers = new Uint32Array(text.length);
  let count = 0;
  let leading = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = values[text.charCodeAt(at)]!;
    if (digit < FINAL_DIGITS) {
      numbers[count++] = leading * FINAL_DIGITS + digit;
      leading = 0;
    } else {
      leading = leading * leadingDigits + digit - FINAL_DIGITS + 1;
    }
  }
  return numbers.subarray(0, count);
}

/** Reads numbers of either sign: 0, -1, 1, -2, 2 and so on. */
export function signedNumbersIn(text: string): Int32Array {
  const numbers = numbersIn(text);
  const values = new Int32Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) values[at] = signed(numbers[at]!);
  return values;
}

const signed = (number: number) => (number >>> 1) ^ -(number & 1);

/** Reads differences of either sign, and returns their running sums. */
export function signedSumsIn(text: string): Int32Array {
  const numbers = numbersIn(text);
  const sums = new Int32Array(numbers.length);
  let sum = 0;
  for (let at = 0; at < numbers.length; at++) sums[at] = sum += signed(numbers[at]!);
  return sums;
}

/** Returns numbers up to 255, each repeated as many times as the counts say, plus once. */
export function repeated(values: string, counts: string): Uint8Array {
  const [eachValue, eachCount] = [numbersIn(values), numbersIn(counts)];
  const length = eachCount.reduce((sum, count) => sum + count + 1, 0);
  const numbers = new Uint8Array(length);
  let start = 0;
  for (let at = 0; at < eachValue.length; at++) {
    const end = start + eachCount[at]! + 1;
    numbers.fill(eachValue[at]!, start, end);
    start = end;
  }
  return numbers;
}
