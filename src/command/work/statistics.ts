import { readFileSync } from 'node:fs';
import { counted } from '../../core/quote.ts';
import { type Row, tableText } from '../arguments/diagnostics.ts';
import { mostFirst } from './bad-rows.ts';
import { addTo, type BlockReport, type Counts } from './results.ts';
import type { Facts, StatisticsForm } from './work.ts';

/** Counts for `--stats`. */
export class Statistics {
  readonly #start = performance.now();
  readonly #threadCount: number;
  /** Invalid rows by reason. */
  readonly #reasons: Record<string, number> = {};
  readonly counts: Record<string, number> = {};
  invalidCount = 0;
  #lines = 0;
  #blankLines = 0;
  #bytes = 0;

  constructor(threadCount: number) {
    this.#threadCount = threadCount;
  }

  get validCount(): number {
    return this.#lines - this.invalidCount;
  }

  /** The number of invalid rows by reason, the most frequent first. */
  get invalidByReason(): Counts {
    return Object.fromEntries(mostFirst(this.#reasons));
  }

  /** Adds a block; `problems` are those of its bad rows that count. */
  add({ rowCount, blankCount, byteLength, counts }: BlockReport, problems: BlockReport['problems']): void {
    this.#lines += rowCount;
    this.#blankLines += blankCount;
    this.#bytes += byteLength;
    this.invalidCount += problems.length;
    for (const { reason } of problems) addTo(this.#reasons, reason);
    for (const [name, count] of Object.entries(counts)) addTo(this.counts, name, count);
  }

  /** `selected` is the number of rows that were written, if there was a selection. */
  text(form: StatisticsForm, facts: Facts, selected: number | undefined): string {
    const seconds = (performance.now() - this.#start) / 1000;
    const peakMemoryBytes = peakMemory();
    if (form === 'text') return tableText(this.#rows(seconds, peakMemoryBytes, facts, selected));
    const summary = {
      lines: this.#lines,
      blankLines: this.#blankLines || undefined,
      bytes: this.#bytes,
      invalid: this.invalidCount,
      invalidByReason: this.invalidByReason,
      selected,
      ...this.counts,
      seconds,
      linesPerSecond: this.#lines / seconds,
      threads: this.#threadCount,
      peakMemoryBytes,
      ...facts,
    };
    return `${JSON.stringify(summary)}\n`;
  }

  #rows(seconds: number, peakMemoryBytes: number, facts: Facts, selected: number | undefined): Row[] {
    const lines = this.#lines;
    const threads = counted(this.#threadCount, 'thread');
    const shared = (count: number) => (lines === 0 ? `${count}` : `${count} (${((100 * count) / lines).toFixed(1)} %)`);
    const { profile, suffixList, width, expectedCollisions, expectedFalseMatches } = facts;
    return [
      ['lines', `${lines}`],
      ['blank lines', this.#blankLines === 0 ? undefined : `${this.#blankLines}`],
      ['bytes', `${this.#bytes}`],
      ['invalid', shared(this.invalidCount)],
      ...Object.entries(this.invalidByReason).map(([reason, count]) => [`  ${reason}`, `${count}`] as const),
      ['selected', selected === undefined ? undefined : shared(selected)],
      ...Object.entries(this.counts).map(([name, count]) => [NAMES[name] ?? labelOf(name), shared(count)] as const),
      ['time', `${seconds.toFixed(2)} s, ${Math.round(lines / seconds)} lines/s, ${threads}`],
      ['peak memory', `${(peakMemoryBytes / 2 ** 20).toFixed(0)} MiB`],
      ['profile', profile],
      ['suffix list', suffixList],
      [
        'expected collisions',
        expectedCollisions === undefined ? undefined : `${expectedCollisions.toPrecision(3)} at ${width} bytes a hash`,
      ],
      ['expected false matches', expectedFalseMatches?.toPrecision(3)],
    ];
  }
}

/** Returns the bytes that this process has had at most: on Linux, `maxRSS` begins with those of the one that started it. */
function peakMemory(): number {
  let kibibytes = process.resourceUsage().maxRSS;
  try {
    kibibytes = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? kibibytes);
  } catch {} // a system without it
  return 1024 * kibibytes;
}

/** Labels of counts whose names say too little. */
const NAMES: Readonly<Record<string, string>> = {
  proven: 'proven canonical',
  rewritten: 'rewritten in the kernel',
  stripped: 'with parameters dropped',
  unicodeHosts: 'with hosts beyond ASCII',
  notUrls: 'without a URL',
};

/** Returns `publicSuffixes` as `public suffixes`. */
function labelOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
