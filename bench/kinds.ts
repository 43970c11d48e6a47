// How much faster than Node's shortest program is each kind of URL, and which is slower? `npm run bench -- kinds`.

import { KINDS } from '../test/support/kinds.ts';
import { randomFrom } from '../test/support/random.ts';
import { isSmoke, ownString } from './corpus.ts';
import { MADE_UP_SEED } from './made-up.ts';
import { byProcessor, type Measure, type Turn } from './measure.ts';
import { measuredWithin, Report, type Row, rowsOf } from './report.ts';
import { agreedLines, joined, type Program, startAll } from './rivals/program.ts';
import { bun, nodes } from './rivals/runtimes.ts';

const LINE_COUNT = isSmoke ? 200 : 5_000;
const IDIOM = "new URL(url).href and the runtime's SHA-256";
const OF_FORM = "canonicalize(url) and the runtime's SHA-256";
const HREF = 'new URL(url).href';
/** Ways that are compared, each with the faster of its rivals. */
const COMPARED: readonly (readonly [way: string, rivals: readonly string[]])[] = [
  ['hashLines', [IDIOM]],
  ['hashMany', [IDIOM]],
  ['UrlHash.of(url).hex', [IDIOM, OF_FORM]],
  ['canonicalize(url)', [HREF]],
];
const WAYS = [...new Set(COMPARED.flatMap(([way, rivals]) => [way, ...rivals]))];

/** Measures one kind, in one runtime after another: each has processes that have seen no other kind. */
async function measuresOf(kind: string): Promise<Measure[]> {
  const next = randomFrom(MADE_UP_SEED);
  const made = Array.from({ length: LINE_COUNT }, () => ownString(KINDS[kind]!(next)));
  const { agreed, notes: differing } = await agreedLines(starts, made, () => WAYS);
  notes.push(...differing.map((note) => `${kind}: ${note}`));
  const programs = await startAll(starts, agreed);
  const measures = await measuredWithin(
    programs.flatMap((program) => turnsOf(program, kind)),
    { seconds: 4, warmUps: 6 },
  );
  for (const program of programs) program.stop();
  return measures;
}

function turnsOf(program: Program, kind: string): Turn[] {
  const group = `${kind}, ${program.title}`;
  return WAYS.map((name) => byProcessor({ name, group, round: () => program.round(name) }));
}

function comparedRows(measures: readonly Measure[]): Row[] {
  const groups = [...new Set(measures.map(({ group }) => group))];
  return groups.flatMap((group) => {
    const all = measures.filter((each) => each.group === group);
    const named = (name: string) => all.find((each) => each.name === name)!;
    return COMPARED.flatMap(([way, rivals]) => {
      const fastest = rivals.map(named).toSorted((one, other) => one.value - other.value)[0]!;
      return rowsOf([named(way), fastest], fastest.name).slice(0, 1);
    });
  });
}

const SCRIPT = 'bench/rivals/javascript.mjs';
// not Deno, whose own URL keeps the bar of a drive letter
const { starts, absent } = joined([...nodes(SCRIPT), bun(SCRIPT)]);
const notes = [...absent];
const measures: Measure[] = [];
for (const kind of Object.keys(KINDS)) measures.push(...(await measuresOf(kind)));
const report = new Report('kinds', notes, `seed ${MADE_UP_SEED}, `);
const title = `Times as fast as \`${IDIOM}\`, by kind, ${LINE_COUNT} lines of each: hashLines, hashMany, UrlHash.of, canonicalize`;
report.addRows('kinds', title, comparedRows(measures), IDIOM);
report.write();
