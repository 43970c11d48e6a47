// Writes src/core/url/unicode-table.ts: `node tools/unicode-table.mjs`. Its data are those of tr46 (mapping, bidi classes,
// marks, joining types) in the versions of tools/unicode-versions.mjs, and the normalization of the newest. With --check
// it compares what src/core/url makes of the table with these libraries instead, and the versions with each other.
import { sourceModule, stringConstant, write } from './generated.mjs';
import { normalized } from './normalization.mjs';
import { CODE_POINTS, dataOfPackage, isValidKind } from './unicode-data.mjs';
import { relationOf } from './unicode-relation.mjs';
import { VERSIONS } from './unicode-versions.mjs';

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

async function columns() {
  const { DIGITS, FINAL_DIGITS } = await sourceModule('src/core/url/number-column.ts');
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
  const repeated = (values, counts, numbers) => {
    const runs = repetitions(numbers);
    return (
      stringConstant(values, column(runs.map(({ value }) => value))) +
      stringConstant(counts, column(runs.map(({ count }) => count - 1)))
    );
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
  const equalPairs = versions.flatMap((version, index) =>
    versions
      .slice(index + 1)
      .filter((later) => relationOf(version, later).areFormsEqual)
      .map((later) => `[${version.version}, ${later.version}]`),
  );
  const sources = versions.map(({ version, tr46Version }) => `Unicode ${version} as tr46 ${tr46Version} has it`);

  return `// Written by tools/unicode-table.mjs: UTS #46 of ${sources.join(', of ')} (MIT, copyright
// Sebastian Mayr), normalization as UAX #15 defines it. Copyright 1991-2026 Unicode, Inc.,
// https://www.unicode.org/license.txt.

/** What an older version has in place of the newest. */
interface OlderVersion {
  readonly version: number;
  readonly gaps: string;
  readonly lengths: string;
  readonly kinds: string;
  readonly mappings: readonly (readonly [code: number, text: string])[];
}

/** The versions of Unicode, ascending. */
export const UNICODE_VERSIONS = [${versions.map(({ version }) => version).join(', ')}] as const;

/** Pairs of them whose forms of a URL that is valid in both are equal. */
export const EQUAL_FORMS: readonly (readonly [one: number, other: number])[] = [${equalPairs.join(', ')}];

// Columns of numbers in the digits of number-column.ts. A gap or a difference counts from the number before.

/** A status and, of valid code points, a Bidi_Class, a Joining_Type and an M for marks, as unicode.ts has them. */
export const KINDS = [
${kinds.map((kind) => `  '${kind}',`).join('\n')}
];

// All code points in runs of one kind, in the newest version: an index in KINDS, one digit each, and the length less 1.

${stringConstant('RUN_KINDS', column(runs.map(({ value }) => kinds.indexOf(value))))}
${stringConstant('RUN_LENGTHS', column(runs.map(({ length }) => length - 1)))}
/**
 * The runs of code points that differ in older versions: gaps from the end of the run before, lengths less 1, and kinds;
 * and what those that are mapped are mapped to.
 */
export const OLDER_VERSIONS: readonly OlderVersion[] = [
${older.map((each) => differencesText(each, kinds, column)).join('')}];

// The code points that are mapped to one, ascending, are mapped below U+4E00, below U+20000 or beyond: which of these,
// that many times and once more. Then, for each of the three, how far that is, as a difference.

${repeated(
  'MAPPED_CLASSES',
  'MAPPED_CLASS_COUNTS',
  toOne.map(({ to }) => targetClass(to[0])),
)}
${distances.map((each, index) => stringConstant(['MAPPED_LOW', 'MAPPED_MIDDLE', 'MAPPED_HIGH'][index], signedColumn(differences(each)))).join('\n')}
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
${stringConstant('COMPOSITE_SECONDS', signedColumn(differences(composites.map(({ second }) => second))))}`.replaceAll(
    /\n{3,}/g,
    '\n\n',
  );
}

/** Ideographs are mapped to their main block and to extensions before and after it, ascending in each. */
const targetClass = (code) => Number(code >= 0x4e00) + Number(code >= 0x20000);

const codesOf = (text) => Array.from(text, (each) => each.codePointAt(0));

/** The runs in which an older version differs from the newest, by kind or by mapping. */
function differingRuns({ kinds, mappings }, newest) {
  const differs = (code) => kinds[code] !== newest.kinds[code] || mappings.get(code) !== newest.mappings.get(code);
  return runsOf((code) => (differs(code) ? kinds[code] : undefined)).filter(({ value }) => value !== undefined);
}

function differencesText({ version, runs, mappings }, kinds, column) {
  const gaps = runs.map(
    ({ first }, index) => first - (index === 0 ? 0 : runs[index - 1].first + runs[index - 1].length),
  );
  const codes = runs.flatMap(({ first, length }) => Array.from({ length }, (_, at) => first + at));
  const mapped = codes
    .filter((code) => mappings.has(code))
    .map((code) => `[${code}, ${JSON.stringify(mappings.get(code))}]`);
  const fields = [
    `version: ${version}`,
    `gaps: '${column(gaps)}'`,
    `lengths: '${column(runs.map(({ length }) => length - 1))}'`,
    `kinds: '${column(runs.map(({ value }) => kinds.indexOf(value)))}'`,
    `mappings: [${mapped.join(', ')}]`,
  ];
  return `  {\n${fields.map((field) => `    ${field},\n`).join('')}  },\n`;
}

/** The versions with their data. */
export const versionsWithData = () => VERSIONS.map((each) => ({ ...each, ...dataOfPackage(each.tr46) }));

if (import.meta.filename === process.argv[1]) {
  const versions = versionsWithData();
  const table = await tableText(versions);
  if (process.argv.includes('--check')) {
    const { checkUnicode } = await import('./unicode-check.mjs');
    await checkUnicode(versions, table);
  } else write('src/core/url/unicode-table.ts', table);
}
