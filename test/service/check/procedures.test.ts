// The three procedures: what each asks, what counts where the server does not answer, and until when a finding holds.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Answer, CheckerOptions, Procedure } from '../../../src/entries/safe-browsing/check.ts';
import { MALWARE, PHISHING, refusal, ScriptedServer, sha256, shown } from './scripted-server.ts';
import { type Detail, duration, fullHash } from './search-response.ts';

const tests = suite('safe-browsing/check: procedures');

const EVIL = 'http://evil.example/';
const GOOD = 'http://good.example/';
const LIKELY_SAFE = 'http://popular.example/';
const HACKED = 'http://popular.example/hacked';
const WAIT = 1_800_000;
const DAY = 86_400_000;

/** A server that lists two pages, one of them on a site that is likely safe, and a checker that asks it. */
function opened(options: Partial<CheckerOptions> = {}) {
  const server = new ScriptedServer();
  for (const each of ['evil.example/', 'popular.example/hacked']) server.listed.set(each, [MALWARE]);
  for (const name of options.lists ?? ['mw-4b']) server.lists.set(name, [...server.listed.keys()]);
  server.lists.set('gc-32b', ['popular.example/']);
  return { server, checker: server.checker(options) };
}

/** The same, with the lists. */
async function updated(options: Partial<CheckerOptions> = {}) {
  const { server, checker } = opened(options);
  await checker.update();
  return { server, checker, left: async (url: string) => (await checker.check(url)).expiresAt - server.time };
}

const REAL_TIME = { procedure: 'real-time', globalCache: 'gc-32b' } as const;

tests('real-time: what is likely safe is looked up in the lists alone, all else at the server', async () => {
  const { server, checker } = await updated(REAL_TIME);
  assert.is(shown(await checker.check(LIKELY_SAFE)), 'safe, list');
  assert.is(shown(await checker.check('http://popular.example/any/page')), 'safe, list');
  assert.equal(server.requests, []);
  assert.is(shown(await checker.check(HACKED)), 'unsafe, server');
  assert.is(shown(await checker.check(EVIL)), 'unsafe, server');
  assert.is(shown(await checker.check(GOOD)), 'safe, server');
  assert.is(server.requests.length, 3);
});

tests('real-time: what is newer than the lists is found', async () => {
  const { server, checker } = await updated(REAL_TIME);
  server.listed.set('new.example/', [MALWARE]);
  assert.is(shown(await checker.check('http://new.example/')), 'unsafe, server');
});

tests('real-time: where the server fails, the lists answer, and the answer says so', async () => {
  const { server, checker } = await updated({ ...REAL_TIME, whenUnsure: 'allow' });
  server.answers.push(refusal);
  const answer = await checker.check(GOOD);
  assert.is(shown(answer), 'safe, list');
  assert.is(answer.detail, 'the server answered with the status 503');
  const evil = await checker.check(EVIL);
  assert.is(shown(evil), 'unsure, unsure: back-off');
  assert.is(evil.isAllowed, true);
});

tests(
  'real-time: the server is asked where the Global Cache is missing; without a server and lists there is no answer',
  async () => {
    const { server, checker } = opened(REAL_TIME);
    assert.is(shown(await checker.check(LIKELY_SAFE)), 'safe, server');
    server.answers.push(refusal);
    assert.is(shown(await checker.check(GOOD)), 'unsure, unsure: list-missing');
  },
);

tests('real-time: an old Global Cache does not keep a URL from the server', async () => {
  const { server, checker } = await updated({ ...REAL_TIME, maxListAgeMs: 3_600_000 });
  server.time += 3_600_001;
  assert.is(shown(await checker.check(LIKELY_SAFE)), 'safe, server');
});

tests('a whole hash on a fresh list is an answer, in both procedures with lists', async () => {
  for (const procedure of ['local-list', 'real-time'] as const) {
    const { server, checker } = await updated({ procedure, lists: ['own-32b'] });
    server.answers.push(refusal);
    const { verdict, reason, isAllowed, threats, matched, detail } = await checker.check(EVIL);
    assert.equal([verdict, reason, isAllowed, matched], ['unsafe', 'list', false, ['own-32b']]);
    const expiresAt = checker.nextUpdateAt;
    assert.equal(threats, [{ type: 'UNKNOWN', isFrameOnly: false, expression: 'evil.example/', expiresAt }]);
    assert.match(detail!, 'the server answered with the status 503');
    server.time += 25 * 3_600_000;
    server.answers.push(refusal);
    const stale = await checker.check(EVIL);
    assert.equal([stale.verdict, stale.reason, stale.matched], ['unsure', 'unsure: list-stale', ['own-32b']]);
  }
});

tests('a prefix is one where the list is trusted; otherwise the answer says what matched', async () => {
  const lists = ['own-8b', 'mw-4b'];
  const asked = async (url: string, trustedLists: readonly string[] = []) => {
    const { server, checker } = await updated({ lists, trustedLists, whenUnsure: 'allow' });
    server.answers.push(refusal);
    const { verdict, reason, isAllowed, matched } = await checker.check(url);
    return [verdict, reason, isAllowed, matched];
  };
  assert.equal(await asked(EVIL), ['unsure', 'unsure: status', true, lists]);
  assert.equal(await asked(EVIL, ['own-8b']), ['unsafe', 'list', false, lists]);
  assert.equal(await asked(GOOD, ['own-8b']), ['safe', 'list', true, []]);
});

const LOGIN = 'http://evil.example/login';
const FRAMED: Detail = { threatType: 1, attributes: [2] };

/** A checker whose server lists two expressions of one URL, each for something else. */
async function twice(procedure: Procedure, options: Partial<CheckerOptions> = {}) {
  const server = new ScriptedServer();
  server.listed.set('evil.example/login', [FRAMED]);
  server.listed.set('evil.example/', [PHISHING]);
  server.lists.set('mw-4b', [...server.listed.keys()]);
  const checker = server.checker({ procedure, ...options });
  await checker.update();
  return { server, checker };
}

/** Every listed expression of a URL counts: what one is listed for must not hide what another is. */
const threatsOf = ({ verdict, reason, threats, expression }: Answer) => [
  `${verdict}, ${reason}, ${expression}`,
  ...threats.map((each) => `${each.type}${each.isFrameOnly ? ' in frames' : ''}: ${each.expression}`),
];

const BOTH = ['MALWARE in frames: evil.example/login', 'SOCIAL_ENGINEERING: evil.example/'];

for (const procedure of ['local-list', 'real-time', 'no-storage'] as const) {
  tests(
    `${procedure}: the threats of all listed expressions are named, from the server and from the cache`,
    async () => {
      const { checker, server } = await twice(procedure);
      assert.equal(threatsOf(await checker.check(LOGIN)), ['unsafe, server, evil.example/login', ...BOTH]);
      const count = server.requests.length;
      assert.equal(threatsOf(await checker.check(LOGIN)), ['unsafe, cache, evil.example/login', ...BOTH]);
      assert.is(server.requests.length, count);
    },
  );

  tests(`${procedure}: after a cached hit the other expressions are still asked for`, async () => {
    const { checker, server } = await twice(procedure);
    await checker.check('http://evil.example/');
    assert.equal(threatsOf(await checker.check(LOGIN)), ['unsafe, server, evil.example/login', ...BOTH]);
    assert.equal(server.requests.slice(1), [[sha256('evil.example/login').toString('hex', 0, 4)]]);
  });

  tests(`${procedure}: where that request fails the URL is unsafe all the same, and the gap is told`, async () => {
    const { checker, server } = await twice(procedure);
    await checker.check('http://evil.example/');
    server.answers.push(refusal);
    const answer = await checker.check(LOGIN);
    assert.equal(threatsOf(answer), ['unsafe, cache, evil.example/', 'SOCIAL_ENGINEERING: evil.example/']);
    assert.is(answer.detail, 'the server answered with the status 503');
    assert.not(answer.isAllowed);
  });
}

tests('of several requests one may fail: what the others list is named, and the gap told', async () => {
  const { checker, server } = await twice('no-storage', { prefixesPerRequest: 1 });
  server.answers.push(refusal);
  const answer = await checker.check(LOGIN);
  assert.equal(threatsOf(answer), ['unsafe, server, evil.example/', 'SOCIAL_ENGINEERING: evil.example/']);
  assert.is(answer.detail, 'the server answered with the status 503');
});

tests('old lists do not say which other expressions are listed: the gap is told', async () => {
  const { checker, server } = await twice('local-list', { maxListAgeMs: 1000 });
  server.listed.delete('evil.example/login');
  server.time += 1001;
  const answer = await checker.check('http://www.evil.example/x');
  assert.is(answer.verdict, 'unsafe');
  assert.match(answer.detail!, /^the list mw-4b was last brought up to date at 2026-/);
});

tests('a hash that is there twice has the threats of both, each once', async () => {
  const { checker, server } = await twice('no-storage');
  const hash = sha256('evil.example/login');
  server.extra.push(fullHash(hash, [MALWARE, MALWARE]), fullHash(hash, [FRAMED, { threatType: 9 }]));
  assert.equal(threatsOf(await checker.check(LOGIN)), [
    'unsafe, server, evil.example/login',
    'MALWARE in frames: evil.example/login',
    'MALWARE: evil.example/login',
    'SOCIAL_ENGINEERING: evil.example/',
  ]);
});

tests('a hash without details is listed for what is not known, in frames or not', async () => {
  const { checker, server } = await twice('no-storage');
  server.listed.set('evil.example/', []);
  assert.equal(threatsOf(await checker.check(LOGIN)).slice(1), [
    'MALWARE in frames: evil.example/login',
    'UNKNOWN: evil.example/',
  ]);
});

tests('a finding holds, by the lists alone: until their next update', async () => {
  const { server, left } = await updated();
  assert.is(await left(GOOD), WAIT);
  server.time += 60_000;
  assert.is(await left(GOOD), WAIT - 60_000);
  server.time += WAIT;
  assert.is(await left(GOOD), 0, 'an update is due');
});

tests('a finding holds no longer than the lists are fresh', async () => {
  const { left } = await updated({ maxListAgeMs: 1000 });
  assert.is(await left(GOOD), 1000);
});

tests('a finding holds, during a back-off, until the server may be asked again', async () => {
  const { checker, server, left } = await updated();
  server.time += WAIT;
  server.listAnswers.push(refusal);
  await checker.update();
  assert.is(await left(GOOD), 15 * 60_000);
});

tests('a finding holds, by the server: as long as it says, a day at most, and no longer than the lists', async () => {
  for (const [seconds, local, remote] of [
    [300, 300_000, 300_000],
    [0, 0, 0],
    [86_400, WAIT, DAY],
    [1_000_000, WAIT, DAY],
  ] as const) {
    for (const isLocal of [true, false]) {
      const { server, left } = await updated(isLocal ? {} : { procedure: 'no-storage' });
      server.cacheDuration = duration(seconds);
      assert.is(await left(EVIL), isLocal ? local : remote);
    }
  }
});

tests('a finding holds, by the cache: what is left of the earlier answer', async () => {
  const { server, left } = await updated({ procedure: 'no-storage' });
  assert.is(await left(EVIL), 300_000);
  server.time += 100_000;
  assert.is(await left(EVIL), 200_000);
  assert.is(await left('http://evil.example/b'), 200_000, 'one expression is new, the other is not');
});

tests('each threat has the time of the answer that lists it', async () => {
  const { checker, server } = await updated({ procedure: 'no-storage' });
  server.listed.set('evil.example/', [MALWARE]);
  server.listed.set('evil.example/a', [MALWARE]);
  await checker.check('http://evil.example/');
  const first = server.time + 300_000;
  server.time += 100_000;
  const { threats, expiresAt } = await checker.check('http://evil.example/a');
  assert.equal(
    threats.map((threat) => [threat.expression, threat.expiresAt]),
    [
      ['evil.example/a', server.time + 300_000],
      ['evil.example/', first],
    ],
  );
  assert.is(expiresAt, first);
});

tests('a finding of real-time holds by the server, or by the lists for what is likely safe', async () => {
  const { server, left } = await updated(REAL_TIME);
  assert.is(await left(GOOD), 300_000);
  server.answers.push(refusal);
  server.time += 300_001;
  assert.is(await left(GOOD), WAIT - 300_001);
});

tests('an unsure answer holds for no time', async () => {
  const { server, left } = await updated();
  assert.is(await left('mailto:x'), 0);
  server.answers.push(refusal);
  assert.is(await left(EVIL), 0);
  server.time += 2 * DAY;
  assert.is(await left(GOOD), 0, 'a stale list');
});

tests.run();
