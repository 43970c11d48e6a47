// What is sent to `hashes:search`, what of its answers is believed, and how long they are kept.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expressions } from '../../../src/entries/safe-browsing.ts';
import { FullHashCache } from '../../../src/service/check/hash-search.ts';
import { MALWARE, opened, ScriptedServer, sha256, shown } from './scripted-server.ts';
import { duration, fullHash, searchResponse } from './search-response.ts';

const tests = suite('safe-browsing/check: hashes:search');

const EVIL = 'http://evil.example/a?b';

tests('exactly four bytes of each expression are sent, and nothing else', async () => {
  const { server, checker } = opened();
  assert.is(shown(await checker.check(EVIL)), 'safe, server');
  assert.equal(server.requests, [ScriptedServer.prefixesOf(EVIL)]);
});

tests('a URL reveals as many prefixes as docs/safe-browsing-check.md says', async () => {
  const text = readFileSync('docs/safe-browsing-check.md', 'utf8').replaceAll('\n', ' ');
  const told = [...text.matchAll(/(\d+) for `(http:[^`]+)`/g)];
  assert.is(told.length, 2);
  for (const [, count, url] of told) {
    const { server, checker } = opened();
    await checker.check(url!);
    assert.is(server.requests.at(-1)!.length, Number(count), url);
  }
});

tests('any expression that is listed makes the URL unsafe; the answer names it and its threats', async () => {
  for (const expression of expressions(EVIL)) {
    const { server, checker } = opened();
    server.listed.set(expression, [MALWARE, { threatType: 2, attributes: [2] }]);
    const answer = await checker.check(EVIL);
    const expiresAt = server.time + 300_000;
    assert.equal(
      { ...answer, threats: [...answer.threats] },
      {
        url: EVIL,
        verdict: 'unsafe',
        reason: 'server',
        isAllowed: false,
        threats: [
          { type: 'MALWARE', isFrameOnly: false, expression, expiresAt },
          { type: 'SOCIAL_ENGINEERING', isFrameOnly: true, expression, expiresAt },
        ],
        expression,
        matched: [],
        detail: undefined,
        expiresAt,
      },
    );
  }
});

tests('whole hashes are compared: one that shares the prefix alone is another URL', async () => {
  const { server, checker } = opened();
  for (const expression of expressions(EVIL)) {
    const hash = sha256(expression);
    hash[31]! ^= 1;
    server.extra.push(fullHash(hash, [MALWARE]));
  }
  assert.is(shown(await checker.check(EVIL)), 'safe, server');
});

tests('hashes that were not asked for are dropped, and not cached', async () => {
  const { server, checker } = opened();
  server.extra.push(fullHash(sha256('other.example/'), [MALWARE]));
  await checker.check(EVIL);
  server.extra.length = 0;
  assert.is(shown(await checker.check('http://other.example/')), 'safe, server');
});

tests('a detail with an unknown value is disregarded as a whole, and so is a canary', async () => {
  for (const [details, verdict] of [
    [[{ threatType: 0 }], 'safe'],
    [[{ threatType: 5 }], 'safe'],
    [[{ threatType: 1, attributes: [3] }], 'safe'],
    [[{ threatType: 1, attributes: [2, 0] }], 'safe'],
    [[{ threatType: 1, attributes: [1] }], 'safe'],
    [[{ threatType: 1, attributes: [1] }, { threatType: 4 }], 'unsafe'],
    [[{ threatType: 300 }, { threatType: 3 }], 'unsafe'],
    [[], 'unsafe'],
  ] as const) {
    const { server, checker } = opened();
    server.listed.set('evil.example/', details);
    assert.is((await checker.check(EVIL)).verdict, verdict, JSON.stringify(details));
  }
});

tests('answers are cached until they expire, including those that list nothing', async () => {
  const { server, checker } = opened();
  server.listed.set('evil.example/', [MALWARE]);
  for (const url of [EVIL, 'http://good.example/']) await checker.check(url);
  const count = server.requests.length;
  server.listed.clear();
  server.time += 300_000;
  assert.is(shown(await checker.check(EVIL)), 'unsafe, cache');
  assert.is(shown(await checker.check('http://good.example/')), 'safe, cache');
  assert.is(server.requests.length, count);
  server.time += 1;
  assert.is(shown(await checker.check(EVIL)), 'safe, server');
  assert.is(shown(await checker.check('http://good.example/')), 'safe, server');
});

tests('only what is not cached of a URL is asked for', async () => {
  const { server, checker } = opened();
  await checker.check('http://evil.example/');
  await checker.check(EVIL);
  const known = ScriptedServer.prefixesOf('http://evil.example/');
  assert.equal(
    server.requests[1],
    ScriptedServer.prefixesOf(EVIL).filter((each) => !known.includes(each)),
  );
});

tests('the server chooses the duration: parts of a second count, and after 0 it is asked again', async () => {
  const { server, checker } = opened();
  server.cacheDuration = duration(1, 500_000_000);
  await checker.check(EVIL);
  server.time += 1500;
  assert.is(shown(await checker.check(EVIL)), 'safe, cache');
  server.time += 1;
  server.cacheDuration = duration(0);
  assert.is(shown(await checker.check(EVIL)), 'safe, server');
  assert.is(shown(await checker.check(EVIL)), 'safe, server');
});

tests('many URLs share requests of limited size, and no prefix is sent twice', async () => {
  const urls = Array.from({ length: 1200 }, (_, row) => `http://h${row}.example/`);
  for (const [options, most] of [
    [{}, 300],
    [{ prefixesPerRequest: 1000 }, 1000],
  ] as const) {
    const { server, checker } = opened(options);
    const answers = await checker.checkMany([...urls, ...urls]);
    assert.is(answers.length, 2400);
    assert.equal(
      answers.map(({ url }) => url),
      [...urls, ...urls],
    );
    assert.is(Math.max(...server.requests.map(({ length }) => length)), most);
    assert.is(server.requests.length, Math.ceil(1200 / most));
    assert.equal(server.requests.flat().sort(), ScriptedServer.prefixesOf(...urls).sort());
  }
});

tests('calls at the same time share requests, and what is under way is not asked for again', async () => {
  const { server, checker } = opened();
  const [one, other] = await Promise.all([checker.check(EVIL), checker.check('http://good.example/')]);
  assert.equal([shown(one), shown(other)], ['safe, server', 'safe, server']);
  assert.is(server.requests.length, 1);
  let release = () => {};
  server.answers.push(async () => {
    await new Promise<void>((resolve) => (release = resolve));
    return new Response(new Uint8Array(searchResponse([], duration(60))));
  });
  const first = checker.check('http://slow.example/');
  await sleep(1);
  const second = checker.check('http://slow.example/');
  await sleep(1);
  release();
  assert.equal([shown(await first), shown(await second)], ['safe, server', 'safe, server']);
  assert.is(server.requests.length, 2);
});

tests('no more than six requests are under way at once', async () => {
  let [underWay, most] = [0, 0];
  const { checker } = opened({
    prefixesPerRequest: 1,
    fetch: async () => {
      most = Math.max(most, ++underWay);
      await sleep(1);
      underWay--;
      return new Response(new Uint8Array(searchResponse([], duration(60))));
    },
  });
  await checker.checkMany(Array.from({ length: 50 }, (_, row) => `http://h${row}.example/`));
  assert.is(most, 6);
});

tests('an answer that is cut anywhere is never believed', async () => {
  const { server, checker } = opened({ backOff: { unansweredMs: 0 } });
  const whole = searchResponse([fullHash(sha256('evil.example/'), [MALWARE])], duration(300));
  for (let length = 0; length < whole.length; length++) {
    server.answers.push(() => new Response(new Uint8Array(whole.subarray(0, length))));
    assert.is(shown(await checker.check(EVIL)), 'unsure, unsure: malformed', `${length} of ${whole.length} bytes`);
  }
  server.answers.push(() => new Response(new Uint8Array(whole)));
  assert.is(shown(await checker.check(EVIL)), 'unsafe, server');
});

tests('requests that never end, as in a Worker whose client disconnects, do not stop later ones', async () => {
  const { server, checker } = opened({ timeoutMs: 3000 });
  const lost = () => new Promise<Response>(() => {});
  const never = Array.from({ length: 8 }, (_, row) => `http://never${row}.example/`);
  const checks: Promise<unknown>[] = [];
  for (const url of never) {
    server.answers.push(lost);
    checks.push(checker.check(url));
    await sleep(1);
  }
  assert.is(server.requests.length, 6);
  server.answers.length = 0;
  server.time += 6001;
  assert.is(shown(await checker.check(never[0]!)), 'safe, server');
  for (const check of checks.slice(0, 6)) assert.is(shown((await check) as never), 'unsure, unsure: time-out');
  for (const check of checks.slice(6)) assert.is(shown((await check) as never), 'safe, server');
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
