// start and stop, by timers of the test's.
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AbortSource, ListReport, SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { errorOf, rejectionOf } from '../../support/thrown.ts';
import { MemoryStore } from './memory-store.ts';
import { refusal, ScriptedServer } from './scripted-server.ts';

const tests = suite('safe-browsing/check: start and stop');

let server: ScriptedServer;
/** The timers that are set: what they call, and after how many milliseconds. */
let timers: { readonly call: () => void; readonly ms: number }[];
const { setTimeout: hostSetTimeout, clearTimeout: hostClearTimeout } = globalThis;

tests.before.each(() => {
  server = new ScriptedServer();
  server.lists.set('mw-4b', ['evil.example/']);
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

/** Starts a checker whose updates can be awaited one by one. */
function started(checker: SafeBrowsingChecker) {
  const updates: (readonly ListReport[])[] = [];
  checker.start({ onUpdate: (reports) => updates.push(reports) });
  /** Lets what is under way end: it never takes more turns of the event loop than this. */
  const settled = async () => {
    for (let left = 20; left > 0; left--) await turn();
  };
  /** Moves the clock and fires the timer that is set. */
  const after = async (ms: number) => {
    const { call } = timers.pop()!;
    server.time += ms;
    call();
    await settled();
  };
  return { updates, settled, after };
}

tests('the first update is at once, the next when the server says, by timers of five minutes at most', async () => {
  const checker = server.checker();
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
  assert.is(server.listRequests.length, 1, 'it is not due yet');
  await after(1_500_000);
  assert.equal(
    told.map(([report]) => report!.status),
    ['unchanged'],
  );
  await checker.stop();
  assert.equal(timers, []);
});

tests('a server that has always more to send is asked once in a second', async () => {
  server.waitMs = 0;
  const checker = server.checker();
  const { settled } = started(checker);
  await settled();
  assert.is(server.listRequests.length, 32);
  assert.equal(
    timers.map(({ ms }) => ms),
    [1000],
  );
  await checker.stop();
});

tests('a failing server is left alone as long as the back-off says, and the lists stay', async () => {
  const checker = server.checker();
  const { updates, settled, after } = started(checker);
  await settled();
  server.listAnswers.push(refusal);
  await after(1_800_000);
  assert.equal(
    updates.map(([report]) => report!.status),
    ['updated', 'failed'],
  );
  assert.is(checker.nextUpdateAt, server.time + 15 * 60_000);
  assert.is((await checker.check('http://good.example/')).reason, 'list');
  await after(15 * 60_000);
  assert.is(updates.at(-1)![0]!.status, 'unchanged');
  await checker.stop();
});

tests('stop waits for the update that is under way, and no timer is set after it', async () => {
  const checker = server.checker();
  let answer: (response: Response) => void;
  server.listAnswers.push(() => new Promise((resolve) => (answer = resolve)));
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

/** A store that counts its locks, and waits for one as long as another has it. */
class LockedStore extends MemoryStore {
  heldCount = 0;
  isElsewhere = false;
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
  const silences: readonly ((store: LockedStore) => unknown)[] = [
    () => server.listAnswers.push(() => silence),
    () => server.listAnswers.push(() => new Response(new ReadableStream())), // a body that does not come
    (store) => (store.isElsewhere = true),
    () => undefined, // it is not silent, and may end first
  ];
  for (const beSilent of silences) {
    for (let turns = 0; turns < 12; turns++) {
      server.listAnswers.length = 0;
      const store = new LockedStore();
      const checker = server.checker({ store });
      beSilent(store);
      const told: unknown[] = [];
      checker.start({ onUpdate: (reports) => told.push(reports) });
      for (let left = turns; left > 0; left--) await turn();
      await checker.stop({ signal: AbortSignal.abort() });
      const isWhole = checker.status().lists[0]!.version !== '';
      assert.is(store.heldCount, 0);
      assert.is(store.kept.size, isWhole ? 1 : 0);
      assert.is(checker.nextUpdateAt, server.time + (isWhole ? server.waitMs : 0), 'no back-off');
      assert.ok(told.length === 0 || isWhole, 'nobody is told of an update that was aborted');
      server.listAnswers.length = 0;
      store.isElsewhere = false;
      assert.is((await checker.update())[0]!.status, isWhole ? 'waiting' : 'updated');
    }
  }
});

tests('a signal may abort later, and what `update` shares with the background is aborted, too', async () => {
  const checker = server.checker();
  server.listAnswers.push(() => silence);
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

tests('arguments', async () => {
  assert.match(
    String(errorOf(() => server.checker().start({ onUpdate: 1 } as never))),
    /TypeError: onUpdate must be a function/,
  );
  assert.match(
    String(errorOf(() => server.checker().start({ onupdate() {} } as never))),
    /RangeError: options has no "onupdate"/,
  );
  assert.match(
    String(await rejectionOf(server.checker().stop({ signal: 1 } as never))),
    /TypeError: signal must be an Abort/,
  );
});

tests.run();
