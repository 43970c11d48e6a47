/** One thing that is timed: `run` does all of its work once and returns something of it. */
export interface Contender {
  readonly name: string;
  readonly run: () => unknown;
  /** Units of work in a run: URLs, unless said otherwise. */
  readonly count: number;
  /** What it is compared within, where there are several of the same name. */
  readonly group?: string;
}

export interface Measure {
  readonly name: string;
  readonly group?: string | undefined;
  /** Nanoseconds per unit of work, unless said otherwise: the median over the rounds. */
  readonly value: number;
  readonly rounds: readonly number[];
  /** The same of all processors at work, where that is known: less moved by what else the machine does. */
  readonly processor?: number | undefined;
  /** Rounds that waited for a processor, and were taken again. */
  readonly noisyCount?: number | undefined;
}

/** Keeps results alive, so that no run is optimised away. */
let sink: unknown;

/**
 * Runs the contenders in turn, round after round, so that a machine whose speed drifts slows them alike. The
 * first two rounds warm up and do not count.
 */
export function measure(contenders: readonly Contender[], rounds: number): Measure[] {
  const times = contenders.map(() => [] as number[]);
  for (let round = -2; round < rounds; round++) {
    contenders.forEach(({ run, count }, index) => {
      const nanoseconds = timed(run, count);
      if (round >= 0) times[index]!.push(nanoseconds);
    });
  }
  return contenders.map(({ name, group }, index) => ({
    name,
    group,
    value: median(times[index]!),
    rounds: times[index]!,
  }));
}

/** Nanoseconds per unit of work of one run. */
export function timed(run: () => unknown, count: number): number {
  const start = performance.now();
  sink = run();
  const elapsed = performance.now() - start;
  if (sink === timed) throw new Error('never: it only keeps the result in use');
  return (elapsed * 1e6) / count;
}

/** A measure that was taken once. */
export function single(name: string, value: number): Measure {
  return { name, value, rounds: [value] };
}

/** Of whole processes, which take long: with one unit of work in a run. */
export function inMilliseconds({ rounds, value, ...measure }: Measure): Measure {
  return { ...measure, value: value / 1e6, rounds: rounds.map((each) => each / 1e6) };
}

/** How many times as fast as `rival` the contender was: the median of the rounds' ratios. */
export function ratio(rival: Measure, contender: Measure): number {
  return median(rival.rounds.map((time, round) => time / contender.rounds[round]!));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
