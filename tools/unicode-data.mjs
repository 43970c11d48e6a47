// What tr46 has of one version of Unicode: of each code point, what UTS #46 makes of it and what the rules for labels
// ask of it.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const CODE_POINTS = 0x110000;

const MAPPED = 1;
const STATUSES = { [MAPPED]: 'mapped', 2: 'valid', 3: 'disallowed', 6: 'valid', 7: 'ignored' };

/**
 * @param table the rows of tr46's mapping table: a code point or a range, its status, what it is mapped to
 * @param patterns tr46's regular expressions
 * @returns the name of each code point's kind, and what the mapped ones are mapped to
 */
export function unicodeData(table, patterns) {
  const kinds = new Array(CODE_POINTS);
  const mappings = new Map();
  for (const [range, number, mapping] of table) {
    const [first, last = first] = [range].flat();
    const status = STATUSES[number];
    for (let code = first; code <= last; code++) {
      kinds[code] = status === 'valid' ? validKind(String.fromCodePoint(code), patterns) : status;
      if (status !== 'mapped') continue;
      mappings.set(code, mapping);
      if (Array.from(mapping).length > 1) kinds[code] = 'mapped-to-several';
    }
  }
  return { kinds, mappings };
}

/** @param name of a version of tr46 */
export function dataOfPackage(name) {
  const { version } = require(`${name}/package.json`);
  const table = require(`${name}/lib/mappingTable.json`);
  return { ...unicodeData(table, require(`${name}/lib/regexes.js`)), tr46Version: version };
}

/** Its Bidi_Class and Joining_Type as src/core/url/unicode.ts has them, the latter if it joins, and whether it is a mark. */
function validKind(character, patterns) {
  const [bidi, joining] = [bidiClass(character, patterns), joiningType(character, patterns)];
  if (patterns.combiningMarks.test(character)) return `valid ${bidi} ${joining} M`;
  return joining === 'U' ? `valid ${bidi}` : `valid ${bidi} ${joining}`;
}

/** By the rules of RFC 5893 that the character alone, or after a letter, fulfils. */
function bidiClass(character, { bidiS1LTR, bidiS1RTL, bidiS2, bidiS4EN, bidiS4AN, bidiS5, bidiS6 }) {
  if (bidiS1LTR.test(character)) return 'L';
  if (bidiS1RTL.test(character)) return 'R';
  if (bidiS4EN.test(character)) return 'E';
  if (bidiS4AN.test(character)) return 'A';
  if (!bidiS2.test(character) || !bidiS5.test(character)) return 'F';
  return bidiS6.test(`a${character}`) ? 'N' : 'O';
}

/** By its place about a non-joiner; U+0628 joins on both sides. */
function joiningType(character, { validZWNJ }) {
  const joins = (before, after) => validZWNJ.test(`${before}\u200c${after}`);
  const [isLeft, isRight] = [joins(character, '\u0628'), joins('\u0628', character)];
  if (isLeft || isRight) return isLeft && isRight ? 'D' : isLeft ? 'L' : 'R';
  return joins(`\u0628${character}`, '\u0628') ? 'T' : 'U';
}

/** What a code point is in a version, as one text. */
export function meaningOf(code, { kinds, mappings }) {
  return mappings.has(code) ? `mapped to ${mappings.get(code)}` : kinds[code];
}

export const isValidKind = (kind) => kind.startsWith('valid');
