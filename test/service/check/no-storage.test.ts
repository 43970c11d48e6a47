// The no-storage procedure, which is also the part of the others that asks the server: what is sent, what is believed,
// what is cached, and what becomes of every kind of trouble.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CheckerOptions, SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { expressions } from '../../../src/entries/safe-browsing.ts';
import { message } from '../lists/wire.ts';
import { MALWARE, ScriptedServer, sha256 } from './scripted-server.ts';
import { duration, fullHash, searchResponse } from './search-response.ts';

const tests = suite('safe-browsing/check: no-storage');

const EVIL = 'http://evil.example/a?b';

function opened(options: Partial<CheckerOptions> = {}): { server: ScriptedServer; checker: SafeBrowsingChecker } {
  const server = new ScriptedServer();
  const checker = new SafeBrowsingChecker({
    server: 'http://127.0.0.1:9/v5',
    procedure: 'no-storage',
    whenUnsure: 'block',
    fetch: server.fetch,
    now: server.now,
    random: () => 0,
    ...options,
  });
  return { server, checker };
}

const shown = ({ verdict, reason }: { verdict: string; reason: string }) => `${verdict}, ${reason}`;

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

tests('the request has the headers it was told, follows no redirect and can be aborted', async () => {
  const seen: unknown[] = [];
  const { checker } = opened({
    headers: { 'X-Goog-Api-Key': 'key' },
    fetch: async (url, { headers, redirect, signal }) => {
      seen.push(url.replace(/\?.*/, ''), headers, redirect, signal instanceof AbortSignal);
      return new Response(null, { status: 302, headers: { location: 'http://other.example/' } });
    },
  });
  assert.is(shown(await checker.check(EVIL)), 'unsure, unsure: status');
  assert.equal(seen, ['http://127.0.0.1:9/v5/hashes:search', { 'X-Goog-Api-Key': 'key' }, 'manual', true]);
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

/** Troubles, and the reason that each check then has. */
const TROUBLES: readonly (readonly [string, () => Response | Promise<Response>])[] = [
  ['network', () => Promise.reject(new TypeError('fetch failed'))],
  ['status', () => new Response(null, { status: 500 })],
  ['status', () => new Response(null, { status: 503 })],
  ['status', () => new Response(null, { status: 404 })],
  ['status', () => new Response(null, { status: 204 })],
  ['malformed', () => new Response('<html>captive portal</html>')],
  ['malformed', () => new Response(new Uint8Array(message([1, message([1, new Uint8Array(31)])])))],
  ['malformed', () => new Response(new Uint8Array(5 << 20))],
  ['time-out', () => sleep(1000).then(() => new Response())],
];

tests('without an answer the URL is unsure, and allowed as the caller chose', async () => {
  for (const [cause, answer] of TROUBLES) {
    for (const whenUnsure of ['allow', 'block'] as const) {
      const timeoutMs = cause === 'time-out' ? 20 : 60_000; // on a busy machine 5 MB take longer than 20 ms
      const { server, checker } = opened({ whenUnsure, timeoutMs });
      server.answers.push(answer);
      const found = await checker.check(EVIL);
      assert.is(shown(found), `unsure, unsure: ${cause}`);
      assert.is(found.isAllowed, whenUnsure === 'allow');
      assert.ok(found.detail !== undefined && found.detail.length > 10, found.detail);
    }
  }
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

tests('a URL without a host is unsure, and costs the others nothing', async () => {
  const { server, checker } = opened();
  const answers = await checker.checkMany(['mailto:x', EVIL, 'http://./', 'http://']);
  assert.equal(answers.map(shown), [
    'unsure, unsure: no-host',
    'safe, server',
    ...Array(2).fill('unsure, unsure: no-host'),
  ]);
  assert.is(answers[0]!.isAllowed, false);
  assert.match(answers[0]!.detail!, 'scheme-without-authority');
  assert.is(server.requests.length, 1);
});

tests('a server that failed is left alone, and asked again when that is over', async () => {
  const { server, checker } = opened();
  for (const [status, headers, wait] of [
    [500, {}, 15 * 60_000],
    [503, { 'retry-after': '7' }, 7000],
    [429, { 'retry-after': new Date(server.time + 3_600_000).toUTCString() }, 3_600_000 - 15 * 60_000 - 7000],
  ] as const) {
    server.answers.push(() => new Response(null, { status, headers }));
    assert.is(shown(await checker.check(EVIL)), 'unsure, unsure: status');
    const count = server.requests.length;
    server.time += wait - 1;
    const { detail, reason } = await checker.check(EVIL);
    assert.is(reason, 'unsure: back-off');
    assert.match(detail!, new Date(server.time + 1).toISOString());
    assert.is(server.requests.length, count);
    server.time += 1;
  }
  assert.is(shown(await checker.check(EVIL)), 'safe, server');
});

tests('what is cached holds while the server is left alone', async () => {
  const { server, checker } = opened();
  server.cacheDuration = duration(86_400);
  server.listed.set('evil.example/', [MALWARE]);
  await checker.check(EVIL);
  server.answers.push(() => new Response(null, { status: 500 }));
  await checker.check('http://good.example/');
  assert.is(shown(await checker.check('http://good.example/')), 'unsure, unsure: back-off');
  assert.is(shown(await checker.check(EVIL)), 'unsafe, cache');
});

tests('one listed expression is enough, whatever became of the request for another', async () => {
  const { server, checker } = opened({ prefixesPerRequest: 1 });
  server.listed.set('evil.example/', [MALWARE]);
  server.answers.push(() => new Response(null, { status: 500 }));
  assert.is((await checker.check(EVIL)).verdict, 'unsafe');
});

tests('what an injected function throws reaches the caller', async () => {
  const failing = { isFailing: false };
  const { checker } = opened({
    now: () => {
      if (failing.isFailing) throw new Error('the clock stands still');
      return 0;
    },
    fetch: async () => {
      failing.isFailing = true;
      return new Response(null, { status: 500 });
    },
  });
  assert.is(await checker.check(EVIL).catch((error: Error) => error.message), 'the clock stands still');
});

tests('the fetch of the platform can be passed, and is the default', async () => {
  const { checker } = opened({ fetch });
  assert.is(shown(await checker.check(EVIL)), 'unsure, unsure: network');
  assert.is(shown(await opened({ fetch: undefined as never }).checker.check(EVIL)), 'unsure, unsure: network');
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

tests('a signal ends the wait of its caller alone', async () => {
  const { server, checker } = opened();
  let release = () => {};
  server.answers.push(async () => {
    await new Promise<void>((resolve) => (release = resolve));
    return new Response(new Uint8Array(searchResponse([], duration(60))));
  });
  const controller = new AbortController();
  const abandoned = checker.check(EVIL, { signal: controller.signal });
  const awaited = checker.check(EVIL);
  await sleep(1);
  const reason = new Error('no longer wanted');
  controller.abort(reason);
  assert.is(await abandoned.catch((error: unknown) => error), reason);
  release();
  assert.is(shown(await awaited), 'safe, server');
  assert.is(server.requests.length, 1);
  assert.is(await checker.check(EVIL, { signal: AbortSignal.abort(reason) }).catch((error: unknown) => error), reason);
});

tests('bytes count as they were when they were passed', async () => {
  const { server, checker } = opened();
  server.listed.set('evil.example/', [MALWARE]);
  const url = new TextEncoder().encode(EVIL);
  const check = checker.check(url);
  url.fill(0x78);
  assert.is((await check).expression, 'evil.example/');
});

tests('both readings of a URL are looked up, unless one is chosen', async () => {
  for (const [expressions, verdict] of [
    [undefined, 'unsafe'],
    [{ mode: undefined, privateSuffixes: false }, 'unsafe'],
    [{ mode: 'spec' }, 'safe'],
  ] as const) {
    const { server, checker } = opened({ expressions });
    server.listed.set('evil.com/', [MALWARE]);
    const answer = await checker.check('http://good.com%2F@evil.com/');
    assert.is(answer.verdict, verdict);
    assert.is(answer.expression, verdict === 'unsafe' ? 'evil.com/' : undefined);
  }
});

tests('options are checked', () => {
  for (const [options, message] of [
    [{ whenUnsure: undefined }, 'whenUnsure must be one of allow, block, got undefined'],
    [{ procedure: 'lookup' }, 'procedure must be one of local-list, real-time, no-storage, got "lookup"'],
    [{ server: undefined }, 'server must be a string or a URL, got undefined'],
    [{ lists: ['mw-4b'] }, 'lists must be empty for no-storage'],
    [{ procedure: 'local-list' }, 'lists must name a list for local-list'],
    [{ procedure: 'local-list', lists: ['a', 'a'] }, 'a list is named twice'],
    [
      { procedure: 'local-list', lists: ['a'], globalCache: 'gc-32b' },
      'globalCache is for real-time, not for local-list',
    ],
    [{ prefixesPerRequest: 1001 }, 'prefixesPerRequest must be a whole number from 1 to 1000, got 1001'],
    [{ timeoutMs: -1 }, 'timeoutMs must be a whole number of milliseconds from 0 to 2^31 - 1, got -1'],
    [{ timeoutMs: 1.5 }, 'timeoutMs must be a whole number of milliseconds from 0 to 2^31 - 1, got 1.5'],
    [{ maxListAgeMs: -1 }, 'maxListAgeMs must be 0 milliseconds or more, got -1'],
    [{ server: '/v5/' }, 'server must be an absolute URL'],
    [
      { backOff: { maxDelayMs: 86_400_001 } },
      'backOff.maxDelayMs must be 86400000 milliseconds, a day, or less, got 86400001',
    ],
    [{ expressions: { mode: 'both' } }, 'mode must be one of spec, browser, union, got "both"'],
    [{ fetch: 'fetch' }, 'fetch must be a function, got string'],
    [{ backOff: { first: 1 } }, 'backOff has no "first", only refusedMs, unansweredMs, maxDelayMs'],
    [{ key: 'x' }, 'options has no "key"'],
  ] as const) {
    assert.throws(
      () => opened(options as unknown as Partial<CheckerOptions>),
      (error: Error) => error.message.startsWith(message),
      message,
    );
  }
});

tests.run();
