import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Bar, barChart } from './chart.ts';
import { isSmoke } from './corpus.ts';
import { type Measure, measure, ratio, type Turn } from './measure.ts';

/** The answers to one question, as bench/results/ keeps it. */
export interface Results {
  readonly date: string;
  /** The machine that was measured on: processor, Node, rounds. */
  readonly machine: string;
  /** Ways that were not measured, or not of all lines, and why. */
  readonly notes: readonly string[];
  readonly tables: readonly Table[];
}

export interface Table {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  /** The row that the others are compared with; of each group, the row with this label. */
  readonly rival: string;
  /** Labels of the rows that the summary has. */
  readonly headlines: readonly string[];
  readonly rows: readonly Row[];
  /** Whether a document shows it with a line for each kind and a column for each runtime, ratios alone. */
  readonly isByRuntime?: boolean;
}

type Unit = keyof typeof UNITS;
const UNITS = { ns: 'nanoseconds', ms: 'milliseconds', s: 'seconds', MiB: 'MiB', bytes: 'bytes' };
/** The units of time: measures are in nanoseconds. */
const NANOSECONDS: Partial<Record<Unit, number>> = { ns: 1, ms: 1e6, s: 1e9 };

export interface Row extends Bar {
  readonly group?: string | undefined;
  readonly processor?: number | undefined;
  readonly noisyCount?: number | undefined;
  /** How many times the rival's value is this one's: the median over the rounds. */
  readonly ratio: number;
}

/** How a table differs from one of nanoseconds, whose first row the summary has. */
type TableOptions = Partial<Pick<Table, 'unit' | 'headlines'>>;

/** How many seconds a table may take; three rounds count if they take longer, and in a smoke run one. */
interface Limits {
  readonly seconds: number;
  readonly warmUps?: number;
}
const LEAST_ROUNDS = 3;

export function measuredWithin(turns: readonly Turn[], { seconds, warmUps }: Limits): Promise<Measure[]> {
  return measure(turns, isSmoke ? { seconds: 0, rounds: 1, warmUps } : { seconds, rounds: LEAST_ROUNDS, warmUps });
}

const isOurs = (label: string) =>
  /^(?:hash(?!-wasm)|Url|canonicalize|kernel|urlsum|-|url_|Expression|expressions|Prefix|verify|in pieces)/.test(label);

/** The rows of a table whose unit is so many of those of its measures. */
export function rowsOf(measures: readonly Measure[], rival: string, unit = 1): Row[] {
  return measures.map((each) => {
    const { name, group, value, rounds, processor, noisyCount } = each;
    const compared = measures.find((other) => other.name === rival && other.group === group) ?? each;
    return {
      label: name,
      group,
      value: value / unit,
      range: rounds.length > 1 ? [Math.min(...rounds) / unit, Math.max(...rounds) / unit] : undefined,
      processor: processor === undefined ? undefined : processor / unit,
      noisyCount,
      ratio: ratio(compared, each),
      isOurs: isOurs(name),
    };
  });
}

/** Prints each table of a question as it is done; at the end writes all as JSON, but of a smoke run. */
export class Report {
  readonly #question: string;
  readonly #results: Results & { readonly tables: Table[] };

  constructor(question: string, notes: readonly string[] = [], detail = '') {
    this.#question = question;
    const date = new Date().toISOString().slice(0, 10);
    const processor = `${cpus()[0]?.model.trim()} (${cpus().length} cores)`;
    const machine = `${processor}, Node ${process.versions.node}, ${detail}medians of at least ${LEAST_ROUNDS} rounds`;
    this.#results = { date, machine, notes, tables: [] };
    console.log([`# ${question}: ${date}, ${machine}`, ...notes.map((note) => `- ${note}`)].join('\n'));
  }

  /** Measures turns, in nanoseconds, and adds their table. */
  async time(
    name: string,
    title: string,
    turns: readonly Turn[],
    rival: string,
    options: Limits & TableOptions,
  ): Promise<void> {
    this.add(name, title, await measuredWithin(turns, options), rival, options);
  }

  add(
    name: string,
    title: string,
    measures: readonly Measure[],
    rival: string,
    { unit = 'ns', headlines = measures.slice(0, 1).map((each) => each.name) }: TableOptions = {},
  ): void {
    this.#addTable({ name, title, unit, rival, headlines, rows: rowsOf(measures, rival, NANOSECONDS[unit]) });
  }

  /** Adds rows that were compared with several rivals, each group of which is `KIND, RUNTIME`. */
  addRows(name: string, title: string, rows: readonly Row[], rival: string): void {
    this.#addTable({ name, title, unit: 'ns', rival, headlines: [], rows, isByRuntime: true });
  }

  #addTable(table: Table): void {
    this.#results.tables.push(table);
    console.log(`\n## ${table.title}\n\n${markdown(table)}`);
  }

  write(folder = 'build/bench-results'): void {
    if (isSmoke) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(resultsFile(folder, this.#question), jsonOf(this.#results));
  }
}

export function resultsFile(folder: string, question: string): string {
  return `${folder}/${question}.json`;
}

export function readResults(folder: string, question: string): Results {
  return JSON.parse(readFileSync(resultsFile(folder, question), 'utf8')) as Results;
}

/** With each row on a line of its own; figures have four digits, which is more than any is good for. */
export function jsonOf({ tables, ...head }: Results): string {
  const short = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);
  const text = tables.map(({ rows, ...rest }) => {
    const lines = rows.map((row) => `    ${JSON.stringify(row, short)}`);
    return `  ${JSON.stringify(rest).slice(0, -1)},"rows":[\n${lines.join(',\n')}\n  ]}`;
  });
  return `${JSON.stringify(head).slice(0, -1)},"tables":[\n${text.join(',\n')}\n]}\n`;
}

/** `27,190`; below ten with one more digit. */
export function format(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** A column of a table. A row without a value, `undefined`, has a dash; a column without any is left out. */
type Column = readonly [head: string, cell: (row: Row) => string | undefined];

/** A table in Markdown, its columns padded. */
export function markdown({ unit, rival, rows }: Table): string {
  const compared = unit in NANOSECONDS ? 'times as fast as' : 'how many times less than';
  const columns: Column[] = [
    [unit, ({ value }) => format(value)],
    ['rounds', ({ range }) => range && `${format(range[0])} to ${format(range[1])}`],
    [`${unit} of a processor`, ({ processor }) => (processor === undefined ? undefined : format(processor))],
    ['noisy', ({ noisyCount }) => noisyCount?.toString()],
    [`${compared} \`${rival}\``, (row) => row.ratio.toFixed(2)],
  ];
  const shown = columns.filter(([, cell]) => rows.some((row) => cell(row) !== undefined));
  return aligned([
    ['', ...shown.map(([head]) => head)],
    ...rows.map((row) => [labelOf(row), ...shown.map(([, cell]) => cell(row) ?? '—')]),
  ]);
}

/** The ratios of a table by runtime: a line for each kind, and in each column those of its rows, in their order. */
function markdownByRuntime({ rows }: Table): string {
  const partsOf = ({ group }: Row) => /^(.*), (.*)$/.exec(group!)!.slice(1) as [string, string];
  const runtimes = [...new Set(rows.map((row) => partsOf(row)[1]))];
  const kinds = [...new Set(rows.map((row) => partsOf(row)[0]))];
  const cell = (kind: string, runtime: string) =>
    rows
      .filter(({ group }) => group === `${kind}, ${runtime}`)
      .map(({ ratio }) => ratio.toFixed(1))
      .join(' ');
  return aligned([
    ['', ...runtimes],
    ...kinds.map((kind) => [kind, ...runtimes.map((runtime) => cell(kind, runtime))]),
  ]);
}

/** The first column to the left, the others to the right. */
export function aligned([head, ...rows]: readonly (readonly string[])[]): string {
  const widths = head!.map((_, column) => Math.max(3, ...[head!, ...rows].map((cells) => cells[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head!), line(rule), ...rows.map(line)].join('\n');
}

function labelOf({ label, group }: Row): string {
  return group === undefined ? label : `${group}: ${label}`;
}

/** A screen: a line for each headline of each table, and of how many times the rival's speed, or part of its size, it is. */
export function summary(all: readonly Results[]): string[] {
  const line = (table: string, row: string, value: string, ratio: string, rival: string) =>
    `${table.padEnd(20)}${row.padEnd(40)}${value.padStart(12)}${ratio.padStart(8)}  ${rival}`;
  const lines = all.flatMap(({ tables }) =>
    tables.flatMap(({ name, unit, rival, headlines, rows }) =>
      rows
        .filter(({ label }) => headlines.includes(label) && label !== rival)
        .map((row) => line(name, labelOf(row), `${format(row.value)} ${unit}`, row.ratio.toFixed(2), rival)),
    ),
  );
  return [line('', '', 'each', 'times', 'better than'), ...lines];
}

/** The bars of a table, the shortest first. */
export function chartOf({ title, unit, rows }: Table, { machine, date }: Results): string {
  return barChart({
    title,
    subtitle: `${UNITS[unit]}, less is better · ${machine.split(',').slice(0, 2).join(',')}, ${date}`,
    bars: rows.toSorted((a, b) => a.value - b.value),
    format,
  });
}

/** A place in a document for a table of the results: between these two comments. */
const PLACE = /^<!-- measured: ([\w-]+) -->\n.*?^<!-- end -->$/gms;

/** The document with the tables that it names, each with when and on what it was measured. */
export function withTables(text: string, all: readonly Results[]): string {
  return text.replace(PLACE, (_, name: string) => {
    const results = all.find(({ tables }) => tables.some((table) => table.name === name));
    if (results === undefined) throw new RangeError(`no results have the table ${name}`);
    const table = results.tables.find((each) => each.name === name)!;
    const caption = `${table.title}. ${results.date}, ${results.machine}:`;
    return `<!-- measured: ${name} -->\n\n${wrapped(caption)}\n\n${table.isByRuntime ? markdownByRuntime(table) : markdown(table)}\n\n<!-- end -->`;
  });
}

/** Wraps lines at 120 columns. */
function wrapped(text: string): string {
  return text.replace(/(?=.{121})(.{1,120}) /g, '$1\n');
}
