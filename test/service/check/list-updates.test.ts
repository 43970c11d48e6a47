// Lists over real HTTP, from the example server and through a proxy that spoils its answers.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CheckerOptions, type ListStore, SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { SharedWork } from '../../../src/service/check/list-updates.ts';
import { cases, random } from '../../support/seed.ts';
import { ServedLists } from '../http/served-lists.ts';
import { FaultyProxy } from './faulty-proxy.ts';

const tests = suite('safe-browsing/check: list updates');
const next = random();

const MALWARE = 'http://evil.example/a?b';
const PHISHING = 'http://login.example/';
const GOOD = 'http://good.example/';
const others = Array.from({ length: 199 }, (_, row) => `http://other${row}.example/x`);
const FIRST = { 'mw-4b': [MALWARE, ...others], 'se-16b': [PHISHING, ...others] };

let server: ServedLists;
let proxy: FaultyProxy;
let time: number;
let paths: string[];

tests.before(async () => {
  server = await ServedLists.start(FIRST);
  proxy = await FaultyProxy.start(server.url);
});
tests.before.each(async () => {
  for (const [name, urls] of Object.entries(FIRST)) await server.write(name, urls);
  time = Date.UTC(2026, 0, 1);
  paths = [];
  proxy.fault = (path) => void paths.push(path);
  proxy.rewriteLists = (body) => body;
});
tests.after(async () => {
  await proxy.stop();
  await server.stop();
});

function opened(options: Partial<CheckerOptions> = {}): SafeBrowsingChecker {
  return new SafeBrowsingChecker({
    server: proxy.url,
    procedure: 'local-list',
    whenUnsure: 'block',
    lists: ['mw-4b', 'se-16b'],
    now: () => time,
    random: () => 0,
    ...options,
  });
}

const shown = ({ verdict, reason }: { verdict: string; reason: string }) => `${verdict}, ${reason}`;
const statuses = async (checker: SafeBrowsingChecker) => (await checker.update()).map(({ status }) => status);
const WAIT = 1_800_000;

/** A store in memory. */
class MemoryStore implements ListStore {
  readonly kept = new Map<string, Uint8Array>();
  async get(name: string): Promise<Uint8Array | undefined> {
    return this.kept.get(name);
  }
  async set(name: string, bytes: Uint8Array): Promise<void> {
    this.kept.set(name, bytes);
  }
}

tests(
  'without its lists the checker is unsure; with them it asks the server for what may be listed alone',
  async () => {
    const checker = opened();
    const before = await checker.check(GOOD);
    assert.is(shown(before), 'unsure, unsure: list-missing');
    assert.is(before.detail, 'the list mw-4b has not been fetched');
    assert.is(checker.nextUpdateAt, time);
    assert.equal(await checker.update(), [
      { name: 'mw-4b', status: 'updated', detail: undefined, cause: undefined, size: 200 },
      { name: 'se-16b', status: 'updated', detail: undefined, cause: undefined, size: 200 },
    ]);
    paths.length = 0;
    const answers = await checker.checkMany([GOOD, MALWARE, PHISHING, 'http://evil.example/a']);
    assert.equal(answers.map(shown), ['safe, list', 'unsafe, server', 'unsafe, server', 'safe, list']);
    assert.equal(
      answers.map(({ threats }) => threats[0]?.type),
      [undefined, 'MALWARE', 'SOCIAL_ENGINEERING', undefined],
    );
    assert.is(new URLSearchParams(paths[0]!.replace(/.*\?/, '')).getAll('hashPrefixes').length, 2);
    assert.equal((await checker.checkMany([MALWARE, GOOD])).map(shown), ['unsafe, cache', 'safe, list']);
    assert.is(paths.length, 1);
  },
);

tests('lists are fetched again when the server lets them, and then only what has changed', async () => {
  const checker = opened();
  let byteLength = 0;
  proxy.rewriteLists = (body) => {
    byteLength = body.length;
    return body;
  };
  await checker.update();
  assert.not.match(paths.at(-1)!, 'version=');
  const wholeLength = byteLength;
  assert.is(checker.nextUpdateAt, time + WAIT);
  assert.equal(await statuses(checker), ['waiting', 'waiting']);
  time += WAIT;
  assert.equal(await statuses(checker), ['unchanged', 'unchanged']);
  assert.is(paths.length, 2);
  await server.write('mw-4b', [...others, 'http://new.example/']);
  time += WAIT;
  assert.equal(await statuses(checker), ['updated', 'unchanged']);
  assert.ok(byteLength < wholeLength / 4, `${byteLength} of ${wholeLength} bytes`);
  assert.is(new URLSearchParams(paths.at(-1)!.replace(/.*\?/, '')).getAll('version').length, 2);
  const answers = await checker.checkMany([MALWARE, 'http://new.example/', PHISHING]);
  assert.equal(answers.map(shown), ['safe, list', 'unsafe, server', 'unsafe, server']);
});

tests('updates at the same time are one', async () => {
  const checker = opened();
  const [one, other] = await Promise.all([checker.update(), checker.update()]);
  assert.is(one, other);
  assert.is(paths.length, 1);
});

tests('an update with a wrong checksum leaves the list as it is, and the next is of the whole list', async () => {
  const checker = opened();
  await checker.update();
  await server.write('mw-4b', [...others, 'http://new.example/']);
  time += WAIT;
  proxy.rewriteLists = withAnotherChecksum;
  const [malware, phishing] = await checker.update();
  assert.is(malware!.status, 'failed');
  assert.match(malware!.detail!, /^checksum: the SHA-256 of the 200 prefixes is \w{64}, not \w{64}$/);
  assert.is(malware!.size, 200);
  assert.is(phishing!.status, 'unchanged');
  // what is on the old list still is asked for, and what is new is not
  assert.equal((await checker.checkMany([MALWARE, 'http://new.example/'])).map(shown), ['safe, server', 'safe, list']);
  proxy.rewriteLists = (body) => body;
  assert.equal(await statuses(checker), ['waiting', 'waiting']);
  time += 60_000;
  paths.length = 0;
  assert.equal(await statuses(checker), ['updated', 'waiting']);
  assert.is(paths[0], '/v5/hashLists:batchGet?names=mw-4b');
  assert.is(shown(await checker.check('http://new.example/')), 'unsafe, server');
});

/** Changes the checksum of the first list, which is the last field of 34 bytes before the next list. */
function withAnotherChecksum(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  changed[changed.indexOf(Buffer.of(0x3a, 32)) + 2]! ^= 1;
  return changed;
}

tests('an update of an older version is refused, and so is a change where the whole list was asked for', async () => {
  const checker = opened();
  await checker.update();
  const bodies: Buffer[] = [];
  proxy.rewriteLists = (body) => {
    bodies.push(body);
    return body;
  };
  for (const url of ['http://one.example/', 'http://two.example/']) {
    await server.write('mw-4b', [...others, url]);
    time += WAIT;
    assert.equal(await statuses(checker), ['updated', 'unchanged']);
  }
  time += WAIT;
  proxy.rewriteLists = () => bodies[0]!;
  assert.equal(await statuses(checker), ['failed', 'unchanged']);
  assert.is(shown(await checker.check('http://two.example/')), 'unsafe, server');
  const reports = await opened().update();
  for (const { status, detail } of reports) {
    assert.is(`${status}: ${detail}`, 'failed: the list was asked for whole, and the answer is a partial update');
  }
});

tests('a damaged or cut answer never makes a wrong list', async () => {
  const counts: Record<string, number> = {};
  for (let damage = 0; damage < cases(40); damage++) {
    const checker = opened({ backOff: { unansweredMs: 0 } });
    await checker.update();
    await server.write('mw-4b', [...others, 'http://new.example/', 'http://new.example/2']);
    time += WAIT;
    proxy.rewriteLists = (body) => damaged(body);
    const { status, size } = (await checker.update())[0]!;
    counts[status] = (counts[status] ?? 0) + 1;
    proxy.rewriteLists = (body) => body;
    // the old list or the new one: a damaged wait has a round after it, which may fail when the list is new already
    assert.ok(size === 201 || (size === 200 && status === 'failed'), `damage ${damage}: ${status}, ${size}`);
    const answers = (await checker.checkMany([MALWARE, 'http://new.example/', GOOD])).map(({ verdict }) => verdict);
    // the search tells the truth of the new list; MALWARE is off it
    assert.equal(answers, ['safe', size === 201 ? 'unsafe' : 'safe', 'safe'], `damage ${damage}`);
    await server.write('mw-4b', FIRST['mw-4b']);
  }
  assert.ok(counts['failed']! > 12, JSON.stringify(counts));
});

function damaged(body: Buffer): Buffer {
  if (next(3) === 0) return body.subarray(0, next(body.length));
  const changed = Buffer.from(body);
  for (let bytes = 1 + next(3); bytes > 0; bytes--) changed[next(changed.length)]! ^= 1 << next(8);
  return changed;
}

tests('a server that fails leaves the lists as they are, and is left alone', async () => {
  const checker = opened();
  await checker.update();
  time += WAIT;
  proxy.fault = (path) => {
    paths.push(path);
    return 'status 500';
  };
  const [report] = await checker.update();
  assert.is(report!.status, 'failed');
  assert.is(report!.detail, 'the server answered with the status 500');
  assert.is(checker.nextUpdateAt, time + 15 * 60_000);
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
  const count = paths.length;
  time += 15 * 60_000 - 1;
  assert.match((await checker.update())[0]!.detail!, 'the server is left alone until 2026-');
  assert.is(paths.length, count);
  time += 1;
  proxy.fault = () => undefined;
  assert.equal(await statuses(checker), ['unchanged', 'unchanged']);
});

tests('old lists do not say that a URL is safe', async () => {
  const checker = opened();
  await checker.update();
  time += 86_400_000;
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
  time += 1;
  const { detail, reason } = await checker.check(GOOD);
  assert.is(reason, 'unsure: list-stale');
  assert.is(detail, 'the list mw-4b was last brought up to date at 2026-01-01T00:00:00.000Z');
  assert.is(shown(await checker.check(MALWARE)), 'unsafe, server');
  assert.equal(await statuses(checker), ['unchanged', 'unchanged']);
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
});

tests('lists are kept by the store, with their times', async () => {
  const store = new MemoryStore();
  await opened({ store }).update();
  paths.length = 0;
  const checker = opened({ store });
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
  assert.equal(await statuses(checker), ['waiting', 'waiting']);
  assert.is(checker.nextUpdateAt, time + WAIT);
  assert.is(paths.length, 0);
  await server.write('mw-4b', others);
  time += WAIT;
  assert.equal(await statuses(opened({ store })), ['updated', 'unchanged']);
  assert.equal(await statuses(checker), ['updated', 'unchanged']);
  await opened({ store }).load();
});

tests('load reads what another checker has kept', async () => {
  const store = new MemoryStore();
  const [writer, reader] = [opened({ store }), opened({ store })];
  assert.is(shown(await reader.check(GOOD)), 'unsure, unsure: list-missing');
  await writer.update();
  assert.is(shown(await reader.check(GOOD)), 'unsure, unsure: list-missing');
  await reader.load();
  assert.is(shown(await reader.check(GOOD)), 'safe, list');
});

tests('a store that has something older, or another list, does not take a list back', async () => {
  const store = new MemoryStore();
  await opened({ store }).update();
  const older = new Map(store.kept);
  await server.write('mw-4b', others);
  time += WAIT;
  const checker = opened({ store });
  assert.equal(await statuses(checker), ['updated', 'unchanged']);
  store.kept.set('mw-4b', older.get('mw-4b')!);
  await checker.load();
  assert.equal((await checker.update())[0]!.size, 199);
  store.kept.set('mw-4b', older.get('se-16b')!);
  const { detail } = await opened({ store }).check(GOOD);
  assert.is(detail, 'the list mw-4b could not be read from the store: name: it is the list se-16b');
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
  await new Promise((resolve) => setImmediate(resolve));
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
  time += WAIT;
  await checker.update();
  keep();
  await new Promise((resolve) => setImmediate(resolve));
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

tests('callers share what is under way, and the next one starts it again', async () => {
  let count = 0;
  const work = new SharedWork(async () => ++count, Date.now, 1000);
  assert.equal(await Promise.all([work.run(), work.run()]), [1, 1]);
  assert.is(await work.run(), 2);
});

tests('what failed is not shared with later callers', async () => {
  let count = 0;
  const start = () => (++count === 1 ? Promise.reject(new Error('once')) : Promise.resolve(count));
  const work = new SharedWork(start, Date.now, 1000);
  for (const shared of [work.run(), work.run()]) {
    assert.is(await shared.catch((error: Error) => error.message), 'once');
  }
  assert.is(await work.run(), 2);
});

tests('what never ends is started again when it is old, and its end changes nothing then', async () => {
  let time = 0;
  const ends: ((value: string) => void)[] = [];
  const work = new SharedWork(
    () => new Promise<string>((resolve) => ends.push(resolve)),
    () => time,
    1000,
  );
  const lost = work.run();
  time = 1000;
  assert.is(work.run(), lost);
  time = 1001;
  const second = work.run();
  assert.is.not(second, lost);
  ends[0]!('late');
  await lost;
  assert.is(work.run(), second);
  ends[1]!('in time');
  assert.is(await second, 'in time');
});

tests.run();
