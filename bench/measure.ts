/** Nanoseconds per unit of work: as they passed, and of all the processors at work. */
export interface Round {
  readonly elapsed: number;
  readonly processor?: number | undefined;
}

/** One thing that is timed: each round does all of its work once. */
export interface Turn {
  readonly name: string;
  /** What it is compared within, where there are several of the same name. */
  readonly group?: string | undefined;
  round(): Round | Promise<Round>;
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

/** Elapsed time over processor time: beyond this, a round has waited for a processor. */
const NOISY = 1.1;
/** A machine that is never calm is not waited for. */
const TRIES = 3;
const WARM_UP_ROUNDS = 2;

/** Keeps results alive, so that no run is optimised away. */
let sink: unknown;

/** Work in this process: `run` does `count` units, such as URLs, and returns something of them. */
export function turn(name: string, count: number, run: () => unknown, group?: string): Turn {
  return { name, group, round: () => timed(run, count) };
}

function timed(run: () => unknown, count: number): Round {
  const before = process.cpuUsage();
  const start = performance.now();
  sink = run();
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  if (sink === timed) throw new Error('never: it only keeps the result in use');
  return { elapsed: (elapsed * 1e6) / count, processor: ((user + system) * 1e3) / count };
}

/** All in turn, round after round, one at a time, so that a machine whose speed drifts slows them alike. */
export async function measure(turns: readonly Turn[], roundCount: number): Promise<Measure[]> {
  const taken = turns.map((): Taken[] => []);
  for (let round = -WARM_UP_ROUNDS; round < roundCount; round++) {
    for (const [index, each] of turns.entries()) {
      if (round < 0) await each.round();
      else taken[index]!.push(await calmRound(each));
    }
  }
  return turns.map((each, index) => measureOf(each, taken[index]!));
}

interface Taken {
  readonly round: Round;
  readonly noisyCount: number;
}

/** A noisy round is taken again; where all are noisy, the calmest counts. */
async function calmRound(each: Turn): Promise<Taken> {
  const rounds: Round[] = [];
  do rounds.push(await each.round());
  while (noiseOf(rounds.at(-1)!) > NOISY && rounds.length < TRIES);
  const [round] = rounds.toSorted((a, b) => noiseOf(a) - noiseOf(b)) as [Round];
  return { round, noisyCount: rounds.filter((one) => noiseOf(one) > NOISY).length };
}

/** Less than 1 where several threads were at work, and where it cannot be known. */
function noiseOf({ elapsed, processor }: Round): number {
  return processor === undefined ? 0 : elapsed / processor;
}

function measureOf({ name, group }: Turn, taken: readonly Taken[]): Measure {
  const rounds = taken.map(({ round }) => round.elapsed);
  return { name, group, value: median(rounds), rounds, ...processorOf(taken) };
}

/** Nothing where it is not known: of such rounds nobody can say whether they waited. */
function processorOf(taken: readonly Taken[]): Pick<Measure, 'processor' | 'noisyCount'> {
  const processors = taken.flatMap(({ round }) => round.processor ?? []);
  if (processors.length === 0) return {};
  return { processor: median(processors), noisyCount: taken.reduce((sum, each) => sum + each.noisyCount, 0) };
}

/** A measure whose rounds are known. */
export function measured(name: string, rounds: readonly number[], group?: string): Measure {
  return { name, group, value: median(rounds), rounds };
}

/** How many times as fast as `rival` the other was: the median of the rounds' ratios. */
export function ratio(rival: Measure, other: Measure): number {
  const count = Math.min(rival.rounds.length, other.rounds.length);
  return median(rival.rounds.slice(0, count).map((time, round) => time / other.rounds[round]!));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
