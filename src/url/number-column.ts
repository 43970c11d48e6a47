/**
 * The digits of the columns in unicode-table.ts: printable ASCII but for what a string literal or a page would escape
 * (quotes, `$`, `<` and the backslash). The first 64 end a number, the others come before such a digit.
 */
export const DIGITS = ' !#%&()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~';
export const FINAL_DIGITS = 64;

const LEADING_DIGITS = DIGITS.length - FINAL_DIGITS;

/** The values of the digits by their character codes. */
type DigitValues = Uint8Array;

let digitValues: DigitValues | undefined;

function valuesOfDigits(): DigitValues {
  const values = new Uint8Array(128);
  for (let value = 0; value < DIGITS.length; value++) values[DIGITS.charCodeAt(value)] = value;
  return values;
}

/** Whole numbers as text, one after another: 1.4 characters a number in these tables, and brotli sees what repeats. */
export class NumberColumn {
  readonly #text: string;
  readonly #values: DigitValues;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#values = digitValues ??= valuesOfDigits();
  }

  /** From 0 on. Each number has one spelling: a leading digit counts from 1. */
  next(): number {
    let leading = 0;
    for (;;) {
      const digit = this.#values[this.#text.charCodeAt(this.#at++)]!;
      if (digit < FINAL_DIGITS) return leading * FINAL_DIGITS + digit;
      leading = leading * LEADING_DIGITS + digit - FINAL_DIGITS + 1;
    }
  }

  /** A number of either sign: 0, -1, 1, -2, 2 and so on. */
  nextSigned(): number {
    const number = this.next();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }
}
