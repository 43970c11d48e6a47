// src/core/url/unicode-table.ts: its data are those of tr46 (mapping, bidi classes, marks, joining types) in the versions
// of unicode-versions.mjs, and the normalization of the newest.

import { createRequire } from 'node:module';
import { sourceModule } from '../sources.mjs';
import { normalized } from './normalization.mjs';

/** Runs of code points that `valueOf` gives one value. */
function runsOf(valueOf) {
  const runs = [];
  for (let code = 0; code < CODE_POINTS; code++) {
    const value = valueOf(code);
    if (runs.length > 0 && runs.at(-1).value === value) runs.at(-1).length++;
    else runs.push({ value, first: code, length: 1 });
  }
  return runs;
}

const nfc = (text) => normalized(text, 'NFC');
const nfd = (text) => normalized(text, 'NFD');
const isHangul = (character) => character >= '\uac00' && character <= '\ud7a3';
const charactersOf = (codes) => codes.map((code) => String.fromCodePoint(code));
const validCharactersOf = ({ kinds }) => charactersOf([...kinds.keys()].filter((code) => isValidKind(kinds[code])));

/** UAX #15, D117: the last code point of a decomposition, and the composite of those before it. */
function compositions(validCharacters) {
  const valid = new Set(validCharacters);
  return validCharacters
    .filter((character) => nfd(character) !== character && !isHangul(character))
    .map((composite) => {
      const decomposition = Array.from(nfd(composite));
      const second = decomposition.pop();
      const first = nfc(decomposition.join(''));
      if (nfc(first + second) !== composite || !valid.has(first) || !valid.has(second))
        throw new Error(`U+${composite.codePointAt(0).toString(16)} is valid, and not the composite of two that are`);
      return { first: first.codePointAt(0), second: second.codePointAt(0), composite: composite.codePointAt(0) };
    });
}

/** Marks change places where the first has a higher combining class: 1 and 240 are the lowest and the highest. */
const isHigher = (one, other) => one !== other && nfd(one + other) === other + one;
const [LOWEST, HIGHEST] = ['\u0334', '\u0345'];

/** The rank of each mark's combining class, from 1 on; 0 for those without. */
function markRanks(validCharacters, kinds) {
  const hasClass = (character) => isHigher(character, LOWEST) || isHigher(HIGHEST, character);
  const marks = validCharacters.filter((character) => kinds[character.codePointAt(0)].endsWith(' M'));
  const withClass = validCharacters.filter(hasClass);
  if (!withClass.every((each) => marks.includes(each))) throw new Error('a combining class, and not a mark');
  /** One mark of each class, ascending. */
  const ranked = [];
  for (const mark of withClass) {
    const isKnown = ranked.some((each) => !isHigher(each, mark) && !isHigher(mark, each));
    if (!isKnown) ranked.splice(ranked.filter((each) => isHigher(mark, each)).length, 0, mark);
  }
  const rankOf = (mark) => 1 + ranked.findIndex((each) => !isHigher(each, mark) && !isHigher(mark, each));
  return marks.map((mark) => (hasClass(mark) ? rankOf(mark) : 0));
}

/** The source that both compilers read. */
export const tableSource = (text) =>
  `// Written by npm run tables; unicode.ts says what the lines are.\n\nexport const TABLE: string = \`${text}\`;\n`;

async function columns() {
  const { DIGITS, FINAL_DIGITS } = await sourceModule("export * from './src/core/url/unicode.ts';");
  const leadingDigits = DIGITS.length - FINAL_DIGITS;
  function digits(number) {
    let text = DIGITS[number % FINAL_DIGITS];
    for (let rest = Math.floor(number / FINAL_DIGITS); rest > 0; rest = Math.floor(rest / leadingDigits))
      text = DIGITS[FINAL_DIGITS + (--rest % leadingDigits)] + text;
    return text;
  }
  const column = (numbers) => numbers.map(digits).join('');
  const signedColumn = (numbers) => column(numbers.map((number) => (number < 0 ? -2 * number - 1 : 2 * number)));
  return { column, signedColumn };
}

const differences = (numbers) => numbers.map((number, index) => number - (numbers[index - 1] ?? 0));

function repetitions(numbers) {
  const runs = [];
  for (const value of numbers) {
    if (runs.at(-1)?.value === value) runs.at(-1).count++;
    else runs.push({ value, count: 1 });
  }
  return runs;
}

/**
 * The text of the table for versions with their data, ascending: the newest, and what differs in each older one.
 */
export async function tableText(versions) {
  const { column, signedColumn } = await columns();
  const repeated = (numbers) => {
    const runs = repetitions(numbers);
    return [column(runs.map(({ value }) => value)), column(runs.map(({ count }) => count - 1))];
  };
  const newest = versions.at(-1);
  const runs = runsOf((code) => newest.kinds[code]);
  const older = versions.slice(0, -1).map((version) => ({ ...version, runs: differingRuns(version, newest) }));
  const kinds = [...new Set([...runs, ...older.flatMap((each) => each.runs)].map(({ value }) => value))];
  const mapped = [...newest.mappings].map(([code, text]) => ({ code, to: codesOf(text) }));
  const distances = [[], [], []];
  const toOne = mapped.filter(({ to }) => to.length === 1);
  for (const { code, to } of toOne) distances[targetClass(to[0])].push(to[0] - code);
  const several = mapped.filter(({ to }) => to.length !== 1).map(({ to }) => to);
  const severalDifferences = several.flatMap((to, index) => {
    const before = several[index - 1] ?? [];
    return to.map((code, at) => code - (before[at] ?? before.at(-1) ?? 0));
  });
  const validCharacters = validCharactersOf(newest);
  const composites = compositions(validCharacters);
  const ranks = markRanks(validCharacters, newest.kinds);
  const lines = [
    kinds.join(','),
    column(runs.map(({ value }) => kinds.indexOf(value))),
    column(runs.map(({ length }) => length - 1)),
    ...repeated(toOne.map(({ to }) => targetClass(to[0]))),
    ...distances.map((each) => signedColumn(differences(each))),
    ...repeated(several.map(({ length }) => length)),
    signedColumn(severalDifferences),
    ...repeated(ranks),
    column(differences(composites.map(({ composite }) => composite))),
    signedColumn(differences(composites.map(({ first, composite }) => composite - first))),
    signedColumn(differences(composites.map(({ second }) => second))),
    ...older.flatMap((each) => differenceLines(each, kinds, column)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Ideographs are mapped to their main block and to extensions before and after it, ascending in each. */
const targetClass = (code) => Number(code >= 0x4e00) + Number(code >= 0x20000);

const codesOf = (text) => Array.from(text, (each) => each.codePointAt(0));

/** The runs in which an older version differs from the newest, by kind or by mapping. */
function differingRuns({ kinds, mappings }, newest) {
  const differs = (code) => kinds[code] !== newest.kinds[code] || mappings.get(code) !== newest.mappings.get(code);
  return runsOf((code) => (differs(code) ? kinds[code] : undefined)).filter(({ value }) => value !== undefined);
}

function differenceLines({ version, runs, mappings }, kinds, column) {
  const gaps = runs.map(
    ({ first }, index) => first - (index === 0 ? 0 : runs[index - 1].first + runs[index - 1].length),
  );
  const codes = runs.flatMap(({ first, length }) => Array.from({ length }, (_, at) => first + at));
  const mapped = codes.filter((code) => mappings.has(code));
  return [
    `${version}`,
    column(gaps),
    column(runs.map(({ length }) => length - 1)),
    column(runs.map(({ value }) => kinds.indexOf(value))),
    mapped.map((code) => [code, ...codesOf(mappings.get(code))].join(' ')).join(','),
  ];
}

// What tr46 has of one version of Unicode: of each code point, what UTS #46 makes of it and what the rules for labels
// ask of it.

const require = createRequire(import.meta.url);

export const CODE_POINTS = 0x110000;

const MAPPED = 1;
const STATUSES = { [MAPPED]: 'mapped', 2: 'valid', 3: 'disallowed', 6: 'valid', 7: 'ignored' };

/**
 * @param table the rows of tr46's mapping table: a code point or a range, its status, what it is mapped to
 * @param patterns tr46's regular expressions
 * @returns the name of each code point's kind, and what the mapped ones are mapped to
 */
function unicodeData(table, patterns) {
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
  const table = require(`${name}/lib/mappingTable.json`);
  return unicodeData(table, require(`${name}/lib/regexes.js`));
}

/** Its Bidi_Class and Joining_Type as src/core/url/unicode.ts has them, the latter if it joins, and whether it is a mark. */
function validKind(character, patterns) {
  const [bidi, joining] = [bidiClass(character, patterns), joiningType(character, patterns)];
  if (patterns.combiningMarks.test(character)) return `valid ${bidi} ${joining} M`;
  return joining === 'U' ? `valid ${bidi}` : `valid ${bidi} ${joining}`;
}

/** Tells a code point's class by the rules of RFC 5893 that the character alone, or after a letter, fulfils. */
function bidiClass(character, { bidiS1LTR, bidiS1RTL, bidiS2, bidiS4EN, bidiS4AN, bidiS5, bidiS6 }) {
  if (bidiS1LTR.test(character)) return 'L';
  if (bidiS1RTL.test(character)) return 'R';
  if (bidiS4EN.test(character)) return 'E';
  if (bidiS4AN.test(character)) return 'A';
  if (!bidiS2.test(character) || !bidiS5.test(character)) return 'F';
  return bidiS6.test(`a${character}`) ? 'N' : 'O';
}

/** Tells how a code point joins by its place about a non-joiner; U+0628 joins on both sides. */
function joiningType(character, { validZWNJ }) {
  const joins = (before, after) => validZWNJ.test(`${before}\u200c${after}`);
  const [isLeft, isRight] = [joins(character, '\u0628'), joins('\u0628', character)];
  if (isLeft || isRight) return isLeft && isRight ? 'D' : isLeft ? 'L' : 'R';
  return joins(`\u0628${character}`, '\u0628') ? 'T' : 'U';
}

export const isValidKind = (kind) => kind.startsWith('valid');
