import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejectionOf } from '../../support/thrown.ts';
import { MALWARE, opened, refusal, ScriptedServer, shown } from './scripted-server.ts';
import { duration, searchResponse } from './search-response.ts';

const tests = suite('safe-browsing/check: SafeBrowsingChecker');

const EVIL = 'http://evil.example/a?b';

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

tests('URL objects are checked; what is not a URL is a TypeError, before anything is asked', async () => {
  const { server, checker } = opened();
  server.listed.set('evil.example/', [MALWARE]);
  const location = { href: EVIL, toString: () => EVIL };
  for (const url of [new URL(EVIL), location as URL]) {
    const answer = await checker.check(url);
    assert.equal([answer.url, answer.verdict], [EVIL, 'unsafe']);
  }
  const count = server.requests.length;
  for (const wrong of [undefined, null, 7, {}, { href: EVIL }, [EVIL], Symbol('x')]) {
    const told = await checker.check(wrong as never).catch(String);
    assert.match(String(told), /^TypeError: url must be a string, a URL or a Uint8Array, got /);
    const many = await checker.checkMany([EVIL, wrong as never]).catch(String);
    assert.match(String(many), /^TypeError: urls\[1\] must be a string, a URL or a Uint8Array, got /);
  }
  const moved = Buffer.from(Uint8Array.from(Buffer.from(EVIL)).buffer);
  structuredClone(moved.buffer, { transfer: [moved.buffer] });
  assert.match(String(await checker.check(moved).catch(String)), 'url must be in memory, got what was transferred');
  assert.is(server.requests.length, count);
});

tests('a status has the lists, the answers by verdict and by reason, and how many prefixes were sent', async () => {
  const server = new ScriptedServer();
  server.lists.set('mw-4b', ['evil.example/']);
  const checker = server.checker();
  assert.equal(checker.status().lists, [
    { name: 'mw-4b', size: 0, version: '', updatedAt: undefined, ageMs: undefined, isFresh: false, trouble: undefined },
  ]);
  const updatedAt = server.time;
  await checker.update();
  server.time += 60_000;
  server.answers.push(refusal);
  await checker.checkMany(['http://good.example/', 'http://www.evil.example/', 'mailto:x', 'http://evil.example/a']);
  const { lists, ...counts } = checker.status();
  const { version, ...list } = lists[0]!;
  assert.match(version, /^[0-9a-f]{32}$/);
  assert.equal(list, { name: 'mw-4b', size: 1, updatedAt, ageMs: 60_000, isFresh: true, trouble: undefined });
  assert.equal(counts, {
    verdicts: { safe: 1, unsafe: 0, unsure: 3 },
    answers: { list: 1, 'unsure: no-host': 1, 'unsure: status': 2 },
    prefixesSent: 1,
    nextUpdateAt: updatedAt + 1_800_000,
  });
  await checker.check('http://evil.example/');
  assert.is(checker.status().prefixesSent, 1, 'nothing is sent during the back-off');
  server.time += 86_400_000;
  assert.not.ok(checker.status().lists[0]!.isFresh);
});

tests('options and signals of the wrong kind are rejections that name them', async () => {
  const { checker } = opened();
  const any = (value: unknown) => value as never;
  for (const call of [
    (options: unknown) => checker.check('http://a.example/', any(options)),
    (options: unknown) => checker.checkMany(['http://a.example/'], any(options)),
    (options: unknown) => checker.update(any(options)),
  ])
    for (const [options, message] of [
      [null, 'TypeError: options must be an object, got null'],
      [5, 'TypeError: options must be an object, got number'],
      [{ signal: {} }, 'TypeError: signal must be an AbortSignal, got Object'],
      [{ signal: null }, 'TypeError: signal must be an AbortSignal, got null'],
      [{ signals: [] }, 'RangeError: options has no "signals", only signal'],
    ] as const) {
      const error = await rejectionOf(call(options));
      assert.is(`${error.name}: ${error.message}`, message);
    }
});

tests.run();
