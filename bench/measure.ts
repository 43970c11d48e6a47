/** Nanoseconds per unit of work: as they passed, and of all the processors at work. */
export interface Round {
  readonly elapsed: number;
  readonly processor?: number | undefined;
}

/** One thing that is timed: each round does all of its work once. */
export interface Turn {
  readonly name: string;
  /** The group that it is compared within, where there are several of the same name. */
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

/** How long turns are measured together. */
export interface Budget {
  /** No round begins that would end later, if it takes as long as the longest. */
  readonly seconds: number;
  /** At least so many count, however long they take. */
  readonly rounds: number;
  /** Rounds before them, in which compilers and caches warm up. */
  readonly warmUps?: number | undefined;
}

/** Elapsed time over processor time: beyond this, a round has waited for a processor. */
const NOISY = 1.1;
/** A machine that is never calm is not waited for. */
const TRIES = 3;

/** Keeps results alive, so that no run is optimised away. */
let sink: unknown;

/** Work in this process: `run` does `count` units, such as URLs, and returns something of them. */
export function turn(name: string, count: number, run: () => unknown, group?: string): Turn {
  return { name, group, round: () => timed(run, count) };
}

/** The same by processor time, which other load on the machine does not count in. */
export function byProcessor({ name, group, round }: Turn): Turn {
  const processorRound = async () => {
    const { elapsed, processor } = await round();
    return { elapsed: processor ?? elapsed };
  };
  return { name, group, round: processorRound };
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
export async function measure(turns: readonly Turn[], { seconds, rounds, warmUps = 2 }: Budget): Promise<Measure[]> {
  const end = performance.now() + 1e3 * seconds;
  const taken = turns.map((): Taken[] => []);
  for (let round = 0; round < warmUps; round++) for (const each of turns) await each.round();
  for (let round = 0, longest = 0; round < rounds || performance.now() + longest <= end; round++) {
    const start = performance.now();
    for (const [index, each] of turns.entries()) taken[index]!.push(await calmRound(each, end));
    longest = Math.max(longest, performance.now() - start);
  }
  return turns.map((each, index) => measureOf(each, taken[index]!));
}

interface Taken {
  readonly round: Round;
  readonly noisyCount: number;
}

/** A noisy round is taken again while there is time; where all are noisy, the calmest counts. */
async function calmRound(each: Turn, end: number): Promise<Taken> {
  const rounds: Round[] = [];
  do rounds.push(await each.round());
  while (noiseOf(rounds.at(-1)!) > NOISY && rounds.length < TRIES && performance.now() < end);
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

/** A measure that was taken once. */
export function measured(name: string, value: number, group?: string): Measure {
  return { name, group, value, rounds: [value] };
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
