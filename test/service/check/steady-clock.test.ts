// A clock that went back: nothing that was stamped in the future may hold until the clock is there again.
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CheckerOptions, FileStore, type SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE } from '../../../src/entries/safe-browsing/lists.ts';
import { urlsum } from '../../command/command.ts';
import { FOLDER as folder } from '../../support/scratch.ts';
import { halvedCases } from '../../support/seed.ts';
import { clockJumps, clockOrders } from './clock-jumps.ts';
import { MemoryStore, storedList } from './memory-store.ts';
import { listOf, MALWARE, ScriptedServer, shown } from './scripted-server.ts';
import { duration } from './search-response.ts';

const tests = suite('safe-browsing/check: a clock that went back');

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const NOW = Date.UTC(2026, 0, 1);
const GOOD = 'http://good.example/';
const LIST = listOf('mw-4b', 'evil.example/');

/** A server with one list, and a checker of it. */
function opened(options: Partial<CheckerOptions> = {}) {
  const server = new ScriptedServer();
  server.lists.set('mw-4b', ['evil.example/']);
  return { server, checker: server.checker(options) };
}

const statusOf = async (checker: SafeBrowsingChecker) => (await checker.update())[0]!.status;

tests('a list stamped more than five minutes in the future is stale, and due', async () => {
  const { checker, server } = opened();
  server.time = NOW + 365 * DAY;
  await checker.update();
  server.time = NOW;
  const { detail, reason } = await checker.check(GOOD);
  assert.is(reason, 'unsure: list-stale');
  assert.is(detail, 'the clock was behind the time of the last update of the list mw-4b, or was set back after it');
  assert.is(checker.nextUpdateAt, NOW);
  assert.is(await statusOf(checker), 'unchanged');
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
  assert.is(checker.nextUpdateAt, NOW + 30 * MINUTE);
});

tests('five minutes are what clocks differ by', async () => {
  const { checker, server } = opened();
  await checker.update();
  server.time -= 5 * MINUTE;
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
  assert.is(await statusOf(checker), 'waiting');
  server.time -= 1;
  assert.is(shown(await checker.check(GOOD)), 'unsure, unsure: list-stale');
  assert.is(await statusOf(checker), 'unchanged');
});

tests('a Global Cache of the future does not keep a URL from the server', async () => {
  const { server, checker } = opened({ procedure: 'real-time', globalCache: 'gc-32b' });
  server.lists.set('gc-32b', ['good.example/']);
  await checker.update();
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
  server.time -= DAY;
  assert.is(shown(await checker.check(GOOD)), 'safe, server');
});

tests('a cached answer of the future does not hold, and none holds for more than a day', async () => {
  const { checker, server } = opened({ procedure: 'no-storage' });
  server.cacheDuration = duration(100 * 86_400);
  server.time = NOW + 365 * DAY;
  assert.is(shown(await checker.check(GOOD)), 'safe, server');
  server.time = NOW;
  server.listed.set('good.example/', [MALWARE]);
  assert.is(shown(await checker.check(GOOD)), 'unsafe, server');
  server.listed.clear();
  server.time = NOW + DAY;
  assert.is(shown(await checker.check(GOOD)), 'unsafe, cache');
  server.time += 1;
  assert.is(shown(await checker.check(GOOD)), 'safe, server');
});

tests('a back-off of the future is over, for checks and for updates', async () => {
  const { checker, server } = opened();
  server.time = NOW + 365 * DAY;
  server.listAnswers.push(() => new Response(null, { status: 503, headers: { 'retry-after': '99999999' } }));
  assert.is(await statusOf(checker), 'failed');
  assert.is(checker.nextUpdateAt, server.time + DAY);
  server.time = NOW;
  assert.is(checker.nextUpdateAt, server.time);
  assert.is(await statusOf(checker), 'updated');
});

tests('a list whose update was wrong is fetched again, whatever the clock did', async () => {
  const { checker, server } = opened({ backOff: { unansweredMs: 0 } });
  server.time = NOW + 365 * DAY;
  server.listAnswers.push(
    () => new Response(BATCH_GET_HASH_LISTS_RESPONSE.encode([{ ...LIST.toUpdate(), name: 'x' }])),
  );
  assert.is(await statusOf(checker), 'failed');
  server.time = NOW;
  assert.is(await statusOf(checker), 'updated');
});

tests('a request that is lost while the clock goes back does not stop the others', async () => {
  const { checker, server } = opened({ procedure: 'no-storage' });
  server.answers.push(() => new Promise<Response>(() => {}));
  const lost = checker.check(GOOD);
  await turn(); // it is sent
  server.time -= DAY;
  assert.is(shown(await checker.check(GOOD)), 'safe, server');
  assert.is(shown(await lost), 'unsure, unsure: time-out');
});

/** A store whose list has these times. */
function storeWith(updatedAt: number, nextUpdateAt: number): MemoryStore {
  const store = new MemoryStore();
  store.kept.set('mw-4b', storedList(LIST, 'http://127.0.0.1:9/v5/', updatedAt, nextUpdateAt));
  return store;
}

tests('times in a store that are not dates are damage', async () => {
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, 8.7e15]) {
    for (const store of [storeWith(time, NOW), storeWith(NOW, time)]) {
      const { checker } = opened({ store });
      const { detail, reason } = await checker.check(GOOD);
      assert.is(reason, 'unsure: list-missing');
      assert.match(detail!, `one of its times is ${time}, which is not a date`);
      assert.is(await statusOf(checker), 'updated');
    }
  }
});

tests(
  'a list of a store that is stamped in the future is stale and due; one that waits for years waits a day',
  async () => {
    const future = opened({ store: storeWith(NOW + 365 * DAY, NOW + 365 * DAY) }).checker;
    assert.is(shown(await future.check(GOOD)), 'unsure, unsure: list-stale');
    assert.is(await statusOf(future), 'unchanged');
    const waiting = opened({ store: storeWith(NOW, NOW + 365 * DAY) }).checker;
    assert.is(await statusOf(waiting), 'waiting');
    assert.is(waiting.nextUpdateAt, NOW + DAY);
  },
);

tests('a list of now takes the place of one of the future, and not the other way round', async () => {
  const store = storeWith(NOW + 365 * DAY, NOW);
  const ahead = new Map(store.kept);
  const reader = opened({ store }).checker;
  await reader.load();
  await opened({ store }).checker.update(); // another process, whose clock is right
  await reader.load();
  assert.is(shown(await reader.check(GOOD)), 'safe, list');
  store.kept.set('mw-4b', ahead.get('mw-4b')!);
  await reader.load();
  assert.is(shown(await reader.check(GOOD)), 'safe, list');
});

tests('that a clock was set back after an update is kept in a folder, until the next update', async () => {
  const store = new FileStore(join(folder, 'set-back'));
  const first = opened({ store });
  await first.checker.update();
  first.server.time -= 10 * HOUR;
  assert.is(shown(await first.checker.check(GOOD)), 'unsure, unsure: list-stale');
  first.server.time += 10 * HOUR;
  assert.is(shown(await first.checker.check(GOOD)), 'unsure, unsure: list-stale');
  await first.checker.load(); // waits for the store
  for (const hours of [0, 1, 20]) {
    const { checker, server } = opened({ store });
    server.time = NOW + hours * HOUR;
    assert.is(shown(await checker.check(GOOD)), 'unsure, unsure: list-stale');
    const [list] = checker.status().lists;
    assert.equal([list!.size, list!.updatedAt, list!.ageMs, list!.trouble], [1, undefined, undefined, undefined]);
  }
  const { stdout } = urlsum(['list', 'info', join(store.folder, 'mw-4b.list')]);
  assert.match(stdout.toString(), /\nup to date at {2}not known: the clock was set back\n/);
  assert.is(await statusOf(first.checker), 'unchanged');
  assert.is(shown(await opened({ store }).checker.check(GOOD)), 'safe, list');
});

tests('a clock of any value, once, rejects nothing', async () => {
  for (const wrong of [1e16, -1e16, Number.MAX_VALUE, Number.NaN, Number.POSITIVE_INFINITY]) {
    const { server, checker } = opened();
    server.time = wrong;
    await checker.update();
    assert.type((await checker.check('http://evil.example/')).verdict, 'string');
    server.time = NOW;
    for (const each of await checker.checkMany(['http://evil.example/', 'http://good.example/']))
      assert.type(each.verdict, 'string');
    assert.ok(checker.nextUpdateAt >= server.time && Number.isFinite(checker.nextUpdateAt), `${wrong}`);
    assert.is((await checker.update()).length, 1);
    server.time = wrong;
    assert.type((await checker.check('http://evil.example/')).verdict, 'string');
  }
});

tests('every order of updates, checks, jumps, sleep and restarts', async () => console.log(await clockOrders(4)));

tests('a clock that jumps at random', async () => console.log(await clockJumps(halvedCases(10_000))));

tests.run();
