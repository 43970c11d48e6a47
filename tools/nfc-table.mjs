// Writes src/url/nfc-table.ts: `npm run nfc-table`. What it writes is what the normalization of the Node that runs it
// says, and that must be of the Unicode version of tr46, whose tables say which code points a domain may hold.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const UNICODE = '17.0';
if (process.versions.unicode !== UNICODE)
  throw new Error(`this Node has Unicode ${process.versions.unicode}, not ${UNICODE}`);

/** The statuses of UTS #46 that a code point of a valid label has: valid, and deviation. */
const VALID = [2, 6];
const characters = createRequire(import.meta.url)('tr46/lib/mappingTable.json')
  .filter(([, status]) => VALID.includes(status))
  .flatMap(([range]) => {
    const [first, last = first] = [range].flat();
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
  });

const codeOf = (character) => character.codePointAt(0);
const nfc = (text) => text.normalize('NFC');
const nfd = (text) => text.normalize('NFD');
const isHangul = (character) => character >= '\uac00' && character <= '\ud7a3';

/** UAX #15, D117: the last code point of a decomposition, and the composite of those before it. */
const composites = characters
  .filter((character) => nfd(character) !== character && !isHangul(character))
  .map((composite) => {
    const decomposition = Array.from(nfd(composite));
    const second = decomposition.pop();
    const first = nfc(decomposition.join(''));
    if (nfc(first + second) !== composite || !characters.includes(first) || !characters.includes(second))
      throw new Error(`U+${codeOf(composite).toString(16)} is valid, and not the composite of two that are`);
    return [first, second, composite].map(codeOf);
  });

/** Marks change places where the first has a higher combining class: 1 and 240 are the lowest and the highest. */
const isHigher = (one, other) => one !== other && nfd(one + other) === other + one;
const [LOWEST, HIGHEST] = ['\u0334', '\u0345'];
const marks = characters.filter((character) => isHigher(character, LOWEST) || isHigher(HIGHEST, character));

/** One mark of each class, ascending. */
const ranked = [];
for (const mark of marks) {
  const isKnown = ranked.some((each) => !isHigher(each, mark) && !isHigher(mark, each));
  if (!isKnown) ranked.splice(ranked.filter((each) => isHigher(mark, each)).length, 0, mark);
}
const rankOf = (mark) => 1 + ranked.findIndex((each) => !isHigher(each, mark) && !isHigher(mark, each));

const base36 = (number) => number.toString(36);

function compositionsText() {
  const seconds = new Set(composites.map(([, second]) => second));
  const groups = [...seconds].map((second) => {
    let before = [0, 0];
    const pairs = composites
      .filter((each) => each[1] === second)
      .map(([first, , composite]) => {
        const text = `${base36(first - before[0])},${base36(composite - before[1])}`;
        before = [first, composite];
        return text;
      });
    return `${base36(second)}:${pairs.join(' ')}`;
  });
  return groups.join(';');
}

function marksText() {
  const runs = [];
  for (const mark of marks) {
    const [code, rank, run] = [codeOf(mark), rankOf(mark), runs.at(-1)];
    if (run?.end === code && run.rank === rank) run.end++;
    else runs.push({ start: code, end: code + 1, rank });
  }
  return runs
    .map(({ start, end, rank }, index) =>
      [start - (runs[index - 1]?.end ?? 0), end - start, rank].map(base36).join(','),
    )
    .join(' ');
}

/** A string literal in lines of 120 columns. */
const literal = (text) =>
  text
    .match(/.{1,112}/g)
    .map((piece) => `  '${piece}'`)
    .join(' +\n');

writeFileSync(
  'src/url/nfc-table.ts',
  `// Unicode ${UNICODE}, written by tools/nfc-table.mjs: of the code points that are valid in a domain (UTS #46), the
// compositions, \`SECOND:FIRST,COMPOSITE FIRST,COMPOSITE …\`, and runs of marks of one combining class,
// \`GAP,COUNT,RANK\`: the rank of the class among all classes. Numbers have base 36; each first, composite and gap counts
// from the one before.

export const COMPOSITIONS =
${literal(compositionsText())};

export const MARKS =
${literal(marksText())};
`,
);
console.log(`${composites.length} composites, ${marks.length} marks of ${ranked.length} classes`);
