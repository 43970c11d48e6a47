// Writes src/url/unicode-table.ts: `node tools/unicode-table.mjs`. Its data are those of tr46 (mapping, bidi classes,
// marks, joining types) and of the normalization of the Node that runs it, both of Unicode 17. With --check it compares
// what src/url makes of the tables with these libraries instead.
import { createRequire } from 'node:module';
import { sourceModule, stringConstant, write } from './generated.mjs';
import { checkUnicode } from './unicode-check.mjs';

const UNICODE = '17.0';
if (process.versions.unicode !== UNICODE)
  throw new Error(`this Node has Unicode ${process.versions.unicode}, not ${UNICODE}`);

const require = createRequire(import.meta.url);
const { version } = require('tr46/package.json');
const patterns = require('tr46/lib/regexes.js');

// The IDNA mapping table: each code point's status, and what it is mapped to.
const MAPPED = 1;
const STATUSES = { [MAPPED]: 'mapped', 2: 'valid', 3: 'disallowed', 6: 'valid', 7: 'ignored' };
const CODE_POINTS = 0x110000;
const statuses = new Uint8Array(CODE_POINTS);
const mappings = new Map();
for (const [range, status, mapping] of require('tr46/lib/mappingTable.json')) {
  const [first, last = first] = [range].flat();
  statuses.fill(status, first, last + 1);
  if (status === MAPPED) for (let code = first; code <= last; code++) mappings.set(code, mapping);
}

/** The name of a code point's kind: its status, and of a valid one what the rules ask of it. */
function kindName(code) {
  const status = STATUSES[statuses[code]];
  if (status === 'mapped' && Array.from(mappings.get(code)).length > 1) return 'mapped-to-several';
  if (status !== 'valid') return status;
  const character = String.fromCodePoint(code);
  const properties = [bidiClass(character)];
  if (patterns.combiningMarks.test(character)) properties.push('mark');
  return [status, ...properties, ...joining(character)].join(' ');
}

/** By the rules of RFC 5893 that the character alone, or after a letter, fulfils. */
function bidiClass(character) {
  const { bidiS1LTR, bidiS1RTL, bidiS2, bidiS4EN, bidiS4AN, bidiS5, bidiS6 } = patterns;
  if (bidiS1LTR.test(character)) return 'L';
  if (bidiS1RTL.test(character)) return 'R';
  if (bidiS4EN.test(character)) return 'EN';
  if (bidiS4AN.test(character)) return 'AN';
  if (!bidiS2.test(character) || !bidiS5.test(character)) return 'forbidden';
  return bidiS6.test(`a${character}`) ? 'NSM' : 'other';
}

/** By its place about a non-joiner; U+0628 joins on both sides. */
function joining(character) {
  const joins = (before, after) => patterns.validZWNJ.test(`${before}\u200c${after}`);
  const [isLeft, isRight] = [joins(character, '\u0628'), joins('\u0628', character)];
  const isTransparent = !isLeft && joins(`\u0628${character}`, '\u0628');
  return [isLeft && 'left-joining', isRight && 'right-joining', isTransparent && 'transparent'].filter(Boolean);
}

function kindRuns() {
  const runs = [];
  for (let code = 0; code < CODE_POINTS; code++) {
    const kind = kindName(code);
    if (runs.at(-1)?.kind === kind) runs.at(-1).length++;
    else runs.push({ kind, length: 1 });
  }
  return runs;
}

// Normalization, of the code points that are valid in a domain.
const nfc = (text) => text.normalize('NFC');
const nfd = (text) => text.normalize('NFD');
const isHangul = (character) => character >= '\uac00' && character <= '\ud7a3';
const validCharacters = Array.from({ length: CODE_POINTS }, (_, code) => code)
  .filter((code) => STATUSES[statuses[code]] === 'valid')
  .map((code) => String.fromCodePoint(code));

/** UAX #15, D117: the last code point of a decomposition, and the composite of those before it. */
function compositions() {
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
function markRanks() {
  const hasClass = (character) => isHigher(character, LOWEST) || isHigher(HIGHEST, character);
  const marks = validCharacters.filter((character) => patterns.combiningMarks.test(character));
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

async function columns() {
  const { DIGITS, FINAL_DIGITS } = await sourceModule('src/url/number-column.ts');
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

async function tableText() {
  const { column, signedColumn } = await columns();
  const repeated = (values, counts, numbers) => {
    const runs = repetitions(numbers);
    return (
      stringConstant(values, column(runs.map(({ value }) => value))) +
      stringConstant(counts, column(runs.map(({ count }) => count - 1)))
    );
  };
  const runs = kindRuns();
  const kinds = [...new Set(runs.map(({ kind }) => kind))];
  const mapped = [...mappings].map(([code, text]) => ({ code, to: Array.from(text, (each) => each.codePointAt(0)) }));
  const distances = mapped.filter(({ to }) => to.length === 1).map(({ code, to }) => to[0] - code);
  const several = mapped.filter(({ to }) => to.length !== 1).map(({ to }) => to);
  const severalDifferences = several.flatMap((to, index) => {
    const before = several[index - 1] ?? [];
    return to.map((code, at) => code - (before[at] ?? before.at(-1) ?? 0));
  });
  const composites = compositions();
  const ranks = markRanks();
  console.log(
    `${runs.length} runs of ${kinds.length} kinds, ${mapped.length} mappings, ${several.length} of them longer`,
  );
  console.log(`${composites.length} composites, ${Math.max(...ranks)} combining classes`);

  return `// Written by tools/unicode-table.mjs from Unicode ${UNICODE}: UTS #46 as tr46 ${version} has it (MIT, copyright Sebastian
// Mayr), normalization as ICU does it. Copyright 1991-2025 Unicode, Inc., https://www.unicode.org/license.txt.
//
// Columns of numbers in the digits of number-column.ts. A gap or a difference counts from the number before.

/** A status and, of valid code points, a Bidi_Class and what holds of General_Category and Joining_Type. */
export const KINDS = [
${kinds.map((kind) => `  '${kind}',`).join('\n')}
];

// All code points in runs of one kind: an index in KINDS, one digit each, and the length less 1.

${stringConstant('RUN_KINDS', column(runs.map(({ kind }) => kinds.indexOf(kind))))}
${stringConstant('RUN_LENGTHS', column(runs.map(({ length }) => length - 1)))}
// The code points that are mapped to one, ascending: how far that is, as a difference.

${stringConstant('MAPPED_TO_ONE', signedColumn(differences(distances)))}
// Those that are mapped to several, ascending: how many, that many times and once more; the difference of each from the
// one in its place in the mapping before, or from the last one there.

${repeated(
  'MAPPING_LENGTHS',
  'MAPPING_LENGTH_COUNTS',
  several.map(({ length }) => length),
)}
${stringConstant('MAPPED_TO_SEVERAL', signedColumn(severalDifferences))}
// The marks, ascending: the rank of the Canonical_Combining_Class, or 0, that many times and once more.

${repeated('MARK_CLASSES', 'MARK_CLASS_COUNTS', ranks)}
// What the composites, ascending, are made of: gaps, the differences of the distances from the first code point to the
// composite, and the differences of the second code points.

${stringConstant('COMPOSITE_GAPS', column(differences(composites.map(({ composite }) => composite))))}
${stringConstant('COMPOSITE_DISTANCES', signedColumn(differences(composites.map(({ first, composite }) => composite - first))))}
${stringConstant('COMPOSITE_SECONDS', signedColumn(differences(composites.map(({ second }) => second))))}`;
}

if (process.argv.includes('--check')) await checkUnicode();
else write('src/url/unicode-table.ts', (await tableText()).replaceAll(/\n{3,}/g, '\n\n'));
