import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FullHashCache } from '../../../src/service/check/hash-search.ts';

const tests = suite('safe-browsing/check: cache of full hashes');

tests('an entry holds up to its expiration, and is gone after it', () => {
  const cache = new FullHashCache();
  cache.set(7, [], 0, 100);
  assert.is(cache.get(7, 100)?.expiresAt, 100);
  assert.is(cache.get(7, 101), undefined);
  assert.is(cache.get(7, 100), undefined);
  assert.is(cache.get(8, 0), undefined);
});

tests('it holds for a day at most, and not once the clock was put back by more than five minutes', () => {
  const [cache, day] = [new FullHashCache(), 86_400_000];
  cache.set(7, [], 0, 100 * day);
  assert.is(cache.get(7, day)?.expiresAt, day);
  assert.is(cache.get(7, -300_000)?.expiresAt, day);
  assert.is(cache.get(7, -300_001), undefined);
  cache.set(7, [], 0, 100 * day);
  assert.is(cache.get(7, day + 1), undefined);
});

tests('it does not grow without limit: the oldest entries go first', () => {
  const cache = new FullHashCache();
  for (let prefix = 0; prefix < 100_000; prefix++) cache.set(prefix, [], 0, 100);
  cache.set(0, [], 0, 200);
  cache.set(100_000, [], 0, 100);
  assert.is(cache.get(1, 0), undefined);
  for (const prefix of [0, 2, 99_999, 100_000]) assert.equal(cache.get(prefix, 0)?.listed, [], `${prefix}`);
});

tests('an answer that holds for no time is not kept', () => {
  const cache = new FullHashCache();
  cache.set(7, [], 0, 100);
  assert.is(cache.set(7, [], 50, 0).expiresAt, 50);
  assert.is(cache.get(7, 50)?.expiresAt, 100);
});

tests.run();
