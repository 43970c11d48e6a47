// start, stop and status, by timers of the test's.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type AbortSource,
  type CheckerOptions,
  type ListReport,
  type ListStore,
  SafeBrowsingChecker,
} from '../../../src/entries/safe-browsing/check.ts';
import { errorOf, rejectionOf } from '../../support/thrown.ts';
import { ListService } from './list-service.ts';

const tests = suite('safe-browsing/check: start, stop, status');

let service: ListService;
/** The timers that are set: what they call, and after how many milliseconds. */
let timers: { readonly call: () => void; readonly ms: number }[];
const { setTimeout: hostSetTimeout, clearTimeout: hostClearTimeout } = globalThis;

tests.before.each(() => {
  service = new ListService();
  service.lists.set('mw-4b', ['evil.example/']);
  timers = [];
  globalThis.setTimeout = ((call: () => void, ms: number) => {
    const timer = { call, ms };
    timers.push(timer);
    return timer;
  }) as unknown as typeof setTimeout;
  globalThis.clearTimeout = ((timer: (typeof timers)[number] | undefined) => {
    timers = timers.filter((each) => each !== timer);
  }) as unknown as typeof clearTimeout;
});
tests.after.each(() => {
  globalThis.setTimeout = hostSetTimeout;
  globalThis.clearTimeout = hostClearTimeout;
});

function opened(options: Partial<CheckerOptions> = {}): SafeBrowsingChecker {
  return new SafeBrowsingChecker({
    server: 'http://127.0.0.1/v5/',
    procedure: 'local-list',
    whenUnsure: 'block',
    lists: ['mw-4b'],
    fetch: service.fetch,
    now: service.now,
    random: () => 0,
    ...options,
  });
}

/** Starts a checker whose updates can be awaited one by one. */
function started(checker: SafeBrowsingChecker) {
  const updates: (readonly ListReport[])[] = [];
  checker.start({ onUpdate: (reports) => updates.push(reports) });
  /** Lets what is under way end: it never takes more turns of the event loop than this. */
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Moves the clock and fires the timer that is set. */
  const after = async (ms: number) => {
    const { call } = timers.pop()!;
    service.time += ms;
    call();
    await settled();
  };
  return { updates, settled, after };
}

tests('the first update is at once, the next when the server says, by timers of five minutes at most', async () => {
  const checker = opened();
  const { updates, settled, after } = started(checker);
  checker.start(); // a second time changes nothing but who is told
  await settled();
  assert.is(updates.length, 0, 'the second start has no listener');
  assert.equal(
    timers.map(({ ms }) => ms),
    [300_000],
  );
  const { updates: told } = started(checker);
  await after(300_000);
  assert.is(service.requests.length, 1, 'it is not due yet');
  await after(1_500_000);
  assert.equal(
    told.map(([report]) => report!.status),
    ['unchanged'],
  );
  await checker.stop();
  assert.equal(timers, []);
});

tests('a server that has always more to send is asked once in a second', async () => {
  service.waitMs = 0;
  const checker = opened();
  const { settled } = started(checker);
  await settled();
  assert.is(service.requests.length, 32);
  assert.equal(
    timers.map(({ ms }) => ms),
    [1000],
  );
  await checker.stop();
});

tests('a failing server is left alone as long as the back-off says, and the lists stay', async () => {
  const checker = opened();
  const { updates, settled, after } = started(checker);
  await settled();
  service.fault = async () => new Response(null, { status: 503 });
  await after(1_800_000);
  assert.equal(
    updates.map(([report]) => report!.status),
    ['updated', 'failed'],
  );
  assert.is(checker.nextUpdateAt, service.time + 15 * 60_000);
  assert.is((await checker.check('http://good.example/')).reason, 'list');
  await after(15 * 60_000);
  assert.is(updates.at(-1)![0]!.status, 'unchanged');
  await checker.stop();
});

tests('stop waits for the update that is under way, and no timer is set after it', async () => {
  const checker = opened();
  let answer: (response: Response) => void;
  service.fault = () => new Promise((resolve) => (answer = resolve));
  const { updates, settled } = started(checker);
  await settled();
  let isStopped = false;
  const stopping = checker.stop().then(() => {
    isStopped = true;
  });
  await settled();
  assert.not.ok(isStopped);
  answer!(new Response(null, { status: 503 }));
  await stopping;
  assert.is(updates.length, 1);
  assert.equal(
    timers.filter(({ ms }) => ms !== 5000),
    [],
    'but for the time-out of the request',
  );
});

/** A store in memory that counts its locks, and waits for one as long as another has it. */
class LockedStore implements ListStore {
  readonly kept = new Map<string, Uint8Array>();
  heldCount = 0;
  isElsewhere = false;
  async get(name: string): Promise<Uint8Array | undefined> {
    return this.kept.get(name);
  }
  async set(name: string, bytes: Uint8Array): Promise<void> {
    this.kept.set(name, bytes);
  }
  async lock({ signal }: { signal?: AbortSource | undefined } = {}): Promise<() => Promise<void>> {
    if (this.isElsewhere)
      await new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
    this.heldCount++;
    return async () => {
      this.heldCount--;
    };
  }
}

const silence = new Promise<never>(() => {});

tests('stop with a signal aborts an update at each of its steps, and the next update goes on', async () => {
  const silences: readonly ((store: LockedStore) => void)[] = [
    () => (service.fault = () => silence),
    () => (service.fault = async () => new Response(new ReadableStream())), // a body that does not come
    (store) => (store.isElsewhere = true),
    () => undefined, // it is not silent, and may end first
  ];
  for (const beSilent of silences) {
    for (let turns = 0; turns < 12; turns++) {
      service.fault = undefined;
      const store = new LockedStore();
      const checker = opened({ store, lists: ['mw-4b'] });
      beSilent(store);
      const told: unknown[] = [];
      checker.start({ onUpdate: (reports) => told.push(reports) });
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      await checker.stop({ signal: AbortSignal.abort() });
      const isWhole = checker.status().lists[0]!.version !== '';
      assert.is(store.heldCount, 0);
      assert.is(store.kept.size, isWhole ? 1 : 0);
      assert.is(checker.nextUpdateAt, service.time + (isWhole ? service.waitMs : 0), 'no back-off');
      assert.ok(told.length === 0 || isWhole, 'nobody is told of an update that was aborted');
      service.fault = undefined;
      store.isElsewhere = false;
      assert.is((await checker.update())[0]!.status, isWhole ? 'waiting' : 'updated');
    }
  }
});

tests('a signal may abort later, and what `update` shares with the background is aborted, too', async () => {
  const checker = opened();
  service.fault = () => silence;
  const { updates, settled } = started(checker);
  const update = checker.update();
  await settled();
  const controller = new AbortController();
  const stopping = checker.stop({ signal: controller.signal });
  await settled();
  controller.abort();
  await stopping;
  const stopped = { name: 'mw-4b', status: 'failed', detail: 'the request was stopped', cause: 'network', size: 0 };
  assert.equal(await update, [stopped]);
  assert.equal(updates, []);
  assert.is(await checker.stop(), undefined);
});

tests('a status has the lists, the answers by verdict and by reason, and how many prefixes were sent', async () => {
  const checker = opened();
  assert.equal(checker.status().lists, [
    { name: 'mw-4b', size: 0, version: '', updatedAt: undefined, ageMs: undefined, isFresh: false, trouble: undefined },
  ]);
  const updatedAt = service.time;
  await checker.update();
  service.time += 60_000;
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
  service.time += 86_400_000;
  assert.not.ok(checker.status().lists[0]!.isFresh);
});

tests('arguments', async () => {
  assert.match(
    String(errorOf(() => opened().start({ onUpdate: 1 } as never))),
    /TypeError: onUpdate must be a function/,
  );
  assert.match(
    String(errorOf(() => opened().start({ onupdate() {} } as never))),
    /RangeError: options has no "onupdate"/,
  );
  assert.match(String(await rejectionOf(opened().stop({ signal: 1 } as never))), /TypeError: signal must be an Abort/);
});

tests.run();
