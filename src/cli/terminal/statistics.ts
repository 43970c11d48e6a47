import type { HashColumn } from '../../digest/column.ts';
import { PROFILE } from '../../url/profile.ts';
import type { Problem } from '../rows/framing.ts';

/** Counts what a run did: `--stats`. */
export class Statistics {
  readonly #start = performance.now();
  readonly #invalidByReason = new Map<string, number>();
  readonly #threads: number;
  #lines = 0;
  #bytes = 0;
  #invalid = 0;
  #proven = 0;
  #rewritten = 0;

  constructor(threads: number) {
    this.#threads = threads;
  }

  get lines(): number {
    return this.#lines;
  }

  /** The rows of a block of `byteLength` bytes, with a problem for each that is invalid. */
  add({ length, provenCount, rewrittenCount }: HashColumn, byteLength: number, problems: readonly Problem[]): void {
    this.#lines += length;
    this.#bytes += byteLength;
    this.#invalid += problems.length;
    this.#proven += provenCount;
    this.#rewritten += rewrittenCount;
    for (const { reason } of problems) {
      this.#invalidByReason.set(reason, (this.#invalidByReason.get(reason) ?? 0) + 1);
    }
  }

  /** `selected`: the rows that came out, where a selection was made. */
  summary(width: number, selected: number | undefined): Summary {
    const seconds = (performance.now() - this.#start) / 1000;
    return {
      lines: this.#lines,
      bytes: this.#bytes,
      invalid: this.#invalid,
      invalidByReason: Object.fromEntries([...this.#invalidByReason].sort(([, a], [, b]) => b - a)),
      ...(selected === undefined ? {} : { selected }),
      proven: this.#proven,
      rewritten: this.#rewritten,
      parsed: this.#lines - this.#proven - this.#rewritten,
      seconds,
      linesPerSecond: this.#lines / seconds,
      threads: this.#threads,
      peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
      profile: PROFILE,
      width,
      expectedCollisions: expectedCollisions(this.#lines - this.#invalid, width),
    };
  }

  text(width: number, selected: number | undefined): string {
    const rows = rowsOf(this.summary(width, selected));
    const nameLength = Math.max(...rows.map(([name]) => name.length));
    return rows.map(([name, value]) => `${name.padEnd(nameLength)}  ${value}\n`).join('');
  }
}

interface Summary {
  readonly lines: number;
  readonly bytes: number;
  readonly invalid: number;
  readonly invalidByReason: Readonly<Record<string, number>>;
  readonly selected?: number;
  /** Canonical as they stood, brought to that form in the kernel, and neither. */
  readonly proven: number;
  readonly rewritten: number;
  readonly parsed: number;
  readonly seconds: number;
  readonly linesPerSecond: number;
  readonly threads: number;
  readonly peakMemoryBytes: number;
  readonly profile: string;
  readonly width: number;
  readonly expectedCollisions: number;
}

function rowsOf(all: Summary): readonly (readonly [name: string, value: string])[] {
  const counted = (count: number) =>
    all.lines === 0 ? `${count}` : `${count} (${((100 * count) / all.lines).toFixed(1)} %)`;
  const rate = `${Math.round(all.linesPerSecond)} lines/s, ${all.threads} thread${all.threads === 1 ? '' : 's'}`;
  return [
    ['lines', `${all.lines}`],
    ['bytes', `${all.bytes}`],
    ['invalid', counted(all.invalid)],
    ...Object.entries(all.invalidByReason).map(([reason, count]) => [`  ${reason}`, `${count}`] as const),
    ...(all.selected === undefined ? [] : [['selected', counted(all.selected)] as const]),
    ['proven canonical', counted(all.proven)],
    ['rewritten in the kernel', counted(all.rewritten)],
    ['parsed', counted(all.parsed)],
    ['time', `${all.seconds.toFixed(2)} s, ${rate}`],
    ['peak memory', `${(all.peakMemoryBytes / 2 ** 20).toFixed(0)} MiB`],
    ['profile', all.profile],
    ['expected collisions', `${all.expectedCollisions.toPrecision(3)} at ${all.width} bytes a hash`],
  ];
}

/**
 * Pairs of different URLs that share a hash by chance, were all `count` URLs different: n(n-1)/2 pairs, each
 * equal once in 2^(8 * width).
 */
export function expectedCollisions(count: number, width: number): number {
  return (count * (count - 1)) / 2 / 2 ** (8 * width);
}
