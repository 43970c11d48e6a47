// How fast is the built package in every JavaScript runtime at hand, beside what its users would write instead and
// beside native programs? `npm run bench -- runtimes`.

import { UrlHasher } from '../src/index.ts';
import { type Browser, CHROMIUM, FIREFOX } from '../test/runtimes/browser.ts';
import { found } from '../test/runtimes/tool.ts';
import { corpusLines, extentOf, isSmoke } from './corpus.ts';
import type { Measure, Turn } from './measure.ts';
import { measuredWithin, Report } from './report.ts';
import { builtNatives } from './rivals/natives.ts';
import { page } from './rivals/page.ts';
import { absent, agreedLines, type Found, joined, type Program, startAll } from './rivals/program.ts';
import { bun, deno, isHere, nodes } from './rivals/runtimes.ts';

const LINE_COUNT = isSmoke ? 2000 : 50_000;
const SCRIPT = 'bench/rivals/javascript.mjs';
const IDIOM = "new URL(url).href and the runtime's SHA-256";
const HREF = 'new URL(url).href';

/** The runtimes and browsers that are here. */
function runtimes(): Found {
  return joined([...nodes(SCRIPT), deno(SCRIPT), bun(SCRIPT), ...[CHROMIUM, FIREFOX].map(inPage)]);
}

function inPage(browser: Browser): Found {
  return isHere(() => found(browser.commands))
    ? { starts: [page(browser)], absent: [] }
    : absent(`${browser.name} is not on the path`);
}

/** Returns lines that are URLs: others cost an exception in some, and nothing in others. */
function validLines(): string[] {
  const all = corpusLines('main').slice(0, LINE_COUNT);
  const invalid = new Set(new UrlHasher().hashMany(all).invalid);
  return all.filter((_, row) => !invalid.has(row));
}

function waysOf({ introduction }: Program): readonly string[] {
  return [...(introduction.ways.hash ?? []), ...(introduction.ways.form ?? [])];
}

function turnsOf(program: Program): Turn[] {
  return waysOf(program).map((name) => ({ name, group: program.title, round: () => program.round(name) }));
}

/** Its name has the group instead: all are compared with one. */
function withoutGroup({ group, ...each }: Measure): Measure {
  return { ...each, name: `${each.name}, ${group}` };
}

/** Measures what a user of each runtime gets, and how the runtimes stand beside native code, where there is any. */
function addTables(measures: readonly Measure[]): void {
  const isJavaScript = ({ group }: Measure) => measures.some((each) => each.group === group && each.name === IDIOM);
  const ofKind = (kind: 'hash' | 'form') =>
    measures.filter(({ name, group }) =>
      programs.some(({ title, introduction }) => title === group && introduction.ways[kind]?.includes(name)),
    );
  const headlines = ['hashLines'];
  report.add('runtimes', `Hash one URL, by runtime: ${extentOf(lines)}`, ofKind('hash').filter(isJavaScript), IDIOM, {
    headlines,
  });
  for (const [kind, name, ours, title] of [
    ['hash', 'native', 'hashLines', 'Hash one URL, beside native code'],
    ['form', 'canonical-forms', 'canonicalize(url)', 'The canonical form of one URL, by runtime and in native code'],
  ] as const) {
    const natives = ofKind(kind).filter((each) => !isJavaScript(each));
    const javascript = ofKind(kind).filter((each) => isJavaScript(each) && [ours, HREF].includes(each.name));
    const rows = [...javascript, ...natives].map(withoutGroup);
    const fastest = [...(natives.length > 0 ? natives : javascript)].filter(({ name }) => !name.includes('alone'));
    const rival = withoutGroup(fastest.toSorted((a, b) => a.value - b.value)[0]!).name;
    report.add(name, title, rows, rival, { headlines: kind === 'hash' ? [rows[0]!.name] : [] });
  }
}

const { starts, absent: missing } = joined([runtimes(), await builtNatives()]);
const { agreed: lines, notes } = await agreedLines(starts, validLines(), waysOf);
const programs = await startAll(starts, lines);
const report = new Report('runtimes', [...programs.map(({ title }) => title), ...missing, ...notes]);
const measures = await measuredWithin(programs.flatMap(turnsOf), { seconds: 35 });
for (const program of programs) program.stop();
addTables(measures);
report.write();
