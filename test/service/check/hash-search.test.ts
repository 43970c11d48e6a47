// Until when an answer holds, the least of what was consulted, and until when one is kept.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CheckerOptions, type Fetch, SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { FullHashCache } from '../../../src/service/check/hash-search.ts';
import { ListService } from './list-service.ts';
import { MALWARE, ScriptedServer } from './scripted-server.ts';
import { duration } from './search-response.ts';

const tests = suite('safe-browsing/check: expiry');

const EVIL = 'http://evil.example/a';
const WAIT = 1_800_000;
const DAY = 86_400_000;

/** A checker of one list, whose clock is that of `search`. */
async function opened(options: Partial<CheckerOptions> = {}) {
  const [search, service] = [new ScriptedServer(), new ListService()];
  service.lists.set('mw-4b', ['evil.example/', 'evil.example/a']);
  service.lists.set('gc-32b', ['popular.example/']);
  const send: Fetch = (url, init) => (url.includes('hashLists') ? service : search).fetch(url, init);
  const checker = new SafeBrowsingChecker({
    server: 'http://127.0.0.1/v5/',
    procedure: 'local-list',
    whenUnsure: 'block',
    lists: ['mw-4b'],
    fetch: send,
    now: search.now,
    random: () => 0,
    ...options,
  });
  await checker.update();
  const left = async (url: string) => (await checker.check(url)).expiresAt - search.time;
  return { checker, search, service, left };
}

tests('by the lists alone: until their next update', async () => {
  const { search, left } = await opened();
  assert.is(await left('http://good.example/'), WAIT);
  search.time += 60_000;
  assert.is(await left('http://good.example/'), WAIT - 60_000);
  search.time += WAIT;
  assert.is(await left('http://good.example/'), 0, 'an update is due');
});

tests('or until one of them is stale', async () => {
  const { left } = await opened({ maxListAgeMs: 1000 });
  assert.is(await left('http://good.example/'), 1000);
});

tests('during a back-off: until the server may be asked again', async () => {
  const { checker, search, service, left } = await opened();
  search.time += WAIT;
  service.fault = async () => new Response(null, { status: 503 });
  await checker.update();
  assert.is(await left('http://good.example/'), 15 * 60_000);
});

tests('by the server: as long as it says, a day at most, and no longer than the lists', async () => {
  for (const [seconds, local, remote] of [
    [300, 300_000, 300_000],
    [0, 0, 0],
    [86_400, WAIT, DAY],
    [1_000_000, WAIT, DAY],
  ] as const) {
    for (const isLocal of [true, false]) {
      const { search, left } = await opened(isLocal ? {} : { procedure: 'no-storage', lists: [] });
      search.cacheDuration = duration(seconds);
      assert.is(await left(EVIL), isLocal ? local : remote);
    }
  }
});

tests('by the cache: what is left of the earlier answer', async () => {
  const { search, left } = await opened({ procedure: 'no-storage', lists: [] });
  assert.is(await left(EVIL), 300_000);
  search.time += 100_000;
  assert.is(await left(EVIL), 200_000);
  assert.is(await left('http://evil.example/b'), 200_000, 'one expression is new, the other is not');
});

tests('each threat has the time of the answer that lists it', async () => {
  const { checker, search } = await opened({ procedure: 'no-storage', lists: [] });
  search.listed.set('evil.example/', [MALWARE]);
  search.listed.set('evil.example/a', [MALWARE]);
  await checker.check('http://evil.example/');
  const first = search.time + 300_000;
  search.time += 100_000;
  const { threats, expiresAt } = await checker.check(EVIL);
  assert.equal(
    threats.map((threat) => [threat.expression, threat.expiresAt]),
    [
      ['evil.example/a', search.time + 300_000],
      ['evil.example/', first],
    ],
  );
  assert.is(expiresAt, first);
});

tests('of real-time: by the server, or by the lists for what is likely safe', async () => {
  const { search, left } = await opened({ procedure: 'real-time' });
  assert.is(await left('http://good.example/'), 300_000);
  search.answers.push(async () => new Response(null, { status: 503 }));
  search.time += 300_001;
  assert.is(await left('http://good.example/'), WAIT - 300_001);
});

tests('an unsure answer holds for no time', async () => {
  const { search, left } = await opened();
  assert.is(await left('mailto:x'), 0);
  search.answers.push(async () => new Response(null, { status: 503 }));
  assert.is(await left(EVIL), 0);
  search.time += 2 * DAY;
  assert.is(await left('http://good.example/'), 0, 'a stale list');
});

tests('an entry of the cache holds up to its expiration, and is gone after it', () => {
  const cache = new FullHashCache();
  cache.set(7, [], 0, 100);
  assert.is(cache.get(7, 100)?.expiresAt, 100);
  assert.is(cache.get(7, 101), undefined);
  assert.is(cache.get(7, 100), undefined);
  assert.is(cache.get(8, 0), undefined);
});

tests('an entry holds for a day at most', () => {
  const [cache, day] = [new FullHashCache(), DAY];
  cache.set(7, [], 0, 100 * day);
  assert.is(cache.get(7, day)?.expiresAt, day);
  assert.is(cache.get(7, day + 1), undefined);
});

tests('the cache does not grow without limit: the oldest entries go first', () => {
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
