// Lists that are held, and those of a store: how old they may be, and what becomes of damage and of silence.
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckerOptions, ListStore, SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { random } from '../../support/seed.ts';
import { MemoryStore } from './memory-store.ts';
import { MALWARE, ScriptedServer, shown } from './scripted-server.ts';

const tests = suite('safe-browsing/check: lists that are held');
const next = random();

const EVIL = 'http://evil.example/';
const GOOD = 'http://good.example/';
const LISTS = ['mw-4b', 'se-16b'];
const WAIT = 1_800_000;

let server: ScriptedServer;

tests.before.each(() => {
  server = new ScriptedServer();
  for (const name of LISTS) server.lists.set(name, ['evil.example/', 'other.example/']);
  server.listed.set('evil.example/', [MALWARE]);
});

const opened = (options: Partial<CheckerOptions> = {}) => server.checker({ lists: LISTS, ...options });
const statuses = async (checker: SafeBrowsingChecker) => (await checker.update()).map(({ status }) => status);

tests('old lists do not say that a URL is safe', async () => {
  const checker = opened();
  await checker.update();
  server.time += 86_400_000;
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
  server.time += 1;
  const { detail, reason } = await checker.check(GOOD);
  assert.is(reason, 'unsure: list-stale');
  assert.is(detail, 'the list mw-4b was last brought up to date at 2026-01-01T00:00:00.000Z');
  assert.is(shown(await checker.check(EVIL)), 'unsafe, server');
  assert.equal(await statuses(checker), ['unchanged', 'unchanged']);
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
});

tests('lists are kept by the store, with their times', async () => {
  const store = new MemoryStore();
  await opened({ store }).update();
  const checker = opened({ store });
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
  assert.equal(await statuses(checker), ['waiting', 'waiting']);
  assert.is(checker.nextUpdateAt, server.time + WAIT);
  assert.equal(server.listRequests, [0]);
  server.lists.set('mw-4b', ['other.example/']);
  server.time += WAIT;
  assert.equal(await statuses(opened({ store })), ['updated', 'unchanged']);
  assert.equal(await statuses(checker), ['updated', 'unchanged']);
  await opened({ store }).load();
});

tests('what the store has damaged is fetched anew', async () => {
  const store = new MemoryStore();
  await opened({ store }).update();
  const whole = store.kept.get('mw-4b')!;
  for (let damage = 0; damage < 60; damage++) {
    const bytes = Uint8Array.from(whole);
    bytes[damage < 30 ? damage * 2 : next(bytes.length)]! ^= 1 << next(8);
    store.kept.set('mw-4b', damage % 3 === 0 ? bytes.subarray(0, next(bytes.length)) : bytes);
    const checker = opened({ store });
    const { reason, detail } = await checker.check(GOOD);
    assert.is(reason, 'unsure: list-missing', `damage ${damage}`);
    assert.match(detail!, /^the list mw-4b could not be read from the store: /);
  }
  const checker = opened({ store });
  assert.equal(await statuses(checker), ['updated', 'waiting']);
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
});

tests('a check waits for a silent store as long as for the server, and a late list counts', async () => {
  const store = new MemoryStore();
  await opened({ store }).update();
  let answer = () => {};
  const silence = new Promise<void>((resolve) => (answer = resolve));
  const get = (name: string) => silence.then(() => store.get(name));
  const checker = opened({ store: { get, set: () => silence }, timeoutMs: 50 });
  for (const { detail } of await Promise.all([checker.check(GOOD), checker.check(GOOD)]))
    assert.is(detail, 'the list mw-4b could not be read from the store: it took more than 50 ms');
  await checker.load();
  assert.is(shown(await checker.check(GOOD)), 'unsure, unsure: list-missing');
  answer();
  await turn();
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
  assert.is(checker.status().lists[0]!.trouble, undefined);
});

tests('an update does not wait for a store that keeps nothing', async () => {
  const store: ListStore = { get: async () => undefined, set: () => new Promise(() => undefined) };
  const checker = opened({ store, updateTimeoutMs: 500 });
  const detail = 'the store did not keep the list: it took more than 500 ms';
  for (const report of await checker.update()) assert.equal([report.status, report.detail], ['updated', detail]);
  assert.is(checker.status().lists[0]!.trouble, detail);
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
});

tests('a store that keeps a list late is still said to have lost the newer one', async () => {
  let keep = () => {};
  const first = new Promise<void>((resolve) => (keep = resolve));
  const kept = [first, Promise.reject(new Error('no room'))];
  kept[1]!.catch(() => undefined);
  const store: ListStore = { get: async () => undefined, set: () => kept.shift()! };
  const checker = opened({ store, lists: ['mw-4b'], updateTimeoutMs: 50 });
  await checker.update();
  server.time += WAIT;
  await checker.update();
  keep();
  await turn();
  assert.is(checker.status().lists[0]!.trouble, 'the store did not keep the list: an error');
});

tests('a store that fails is reported, and no answer is lost', async () => {
  const full = Object.assign(new Error('no room for secret-key'), { code: 'ENOSPC' });
  const checker = opened({ store: { get: () => Promise.reject(full), set: () => Promise.reject(full) } });
  const { detail } = await checker.check(GOOD);
  assert.is(detail, 'the list mw-4b could not be read from the store: ENOSPC');
  for (const report of await checker.update()) {
    assert.is(report.status, 'updated');
    assert.is(report.detail, 'the store did not keep the list: ENOSPC');
  }
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
});

tests.run();
