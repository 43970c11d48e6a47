import { mkdirSync, writeFileSync } from 'node:fs';
import { type Bar, barChart, isWorthAChart } from './chart.ts';
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
  /** Are the others told by how many times the rival's time they take, not by how many times as fast they are? */
  readonly isMultiple?: boolean;
  readonly rows: readonly Row[];
}

interface Row extends Bar {
  readonly group?: string | undefined;
  /** How many times the rival's value is this one's: the median over the rounds. */
  readonly ratio: number;
  readonly processor?: number | undefined;
  readonly noisyCount?: number | undefined;
}

export interface ReportData {
  /** What was measured on: processor, Node, kernel, profile. */
  readonly machine: string;
  /** What was not measured, or not of all lines, and why. */
  readonly notes?: readonly string[] | undefined;
  readonly sections: readonly Section[];
}

/** Prints each section as it is done; at the end writes them as Markdown, JSON and SVG. */
export class Report {
  readonly #machine: string;
  readonly #notes: readonly string[] | undefined;
  readonly #sections: Section[] = [];

  constructor(machine: string, notes?: readonly string[]) {
    this.#machine = machine;
    this.#notes = notes;
    console.log(head({ machine, notes }));
  }

  add(section: Section): void {
    this.#sections.push(section);
    console.log(`\n${markdown(section)}`);
  }

  write(folder: string): void {
    writeReport({ machine: this.#machine, notes: this.#notes, sections: this.#sections }, folder);
    console.log(`\nwritten to ${folder}/`);
  }
}

/** Adds a section: nanoseconds, in the order of their values, unless said otherwise. */
export type AddTable = (
  name: string,
  title: string,
  measures: readonly Measure[],
  rival: string,
  options?: Partial<Pick<Section, 'unit' | 'isSeries'>>,
) => void;

/** The rows of a section. */
export function rowsOf(measures: readonly Measure[], rival: string, isOurs: (name: string) => boolean): Row[] {
  return measures.map((each) => {
    const { name, group, value, rounds, processor, noisyCount } = each;
    const compared = measures.find((other) => other.name === rival && other.group === group)!;
    const range = rounds.length > 1 ? ([Math.min(...rounds), Math.max(...rounds)] as const) : undefined;
    const isOwn = isOurs(name);
    return { label: name, group, value, range, ratio: ratio(compared, each), processor, noisyCount, isOurs: isOwn };
  });
}

/** The charts of these results are shown by documents, which the package has. */
const SHOWN = 'bench/results';
export const chartFolderOf = (folder: string) => (folder === SHOWN ? 'docs/charts' : folder);

export function writeReport(report: ReportData, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { machine, sections } = report;
  writeFileSync(`${folder}/report.md`, `# Benchmark\n\n${[head(report), ...sections.map(markdown)].join('\n\n')}\n`);
  writeFileSync(`${folder}/report.json`, `${JSON.stringify(report, null, 2)}\n`);
  for (const section of sections.filter(({ rows }) => isWorthAChart(rows))) {
    writeFileSync(`${chartFolderOf(folder)}/${section.name}.svg`, chartOf(section, machine));
  }
}

function head({ machine, notes }: Pick<ReportData, 'machine' | 'notes'>): string {
  return [machine, ...(notes === undefined ? [] : [notes.map((note) => `- ${note}`).join('\n')])].join('\n\n');
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

/** A column of a table. A row without a value, `undefined`, has a dash; a column without any is left out. */
type Column = readonly [head: string, cell: (row: Row) => string | undefined];

function markdown({ title, unit, rival, isMultiple, rows }: Section): string {
  const faster =
    unit === 'ns' || unit === 'ms' ? `times as fast as \`${rival}\`` : `how many times less than \`${rival}\``;
  const columns: Column[] = [
    [unit, ({ value }) => format(value)],
    ['rounds', ({ range }) => range && `${format(range[0])} to ${format(range[1])}`],
    [`${unit} of a processor`, ({ processor }) => (processor === undefined ? undefined : format(processor))],
    ['noisy rounds', ({ noisyCount }) => noisyCount?.toString()],
    isMultiple === true
      ? [`times the time of \`${rival}\``, ({ ratio }) => (1 / ratio).toFixed(2)]
      : [faster, ({ ratio }) => ratio.toFixed(2)],
  ];
  const shown = columns.filter(([, cell]) => rows.some((row) => cell(row) !== undefined));
  const table = [
    ['', ...shown.map(([head]) => head)],
    ['---', ...shown.map(() => '---:')],
    ...rows.map((row) => [labelOf(row), ...shown.map(([, cell]) => cell(row) ?? '—')]),
  ];
  return `## ${title}\n\n${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
}

function labelOf({ label, group }: Row): string {
  return group === undefined ? label : `${group}: ${label}`;
}
