// Every listed expression of a URL counts: what one is listed for must not hide what another is.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Answer,
  type CheckerOptions,
  type Procedure,
  SafeBrowsingChecker,
} from '../../../src/entries/safe-browsing/check.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE, HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { MALWARE, ScriptedServer, sha256 } from './scripted-server.ts';
import { type Detail, fullHash } from './search-response.ts';

const tests = suite('safe-browsing/check: threats of all expressions');

const URL = 'http://evil.example/login';
const FRAMED: Detail = { threatType: 1, attributes: [2] };
const PHISHING: Detail = { threatType: 2 };

async function opened(
  procedure: Procedure,
  options: Partial<CheckerOptions> = {},
): Promise<{ server: ScriptedServer; checker: SafeBrowsingChecker }> {
  const server = new ScriptedServer();
  server.listed.set('evil.example/login', [FRAMED]);
  server.listed.set('evil.example/', [PHISHING]);
  const prefixes = Buffer.concat([...server.listed.keys()].map((each) => sha256(each).subarray(0, 4)));
  const list = BATCH_GET_HASH_LISTS_RESPONSE.encode([HashList.from(prefixes, 4, { name: 'mw-4b' }).toUpdate()]);
  const checker = new SafeBrowsingChecker({
    server: 'http://127.0.0.1:9/v5/',
    procedure,
    whenUnsure: 'allow',
    ...(procedure === 'no-storage' ? {} : { lists: ['mw-4b'] }),
    fetch: (url, init) => (url.includes('hashLists') ? Promise.resolve(new Response(list)) : server.fetch(url, init)),
    now: server.now,
    random: () => 0,
    ...options,
  });
  await checker.update();
  return { server, checker };
}

const shown = ({ verdict, reason, threats, expression }: Answer) => [
  `${verdict}, ${reason}, ${expression}`,
  ...threats.map((each) => `${each.type}${each.isFrameOnly ? ' in frames' : ''}: ${each.expression}`),
];

const BOTH = ['MALWARE in frames: evil.example/login', 'SOCIAL_ENGINEERING: evil.example/'];

for (const procedure of ['local-list', 'real-time', 'no-storage'] as const) {
  tests(
    `${procedure}: the threats of all listed expressions are named, from the server and from the cache`,
    async () => {
      const { checker, server } = await opened(procedure);
      assert.equal(shown(await checker.check(URL)), ['unsafe, server, evil.example/login', ...BOTH]);
      const count = server.requests.length;
      assert.equal(shown(await checker.check(URL)), ['unsafe, cache, evil.example/login', ...BOTH]);
      assert.is(server.requests.length, count);
    },
  );

  tests(`${procedure}: after a cached hit the other expressions are still asked for`, async () => {
    const { checker, server } = await opened(procedure);
    await checker.check('http://evil.example/');
    assert.equal(shown(await checker.check(URL)), ['unsafe, server, evil.example/login', ...BOTH]);
    assert.equal(server.requests.slice(1), [[sha256('evil.example/login').toString('hex', 0, 4)]]);
  });

  tests(`${procedure}: where that request fails the URL is unsafe all the same, and the gap is told`, async () => {
    const { checker, server } = await opened(procedure);
    await checker.check('http://evil.example/');
    server.answers.push(() => new Response(null, { status: 500 }));
    const answer = await checker.check(URL);
    assert.equal(shown(answer), ['unsafe, cache, evil.example/', 'SOCIAL_ENGINEERING: evil.example/']);
    assert.is(answer.detail, 'the server answered with the status 500');
    assert.not(answer.isAllowed);
  });
}

tests('of several requests one may fail: what the others list is named, and the gap told', async () => {
  const { checker, server } = await opened('no-storage', { prefixesPerRequest: 1 });
  server.answers.push(() => new Response(null, { status: 500 }));
  const answer = await checker.check(URL);
  assert.equal(shown(answer), ['unsafe, server, evil.example/', 'SOCIAL_ENGINEERING: evil.example/']);
  assert.is(answer.detail, 'the server answered with the status 500');
});

tests('old lists do not say which other expressions are listed: the gap is told', async () => {
  const { checker, server } = await opened('local-list', { maxListAgeMs: 1000 });
  server.listed.delete('evil.example/login');
  server.time += 1001;
  const answer = await checker.check('http://www.evil.example/x');
  assert.is(answer.verdict, 'unsafe');
  assert.match(answer.detail!, /^the list mw-4b was last brought up to date at 2026-/);
});

tests('a hash that is there twice has the threats of both, each once', async () => {
  const { checker, server } = await opened('no-storage');
  const hash = sha256('evil.example/login');
  server.extra.push(fullHash(hash, [MALWARE, MALWARE]), fullHash(hash, [FRAMED, { threatType: 9 }]));
  assert.equal(shown(await checker.check(URL)), [
    'unsafe, server, evil.example/login',
    'MALWARE in frames: evil.example/login',
    'MALWARE: evil.example/login',
    'SOCIAL_ENGINEERING: evil.example/',
  ]);
});

tests('a hash without details is listed for what is not known, in frames or not', async () => {
  const { checker, server } = await opened('no-storage');
  server.listed.set('evil.example/', []);
  assert.equal(shown(await checker.check(URL)).slice(1), [
    'MALWARE in frames: evil.example/login',
    'UNKNOWN: evil.example/',
  ]);
});

tests.run();
