import { type Measure, median } from '../measure.ts';
import type { Round } from './program.ts';

/** Elapsed time over processor time: beyond this, a round has waited for a processor. */
const NOISY = 1.1;
/** A machine that is never calm is not waited for. */
const TRIES = 3;
const WARM_UP_ROUNDS = 2;

/** One way of one program. */
export interface Turn {
  readonly name: string;
  readonly group?: string;
  round(): Promise<Round>;
}

interface Taken {
  readonly round: Round;
  readonly noisyCount: number;
}

/** All in turn, round after round, one at a time, so that a machine whose speed drifts slows them alike. */
export async function alternate(turns: readonly Turn[], roundCount: number): Promise<Measure[]> {
  const taken = turns.map((): Taken[] => []);
  for (let round = -WARM_UP_ROUNDS; round < roundCount; round++) {
    for (const [index, turn] of turns.entries()) {
      if (round < 0) await turn.round();
      else taken[index]!.push(await calmRound(turn));
    }
  }
  return turns.map((turn, index) => measureOf(turn, taken[index]!));
}

/** A noisy round is taken again; where all are noisy, the calmest counts. */
async function calmRound(turn: Turn): Promise<Taken> {
  const rounds: Round[] = [];
  do rounds.push(await turn.round());
  while (noiseOf(rounds.at(-1)!) > NOISY && rounds.length < TRIES);
  const [round] = rounds.toSorted((a, b) => noiseOf(a) - noiseOf(b)) as [Round];
  return { round, noisyCount: rounds.filter((each) => noiseOf(each) > NOISY).length };
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
