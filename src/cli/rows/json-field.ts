import { isAsciiDigit } from '../../bytes/code-points.ts';
import { decodeLine, textEncoder } from '../../bytes/utf8.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;
const LEFT_BRACKET = 0x5b;
const RIGHT_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const FULL_STOP = 0x2e;
const SMALL_E = 0x65;
const SMALL_U = 0x75;
const BIT_OF_CASE = 0x20;

const OBJECT = 1;
const ARRAY = 2;

/** What may follow: the states of the scanner. */
const VALUE = 0;
const VALUE_OR_END = 1;
const KEY = 2;
const KEY_OR_END = 3;
const COMMA_OR_END = 4;

const LITERALS = ['true', 'false', 'null'].map((literal) => Array.from(literal, (letter) => letter.charCodeAt(0)));
const ESCAPED = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));

/**
 * Finds a string in a JSON object by the names that lead to it, in one pass over the bytes and without building the
 * object: it accepts what `JSON.parse` accepts, and of a name that occurs twice the last one counts, as there.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259
 */
export class JsonField {
  /** Where the value's string lies, without its quotation marks; -1 where the object has no such string. */
  valueStart = -1;
  valueEnd = -1;
  /** Does the value hold escapes? */
  isEscaped = false;
  /** Where the object's closing brace is, and whether it has no members. */
  closingBrace = -1;
  isEmpty = false;

  readonly #names: readonly string[];
  readonly #encodedNames: readonly Uint8Array[];
  #bytes: Uint8Array = new Uint8Array(0);
  #end = 0;
  #at = 0;
  #kinds = new Uint8Array(64);
  /** Did the last string hold a backslash, or a byte that is not ASCII? */
  #hasEscape = false;
  #isAscii = true;

  /** @param names from the outermost object inward */
  constructor(names: readonly string[]) {
    this.#names = names;
    this.#encodedNames = names.map((name) => textEncoder().encode(name));
  }

  /** Scans bytes [start, end); false where they are not a JSON object. */
  scan(bytes: Uint8Array, start: number, end: number): boolean {
    this.#bytes = bytes;
    this.#end = end;
    this.#at = start;
    this.valueStart = this.valueEnd = this.closingBrace = -1;
    this.#skipSpace();
    if (bytes[this.#at] !== LEFT_BRACE || this.#at >= end || !this.#scanObject()) return false;
    this.#skipSpace();
    return this.#at === end;
  }

  /** The value as text; its escapes are decoded. */
  get value(): string {
    const text = decodeLine(this.#bytes.subarray(this.valueStart, this.valueEnd));
    return this.isEscaped ? (JSON.parse(`"${text}"`) as string) : text;
  }

  /** The state machine. `pathDepth` objects, from the outermost on, are those that the names lead through. */
  #scanObject(): boolean {
    let [state, depth, pathDepth] = [VALUE, 0, 0];
    let isNamed = true;
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#end) return false;
      const byte = this.#bytes[this.#at]!;
      if (state === COMMA_OR_END && byte === COMMA) {
        this.#at++;
        state = this.#kinds[depth] === OBJECT ? KEY : VALUE;
      } else if (byte === RIGHT_BRACE || byte === RIGHT_BRACKET) {
        const isFirst = state === KEY_OR_END || state === VALUE_OR_END;
        if ((!isFirst && state !== COMMA_OR_END) || this.#kinds[depth] !== (byte === RIGHT_BRACE ? OBJECT : ARRAY))
          return false;
        if (--depth === 0) {
          this.isEmpty = isFirst;
          this.closingBrace = this.#at++;
          return true;
        }
        this.#at++;
        pathDepth = Math.min(pathDepth, depth);
        state = COMMA_OR_END;
      } else if (state === KEY || state === KEY_OR_END) {
        const start = this.#at + 1;
        if (byte !== QUOTE || !this.#skipString()) return false;
        isNamed = depth === pathDepth && this.#isName(start, this.#at - 1, depth - 1);
        this.#skipSpace();
        if (this.#at >= this.#end || this.#bytes[this.#at++] !== COLON) return false;
        if (isNamed) this.valueStart = this.valueEnd = -1;
        state = VALUE;
      } else if (state === COMMA_OR_END) {
        return false;
      } else if (byte === LEFT_BRACE || byte === LEFT_BRACKET) {
        this.#open(++depth, byte === LEFT_BRACE ? OBJECT : ARRAY);
        if (byte === LEFT_BRACE && isNamed && pathDepth === depth - 1 && depth <= this.#names.length) pathDepth = depth;
        state = byte === LEFT_BRACE ? KEY_OR_END : VALUE_OR_END;
        isNamed = false;
      } else {
        const start = this.#at + 1;
        if (!this.#skipScalar(byte)) return false;
        if (isNamed && byte === QUOTE && depth === pathDepth && depth === this.#names.length) {
          this.valueStart = start;
          this.valueEnd = this.#at - 1;
          this.isEscaped = this.#hasEscape;
        }
        isNamed = false;
        state = COMMA_OR_END;
      }
    }
  }

  #open(depth: number, kind: number): void {
    if (depth === this.#kinds.length) {
      const grown = new Uint8Array(2 * depth);
      grown.set(this.#kinds);
      this.#kinds = grown;
    }
    this.#kinds[depth] = kind;
    this.#at++;
  }

  #isName(start: number, end: number, index: number): boolean {
    const bytes = this.#bytes;
    if (this.#hasEscape || !this.#isAscii) {
      return JSON.parse(`"${decodeLine(bytes.subarray(start, end))}"`) === this.#names[index];
    }
    const name = this.#encodedNames[index]!;
    if (end - start !== name.length) return false;
    for (let at = 0; at < name.length; at++) if (bytes[start + at] !== name[at]) return false;
    return true;
  }

  #skipSpace(): void {
    const bytes = this.#bytes;
    for (; this.#at < this.#end; this.#at++) {
      const byte = bytes[this.#at]!;
      if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return;
    }
  }

  #skipScalar(first: number): boolean {
    if (first === QUOTE) return this.#skipString();
    return first === MINUS || isAsciiDigit(first)
      ? this.#skipNumber()
      : LITERALS.some((each) => this.#skipLiteral(each));
  }

  /** From the opening quotation mark to the byte after the closing one. */
  #skipString(): boolean {
    const [bytes, end] = [this.#bytes, this.#end];
    this.#hasEscape = false;
    let units = 0;
    let at = this.#at + 1;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) break;
      if (byte < 0x20) return false;
      units |= byte;
      if (byte !== BACKSLASH) continue;
      this.#hasEscape = true;
      at = this.#escapeEnd(at + 1);
      if (at === -1) return false;
    }
    this.#isAscii = units < 0x80;
    this.#at = at + 1;
    return at < end;
  }

  /** The last byte of the escape whose letter is at `at`, or -1. */
  #escapeEnd(at: number): number {
    if (at >= this.#end) return -1;
    if (this.#bytes[at] !== SMALL_U) return ESCAPED.has(this.#bytes[at]!) ? at : -1;
    for (let digit = at + 1; digit <= at + 4; digit++)
      if (digit >= this.#end || !isHexDigit(this.#bytes[digit]!)) return -1;
    return at + 4;
  }

  #skipNumber(): boolean {
    if (this.#bytes[this.#at] === MINUS) this.#at++;
    const first = this.#at;
    if (this.#skipDigits() === 0 || (this.#bytes[first] === 0x30 && this.#at > first + 1)) return false;
    if (this.#at < this.#end && this.#bytes[this.#at] === FULL_STOP) {
      this.#at++;
      if (this.#skipDigits() === 0) return false;
    }
    if (this.#at >= this.#end || (this.#bytes[this.#at]! | BIT_OF_CASE) !== SMALL_E) return true;
    this.#at++;
    if (this.#at < this.#end && (this.#bytes[this.#at] === PLUS || this.#bytes[this.#at] === MINUS)) this.#at++;
    return this.#skipDigits() > 0;
  }

  #skipDigits(): number {
    const start = this.#at;
    while (this.#at < this.#end && isAsciiDigit(this.#bytes[this.#at]!)) this.#at++;
    return this.#at - start;
  }

  #skipLiteral(letters: readonly number[]): boolean {
    const isThere = this.#at + letters.length <= this.#end;
    if (!isThere || !letters.every((letter, index) => this.#bytes[this.#at + index] === letter)) return false;
    this.#at += letters.length;
    return true;
  }
}

function isHexDigit(byte: number): boolean {
  const lower = byte | BIT_OF_CASE;
  return isAsciiDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}
