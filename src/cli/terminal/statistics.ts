import type { BlockReport, Counts } from '../stage/stage.ts';

export type StatisticsForm = 'text' | 'json';

/** Facts that a command adds to the counts, such as `profile` and `width`. */
export type Facts = Readonly<Record<string, string | number>>;

/** Counts for `--stats`. */
export class Statistics {
  readonly #start = performance.now();
  readonly #invalidByReason = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  readonly #threadCount: number;
  #lines = 0;
  #blankLines = 0;
  #bytes = 0;
  #invalid = 0;

  constructor(threadCount: number) {
    this.#threadCount = threadCount;
  }

  get validCount(): number {
    return this.#lines - this.#invalid;
  }

  get invalidCount(): number {
    return this.#invalid;
  }

  get counts(): Counts {
    return Object.fromEntries(this.#counts);
  }

  /** The number of invalid rows by reason, the most frequent first. */
  get invalidByReason(): Counts {
    return Object.fromEntries([...this.#invalidByReason].sort(([, a], [, b]) => b - a));
  }

  add({ rowCount, blankCount, byteLength, problems, counts }: BlockReport): void {
    this.#lines += rowCount;
    this.#blankLines += blankCount;
    this.#bytes += byteLength;
    this.#invalid += problems.length;
    for (const { reason } of problems) addTo(this.#invalidByReason, reason, 1);
    for (const [name, count] of Object.entries(counts)) addTo(this.#counts, name, count);
  }

  /** `selected` is the number of rows that were written, if there was a selection. */
  text(form: StatisticsForm, facts: Facts, selected: number | undefined): string {
    const summary = this.#summary(facts, selected);
    if (form === 'json') return `${JSON.stringify(summary)}\n`;
    const rows = rowsOf(summary, this.counts);
    const nameLength = Math.max(...rows.map(([name]) => name.length));
    return rows.map(([name, value]) => `${name.padEnd(nameLength)}  ${value}\n`).join('');
  }

  #summary(facts: Facts, selected: number | undefined): Summary {
    const seconds = (performance.now() - this.#start) / 1000;
    return {
      lines: this.#lines,
      ...(this.#blankLines === 0 ? {} : { blankLines: this.#blankLines }),
      bytes: this.#bytes,
      invalid: this.#invalid,
      invalidByReason: this.invalidByReason,
      ...(selected === undefined ? {} : { selected }),
      ...this.counts,
      seconds,
      linesPerSecond: this.#lines / seconds,
      threads: this.#threadCount,
      peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
      ...facts,
    };
  }
}

function addTo(sums: Map<string, number>, name: string, count: number): void {
  sums.set(name, (sums.get(name) ?? 0) + count);
}

/** The output of `--stats=json`, with the command's counts and facts as further members. */
interface Summary {
  readonly lines: number;
  readonly blankLines?: number;
  readonly bytes: number;
  readonly invalid: number;
  readonly invalidByReason: Readonly<Record<string, number>>;
  readonly selected?: number;
  readonly seconds: number;
  readonly linesPerSecond: number;
  readonly threads: number;
  readonly peakMemoryBytes: number;
  readonly [fact: string]: unknown;
}

type SummaryRow = readonly [name: string, value: string];

/** Labels of counts whose names say too little. */
const NAMES: Readonly<Record<string, string>> = {
  proven: 'proven canonical',
  rewritten: 'rewritten in the kernel',
  stripped: 'with parameters dropped',
  notUrls: 'without a URL',
};

function rowsOf(all: Summary, counts: Counts): readonly SummaryRow[] {
  const counted = (count: number) =>
    all.lines === 0 ? `${count}` : `${count} (${((100 * count) / all.lines).toFixed(1)} %)`;
  const rate = `${Math.round(all.linesPerSecond)} lines/s, ${all.threads} thread${all.threads === 1 ? '' : 's'}`;
  return [
    ['lines', `${all.lines}`],
    ...(all.blankLines === undefined ? [] : [['blank lines', `${all.blankLines}`] as const]),
    ['bytes', `${all.bytes}`],
    ['invalid', counted(all.invalid)],
    ...Object.entries(all.invalidByReason).map(([reason, count]) => [`  ${reason}`, `${count}`] as const),
    ...(all.selected === undefined ? [] : [['selected', counted(all.selected)] as const]),
    ...Object.entries(counts).map(([name, count]) => [NAMES[name] ?? wordsOf(name), counted(count)] as const),
    ['time', `${all.seconds.toFixed(2)} s, ${rate}`],
    ['peak memory', `${(all.peakMemoryBytes / 2 ** 20).toFixed(0)} MiB`],
    ...factRows(all),
  ];
}

/** Returns `publicSuffixes` as `public suffixes`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function factRows({
  profile,
  suffixList,
  expectedCollisions,
  expectedFalseMatches,
  width,
}: Summary): readonly SummaryRow[] {
  const rows: SummaryRow[] = profile === undefined ? [] : [['profile', String(profile)]];
  if (suffixList !== undefined) rows.push(['suffix list', String(suffixList)]);
  if (typeof expectedCollisions === 'number')
    rows.push(['expected collisions', `${expectedCollisions.toPrecision(3)} at ${String(width)} bytes a hash`]);
  if (typeof expectedFalseMatches === 'number')
    rows.push(['expected false matches', expectedFalseMatches.toPrecision(3)]);
  return rows;
}
