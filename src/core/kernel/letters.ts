import {
  BIDI_A,
  BIDI_E,
  BIDI_F,
  BIDI_L,
  BIDI_N,
  BIDI_O,
  BIDI_R,
  LETTER_CODE,
  LETTER_COUNT,
  LETTER_IGNORED,
  LETTER_MARK,
  LETTER_REORDERS,
  LETTER_VERSION_SHIFT,
} from '../../../assembly/layout.ts';
import { FULL_STOP, isAsciiDigit } from '../bytes/code-points.ts';
import { TextWriter } from '../bytes/text-writer.ts';
import { isJoiner, mayComposeWithBefore, plainUnitOf } from '../url/idna.ts';
import { type UnicodeData, unicodeData } from '../url/unicode.ts';

/** The bits of the classes, by their names in unicode.ts. */
const BIDI_BITS: Readonly<Record<string, number>> = {
  L: BIDI_L,
  R: BIDI_R,
  E: BIDI_E,
  A: BIDI_A,
  N: BIDI_N,
  O: BIDI_O,
  F: BIDI_F,
};

/**
 * Adds the code points of a domain to those that the kernel knows in a version of Unicode: with them it finds the ASCII
 * forms of other domains. A domain of plain characters needs no tables, and they are not read for it.
 */
export function addLetters(letters: Uint32Array, domain: string, version: number): void {
  for (let at = 0; at < domain.length; at++) {
    const code = domain.codePointAt(at)!;
    if (code > 0xffff) at++;
    if (code >= LETTER_COUNT || letters[code]! >>> LETTER_VERSION_SHIFT === version) continue;
    letters[code] = letterOf(code, version) | (version << LETTER_VERSION_SHIFT);
  }
}

function letterOf(code: number, version: number): number {
  const plain = code > 0xffff ? 0 : plainUnitOf(code);
  return plain === 0 ? letterByTables(code, unicodeData(version)) : plain | plainBidi(plain);
}

/** All plain characters are letters, but for these. */
function plainBidi(plain: number): number {
  return isAsciiDigit(plain) ? BIDI_E : plain === HYPHEN || plain === FULL_STOP ? BIDI_O : BIDI_L;
}

const HYPHEN = 0x2d;

/** Returns 0 for what the kernel cannot judge: what is not valid, joins, may compose, or is mapped to several. */
function letterByTables(code: number, unicode: UnicodeData): number {
  if (unicode.kindOf(code).status === 'ignored') return LETTER_IGNORED;
  const writer = new TextWriter();
  unicode.addMapping(code, writer);
  const mapped = [...writer.toString()].map((character) => character.codePointAt(0)!);
  const letter = mapped[0]!;
  if (mapped.length > 1 || letter > LETTER_CODE) return 0;
  if (letter < 0x80) return plainUnitOf(letter) === letter ? letter | plainBidi(letter) : 0;
  const kind = unicode.kindOf(letter);
  if (!kind.isValid || isJoiner(letter) || mayComposeWithBefore(letter, unicode)) return 0;
  const markBits = kind.isMark ? LETTER_MARK : 0;
  const orderBits = unicode.combiningClassOf(letter) > 0 ? LETTER_REORDERS : 0;
  return letter | markBits | orderBits | BIDI_BITS[kind.bidi]!;
}
