import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SharedWork } from '../../../src/service/check/list-updates.ts';

const tests = suite('safe-browsing/check: shared work');

tests('callers share what is under way, and the next one starts it again', async () => {
  let count = 0;
  const work = new SharedWork(async () => ++count, Date.now, 1000);
  assert.equal(await Promise.all([work.run(), work.run()]), [1, 1]);
  assert.is(await work.run(), 2);
});

tests('what failed is not shared with later callers', async () => {
  let count = 0;
  const start = () => (++count === 1 ? Promise.reject(new Error('once')) : Promise.resolve(count));
  const work = new SharedWork(start, Date.now, 1000);
  for (const shared of [work.run(), work.run()]) {
    assert.is(await shared.catch((error: Error) => error.message), 'once');
  }
  assert.is(await work.run(), 2);
});

tests('what never ends is started again when it is old, and its end changes nothing then', async () => {
  let time = 0;
  const ends: ((value: string) => void)[] = [];
  const work = new SharedWork(
    () => new Promise<string>((resolve) => ends.push(resolve)),
    () => time,
    1000,
  );
  const lost = work.run();
  time = 1000;
  assert.is(work.run(), lost);
  time = 1001;
  const second = work.run();
  assert.is.not(second, lost);
  ends[0]!('late');
  await lost;
  assert.is(work.run(), second);
  ends[1]!('in time');
  assert.is(await second, 'in time');
});

tests.run();
