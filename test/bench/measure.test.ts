import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Budget, type Measure, measure, type Round, type Turn } from '../../bench/measure.ts';

const tests = suite('measures');

/** The time of a clock that only the rounds of these turns move. */
let seconds = 0;

/** A turn whose rounds are those given, after two that warm up; each lasts a second, or its duration. */
function turnOf(name: string, order: string[], rounds: readonly Round[], durations: readonly number[] = []): Turn {
  const left = [{ elapsed: 900, processor: 1 }, { elapsed: 900, processor: 1 }, ...rounds];
  const lasting = [...durations];
  const round = async () => {
    order.push(name);
    seconds += lasting.shift() ?? 1;
    return left.shift()!;
  };
  return { name, round };
}

async function measuredByClock(turns: readonly Turn[], budget: Budget): Promise<Measure[]> {
  const { now } = performance;
  seconds = 0;
  performance.now = () => 1000 * seconds;
  try {
    return await measure(turns, budget);
  } finally {
    performance.now = now;
  }
}

const calm = (elapsed: number) => ({ elapsed, processor: elapsed });
const noisy = (elapsed: number) => ({ elapsed, processor: elapsed / 2 });

tests('rounds alternate, those that warm up do not count, and a noisy one is taken again and reported', async () => {
  const order: string[] = [];
  const turns = [
    turnOf('a', order, [calm(10), noisy(50), calm(12), calm(11)]),
    turnOf('b', order, [calm(20), calm(30), calm(25)]),
  ];
  const [a, b] = (await measuredByClock(turns, { seconds: 12, rounds: 3 })) as [Measure, Measure];
  assert.is(order.join(''), 'ababab' + 'aabab');
  assert.equal(a.rounds, [10, 12, 11]);
  assert.equal([a.value, a.processor, a.noisyCount], [11, 11, 1]);
  assert.equal([b.value, b.noisyCount], [25, 0]);
});

tests('rounds go on while one as long as the longest still fits, and the least number counts in any case', async () => {
  const countOf = async (durations: readonly number[], budget: Budget) => {
    const rounds = durations.map(() => calm(1));
    return (await measuredByClock([turnOf('a', [], rounds, durations)], budget))[0]!.rounds.length;
  };
  assert.is(await countOf([3, 2, 2, 4, 1, 5, 9], { seconds: 20, rounds: 2 }), 4); // it is 17 then, and the longest has 5
  assert.is(await countOf([3, 2, 30, 1, 1], { seconds: 20, rounds: 2 }), 2);
  assert.is(await countOf([3, 2, 30, 1, 1], { seconds: 0, rounds: 3 }), 3);
});

tests(
  'where a machine is never calm, the calmest of three counts while there is time, and all are reported',
  async () => {
    const measuredOf = async (budget: Budget) => {
      const rounds = [noisy(90), { elapsed: 60, processor: 50 }, noisy(70)];
      const [only] = (await measuredByClock([turnOf('a', [], rounds)], budget)) as [Measure];
      return [only.value, only.processor, only.noisyCount];
    };
    assert.equal(await measuredOf({ seconds: 6, rounds: 1 }), [60, 50, 3]);
    assert.equal(await measuredOf({ seconds: 3, rounds: 1 }), [90, 45, 1]);
  },
);

tests('where the processor time is not known, a round is taken once', async () => {
  const unknown = [{ elapsed: 20 }, { elapsed: 40 }, { elapsed: 30 }];
  const turns = [turnOf('a', [], unknown), turnOf('b', [], [calm(1), calm(2), calm(3)])];
  const [first] = (await measuredByClock(turns, { seconds: 11, rounds: 3 })) as [Measure];
  assert.equal([first.value, first.processor, first.noisyCount], [30, undefined, undefined]);
});

tests.run();
