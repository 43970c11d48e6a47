import type { HashColumn } from '../digest/column.ts';
import { PROFILE } from '../url/profile.ts';
import type { Rows } from './framing.ts';

/** Counts what a run did: `--stats`. */
export class Statistics {
  readonly #start = performance.now();
  readonly #invalid = new Map<string, number>();
  readonly #threads: number;
  #lines = 0;
  #bytes = 0;
  #proven = 0;

  constructor(threads: number) {
    this.#threads = threads;
  }

  get lines(): number {
    return this.#lines;
  }

  add(rows: Rows): void {
    const { length, provenCount, invalid }: HashColumn = rows.column;
    this.#lines += length;
    this.#bytes += rows.bytes.length;
    this.#proven += provenCount;
    for (const row of invalid) {
      const { reason } = rows.problem(row);
      this.#invalid.set(reason, (this.#invalid.get(reason) ?? 0) + 1);
    }
  }

  /** `selected`: the rows that came out, where a selection was made. */
  json(width: number, selected: number | undefined): Record<string, unknown> {
    const seconds = (performance.now() - this.#start) / 1000;
    const invalid = [...this.#invalid.values()].reduce((sum, count) => sum + count, 0);
    return {
      lines: this.#lines,
      bytes: this.#bytes,
      invalid,
      invalidByReason: Object.fromEntries([...this.#invalid].sort(([, a], [, b]) => b - a)),
      ...(selected === undefined ? {} : { selected }),
      proven: this.#proven,
      parsed: this.#lines - this.#proven,
      seconds,
      linesPerSecond: this.#lines / seconds,
      threads: this.#threads,
      peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
      profile: PROFILE,
      width,
      expectedCollisions: expectedCollisions(this.#lines - invalid, width),
    };
  }

  text(width: number, selected: number | undefined): string {
    const all = this.json(width, selected) as Record<string, number> & { invalidByReason: Record<string, number> };
    const share = (part: number) => (this.#lines === 0 ? '' : ` (${((100 * part) / this.#lines).toFixed(1)} %)`);
    const rows: [string, string][] = [
      ['lines', `${all['lines']}`],
      ['bytes', `${all['bytes']}`],
      ['invalid', `${all['invalid']}${share(all['invalid']!)}`],
      ...Object.entries(all.invalidByReason).map(([reason, count]): [string, string] => [`  ${reason}`, `${count}`]),
      ...(selected === undefined ? [] : [['selected', `${selected}${share(selected)}`] as [string, string]]),
      ['proven canonical', `${all['proven']}${share(all['proven']!)}`],
      ['parsed', `${all['parsed']}${share(all['parsed']!)}`],
      ['time', `${all['seconds']!.toFixed(2)} s, ${Math.round(all['linesPerSecond']!)} lines/s, ${this.#threads} thread${this.#threads === 1 ? '' : 's'}`],
      ['peak memory', `${(all['peakMemoryBytes']! / 2 ** 20).toFixed(0)} MiB`],
      ['profile', PROFILE],
      ['expected collisions', `${all['expectedCollisions']!.toPrecision(3)} at ${width} bytes a hash`],
    ];
    const nameLength = Math.max(...rows.map(([name]) => name.length));
    return rows.map(([name, value]) => `${name.padEnd(nameLength)}  ${value}\n`).join('');
  }
}

/**
 * Pairs of different URLs that share a hash by chance, were all `count` URLs different: n(n-1)/2 pairs, each
 * equal once in 2^(8 * width).
 */
export function expectedCollisions(count: number, width: number): number {
  return (count * (count - 1)) / 2 / 2 ** (8 * width);
}
