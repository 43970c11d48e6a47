import {
  BIDI_E,
  BIDI_L,
  BIDI_O,
  LETTER_CODE,
  LETTER_COUNT,
  LETTER_IGNORED,
  LETTER_MARK,
  LETTER_REORDERS,
  LETTER_VERSION_SHIFT,
} from '../../../assembly/layout.ts';
import { codePointAt, codePointsOf, FULL_STOP, isAsciiDigit, unitCountOf } from '../bytes/code-points.ts';
import { TextWriter } from '../bytes/text-writer.ts';
import { isJoiner } from '../url/idna.ts';
import { mayComposeWithBefore } from '../url/nfc.ts';
import { plainUnitOf } from '../url/plain-domain.ts';
import { UnicodeData, unicodeData } from '../url/unicode.ts';

/** The classes of unicode.ts, in the order of their bits. */
const BIDI_CLASSES: string = 'LREANOF';

/**
 * Adds the code points of a domain to those that the kernel knows in a version of Unicode: with them it finds the ASCII
 * forms of other domains. A domain of plain characters needs no tables, and they are not read for it.
 */
export function addLetters(letters: Uint32Array, domain: string, version: i32): void {
  for (let at = 0; at < domain.length; ) {
    const code = codePointAt(domain, at);
    at += unitCountOf(code);
    if (code >= (LETTER_COUNT as i32) || ((letters[code]! >>> LETTER_VERSION_SHIFT) as i32) === version) continue;
    letters[code] = letterOf(code, version) | ((version as u32) << LETTER_VERSION_SHIFT);
  }
}

function letterOf(code: i32, version: i32): u32 {
  const plain = code > 0xffff ? 0 : plainUnitOf(code);
  return plain === 0 ? letterByTables(code, unicodeData(version)) : plainLetter(plain);
}

/** All plain characters are of the class L, but for these. */
function plainLetter(plain: i32): u32 {
  const bidi = isAsciiDigit(plain) ? BIDI_E : plain === HYPHEN || plain === FULL_STOP ? BIDI_O : BIDI_L;
  return (plain as u32) | bidi;
}

const HYPHEN: i32 = 0x2d;

/** Returns 0 for what the kernel cannot judge: what is not valid, joins, may compose, or is mapped to several. */
function letterByTables(code: i32, unicode: UnicodeData): u32 {
  if (unicode.kindOf(code).status === 'ignored') return LETTER_IGNORED;
  const mapping = new TextWriter();
  unicode.addMapping(code, mapping);
  const mapped = codePointsOf(mapping.toString());
  const letter = mapped[0]!;
  if (mapped.length > 1 || letter > (LETTER_CODE as i32)) return 0;
  if (letter < 0x80) return plainUnitOf(letter) === letter ? plainLetter(letter) : 0;
  const kind = unicode.kindOf(letter);
  if (!kind.isValid || isJoiner(letter) || mayComposeWithBefore(letter, unicode)) return 0;
  const markBits: u32 = kind.isMark ? LETTER_MARK : 0;
  const orderBits: u32 = unicode.combiningClassOf(letter) > 0 ? LETTER_REORDERS : 0;
  return (letter as u32) | markBits | orderBits | (BIDI_L << BIDI_CLASSES.indexOf(kind.bidi));
}
