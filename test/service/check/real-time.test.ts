// The real-time procedure over real HTTP: the Global Cache, the server, and the lists where neither answers.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CheckerOptions, SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { ServedLists } from '../http/served-lists.ts';
import { FaultyProxy } from './faulty-proxy.ts';

const tests = suite('safe-browsing/check: real-time');

const EVIL = 'http://evil.example/';
const NEW = 'http://new.example/';
const LIKELY_SAFE = 'http://popular.example/';
const HACKED = 'http://popular.example/hacked';
const LISTS = { 'mw-4b': [EVIL, HACKED], 'gc-32b': [LIKELY_SAFE] };

let server: ServedLists;
let proxy: FaultyProxy;
let searchCount: number;

tests.before(async () => {
  server = await ServedLists.start(LISTS);
  proxy = await FaultyProxy.start(server.url);
});
tests.before.each(async () => {
  await server.write('mw-4b', LISTS['mw-4b']);
  searchCount = 0;
  proxy.fault = (path) => {
    if (path.includes('hashes:search')) searchCount++;
    return undefined;
  };
});
tests.after(async () => {
  await proxy.stop();
  await server.stop();
});

function opened(options: Partial<CheckerOptions> = {}): SafeBrowsingChecker {
  return new SafeBrowsingChecker({
    server: proxy.url,
    procedure: 'real-time',
    whenUnsure: 'allow',
    lists: ['mw-4b'],
    globalCache: 'gc-32b',
    ...options,
  });
}

async function updated(options: Partial<CheckerOptions> = {}): Promise<SafeBrowsingChecker> {
  const checker = opened(options);
  await checker.update();
  return checker;
}

const shown = ({ verdict, reason }: { verdict: string; reason: string }) => `${verdict}, ${reason}`;

tests('what is likely safe is looked up in the lists alone, all else at the server', async () => {
  const checker = await updated();
  assert.is(shown(await checker.check(LIKELY_SAFE)), 'safe, list');
  assert.is(shown(await checker.check('http://popular.example/any/page')), 'safe, list');
  assert.is(searchCount, 0);
  assert.is(shown(await checker.check(HACKED)), 'unsafe, server');
  assert.is(shown(await checker.check(EVIL)), 'unsafe, server');
  assert.is(shown(await checker.check('http://good.example/')), 'safe, server');
  assert.is(searchCount, 3);
});

tests('what is newer than the lists is found', async () => {
  const checker = await updated();
  await server.write('mw-4b', [NEW]);
  assert.is(shown(await checker.check(NEW)), 'unsafe, server');
});

tests('where the server fails, the lists answer, and the answer says so', async () => {
  const checker = await updated();
  proxy.fault = () => 'status 500';
  const answer = await checker.check('http://good.example/');
  assert.is(shown(answer), 'safe, list');
  assert.is(answer.detail, 'the server answered with the status 500');
  const evil = await checker.check(EVIL);
  assert.is(shown(evil), 'unsure, unsure: back-off');
  assert.is(evil.isAllowed, true);
});

tests('without the Global Cache the server is asked; without lists and server there is no answer', async () => {
  const checker = opened();
  assert.is(shown(await checker.check(LIKELY_SAFE)), 'safe, server');
  proxy.fault = () => 'status 500';
  assert.is(shown(await checker.check('http://good.example/')), 'unsure, unsure: list-missing');
});

tests('an old Global Cache does not keep a URL from the server', async () => {
  let time = Date.now();
  const checker = await updated({ now: () => time, maxListAgeMs: 3_600_000 });
  time += 3_600_001;
  assert.is(shown(await checker.check(LIKELY_SAFE)), 'safe, server');
});

tests.run();
