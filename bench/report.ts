import { mkdirSync, writeFileSync } from 'node:fs';
import { type Bar, barChart } from './chart.ts';
import { type Measure, ratio } from './measure.ts';

/** A table of measures, as report.json keeps it. */
export interface Section {
  readonly name: string;
  readonly title: string;
  readonly unit: 'ns' | 'ms' | 'MiB' | 'bytes';
  /** What the others are compared with; of each group, the measure with this name. */
  readonly rival: string;
  /** In the order of what is varied, not of the values. */
  readonly isSeries: boolean;
  readonly rows: readonly Row[];
}

interface Row extends Bar {
  readonly group?: string | undefined;
  /** How many times the rival's value is this one's: the median over the rounds. */
  readonly ratio: number;
}

export interface ReportData {
  /** What was measured on: processor, Node, kernel, profile. */
  readonly machine: string;
  readonly sections: readonly Section[];
}

/** Prints each section as it is done; at the end writes them as Markdown, JSON and SVG. */
export class Report {
  readonly #machine: string;
  readonly #sections: Section[] = [];

  constructor(machine: string) {
    this.#machine = machine;
    console.log(machine);
  }

  add(section: Section): void {
    this.#sections.push(section);
    console.log(`\n${markdown(section)}`);
  }

  write(folder: string): void {
    writeReport({ machine: this.#machine, sections: this.#sections }, folder);
    console.log(`\nwritten to ${folder}/`);
  }
}

/** The rows of a section. */
export function rowsOf(measures: readonly Measure[], rival: string, isOurs: (name: string) => boolean): Row[] {
  return measures.map((each) => {
    const { name, group, value, rounds } = each;
    const compared = measures.find((other) => other.name === rival && other.group === group)!;
    const range = rounds.length > 1 ? ([Math.min(...rounds), Math.max(...rounds)] as const) : undefined;
    return { label: name, group, value, range, ratio: ratio(compared, each), isOurs: isOurs(name) };
  });
}

export function writeReport(report: ReportData, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { machine, sections } = report;
  writeFileSync(`${folder}/report.md`, `# Benchmark\n\n${machine}\n\n${sections.map(markdown).join('\n\n')}\n`);
  writeFileSync(`${folder}/report.json`, `${JSON.stringify(report, null, 2)}\n`);
  for (const section of sections.filter(isWorthAChart)) {
    writeFileSync(`${folder}/${section.name}.svg`, chartOf(section, machine));
  }
}

/** Two bars say less than the two numbers. */
function isWorthAChart({ rows }: Section): boolean {
  return rows.length > 2;
}

function chartOf({ title, unit, isSeries, rows }: Section, machine: string): string {
  const inOrder = (bars: readonly Row[]) => (isSeries ? bars : bars.toSorted((a, b) => a.value - b.value));
  const groups = [...new Set(rows.map(({ group }) => group))];
  return barChart({
    title,
    subtitle: `${UNITS[unit]}, less is better · ${machine.split(',').slice(0, 2).join(',')}`,
    groups: groups.map((group) => ({ title: group, bars: inOrder(rows.filter((row) => row.group === group)) })),
    format,
  });
}

const UNITS = { ns: 'nanoseconds', ms: 'milliseconds', MiB: 'MiB', bytes: 'bytes' } as const;

/** `27,190`; below ten with one more digit. */
function format(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

function markdown({ title, unit, rival, rows }: Section): string {
  const compared =
    unit === 'ns' || unit === 'ms' ? `times as fast as \`${rival}\`` : `how many times less than \`${rival}\``;
  const hasRanges = rows.some(({ range }) => range !== undefined);
  const table = [
    ['', unit, ...(hasRanges ? ['rounds'] : []), compared],
    ['---', '---:', ...(hasRanges ? ['---:'] : []), '---:'],
    ...rows.map(({ label, group, value, range, ratio }) => [
      group === undefined ? label : `${group}: ${label}`,
      format(value),
      ...(hasRanges ? [range === undefined ? '' : `${format(range[0])} to ${format(range[1])}`] : []),
      ratio.toFixed(2),
    ]),
  ];
  return `## ${title}\n\n${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
}
