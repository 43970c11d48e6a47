import type { Measure } from '../measure.ts';
import { rowsOf, type Section } from '../report.ts';

const IDIOM = "new URL(url).href and the runtime's SHA-256";
const HREF = 'new URL(url).href';
const HASHING = ['hashLines', 'hashMany', 'UrlHash.of(url).hex'];
const CANONICAL = 'canonicalize(url)';
const JAVASCRIPT = new Set([...HASHING, IDIOM, CANONICAL, HREF]);
const isOurs = (name: string) =>
  HASHING.some((way) => name.startsWith(way)) || name === CANONICAL || name.startsWith('urlsum');

/** The tables: what a user of each runtime gets, and how the runtimes stand beside native code, where there is any. */
export function sectionsOf(measures: readonly Measure[], what: string): Section[] {
  const named = (names: readonly string[]) => measures.filter(({ name }) => names.includes(name));
  const natives = measures.filter(({ name }) => !JAVASCRIPT.has(name));
  const sections = [
    section('runtimes', `Hash one URL, by runtime: ${what}`, named([...HASHING, IDIOM]), IDIOM),
    section('canonical-forms', `The canonical form of one URL, by runtime: ${what}`, named([CANONICAL, HREF]), HREF),
  ];
  if (natives.length === 0) return sections;
  const rows = [...named(HASHING.slice(0, 1)), ...natives].map(withoutGroup);
  const fastest = fastestOf(natives.map(withoutGroup));
  return [...sections, section('native', `Hash one URL, beside native code: ${what}`, rows, fastest.name)];
}

/** The command beside programs that do the same in native code: how many times as long as the fastest hashes alone. */
export function filesSection(measures: readonly Measure[], hashing: readonly Measure[], what: string): Section {
  const { name, value, rounds } = withoutGroup(fastestOf(hashing));
  const rival = { name: `${name}, hashing alone`, value, rounds };
  const title = `Processor time of one line, from file to file: ${what}`;
  return { ...section('files', title, [...measures, rival], rival.name), isMultiple: true };
}

function section(name: string, title: string, measures: readonly Measure[], rival: string): Section {
  return { name, title, unit: 'ns', rival, isSeries: false, rows: rowsOf(measures, rival, isOurs) };
}

function fastestOf(measures: readonly Measure[]): Measure {
  return measures.toSorted((a, b) => a.value - b.value)[0]!;
}

/** Its name has the group instead: all are compared with one. */
function withoutGroup({ group, ...measure }: Measure): Measure {
  return { ...measure, name: `${measure.name}, ${group}` };
}
