// Lists in a folder that processes share: whole files, one update at a time, and what becomes of damage.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CheckerOptions, FileStore, type SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { Lock } from '../../../src/store/lock.ts';
import { errorOf, rejectionOf } from '../../support/thrown.ts';
import { ScriptedServer } from './scripted-server.ts';

const tests = suite('safe-browsing/check: lists in a folder');

const EVIL = 'http://evil.example/';
const LISTS = ['mw-4b', 'MALWARE/ANY_PLATFORM/URL'];
const LOCK = '.urlsum.lock';

let root: string;
let folder: string;
let server: ScriptedServer;

tests.before(() => {
  root = mkdtempSync(join(tmpdir(), 'urlsum-store-'));
});
tests.before.each(() => {
  folder = mkdtempSync(join(root, 'f-'));
  server = new ScriptedServer();
  for (const name of LISTS) server.lists.set(name, ['evil.example/', `${name}.example/`]);
});
tests.after(() => rmSync(root, { recursive: true }));

const opened = (options: Partial<CheckerOptions> = {}) =>
  server.checker({ lists: LISTS, store: new FileStore(folder), ...options });

const namesIn = (path: string) => readdirSync(path).sort();
const reports = async (checker: SafeBrowsingChecker) =>
  (await checker.update()).map(({ status, detail }) => [status, detail]);

tests('a file per list, in a folder that the first update makes; nothing else is left', async () => {
  const deep = join(folder, 'var/lists');
  const checker = opened({ store: new FileStore(pathToFileURL(deep)) });
  assert.equal(await reports(checker), [
    ['updated', undefined],
    ['updated', undefined],
  ]);
  assert.equal(namesIn(deep), ['MALWARE%2FANY_PLATFORM%2FURL.list', 'mw-4b.list']);
  assert.is((await opened({ store: new FileStore(deep) }).check('http://good.example/')).reason, 'list');
});

tests('processes share what one of them fetched', async () => {
  const [one, other] = [opened(), opened()];
  await one.check(EVIL);
  await other.check(EVIL);
  await Promise.all([one.update(), other.update()]);
  assert.is(server.listRequests.length, 1);
  assert.equal(await reports(other), [
    ['waiting', undefined],
    ['waiting', undefined],
  ]);
  assert.is((await other.check('http://good.example/')).verdict, 'safe');
  assert.is(other.status().lists[0]!.size, 2);
});

tests('a damaged file is fetched anew, whole, and that is said; the other list is not', async () => {
  await opened().update();
  const path = join(folder, 'mw-4b.list');
  const bytes = readFileSync(path);
  for (const spoil of [bytes.subarray(0, 60), Buffer.alloc(0), bytes.with(50, bytes[50]! ^ 1)]) {
    writeFileSync(path, spoil);
    const checker = opened();
    assert.is((await checker.check('http://good.example/')).reason, 'unsure: list-missing');
    assert.match(checker.status().lists[0]!.trouble!, 'file: the checksum is not that of the bytes');
    server.listRequests.length = 0;
    assert.equal(await reports(checker), [
      ['updated', 'the stored list could not be read: file: the checksum is not that of the bytes'],
      ['waiting', undefined],
    ]);
    assert.equal(server.listRequests, [0]);
    assert.is(checker.status().lists[0]!.trouble, undefined);
    assert.is((await opened().check('http://good.example/')).reason, 'list');
  }
});

const SERVER = 'https://lists.example/v5/secret/';
/** Each differs from `SERVER` in one part of its URL. */
const OTHER_SERVERS = [
  'http://lists.example/v5/secret/',
  'https://lists.example:8443/v5/secret/',
  'https://lists.example.org/v5/secret/',
  'https://lists.example/v5/Secret/',
  'https://lists.example/v5/',
  'https://lists.example/v5/secret/v5/',
];

tests(
  'what one server sent is nothing that another sent: neither its lists, nor their versions, nor its wait',
  async () => {
    assert.equal(
      await reports(opened({ server: SERVER })),
      LISTS.map(() => ['updated', undefined]),
    );
    for (const name of namesIn(folder)) {
      const text = readFileSync(join(folder, name), 'latin1');
      assert.not.match(text, /lists\.example|secret/, 'a path may hold a key');
    }
    for (const url of OTHER_SERVERS) {
      const other = opened({ server: url });
      const { verdict, detail } = await other.check('http://good.example/');
      assert.is(verdict, 'unsure', url);
      assert.match(
        detail!,
        'the list mw-4b could not be read from the store: file: it was fetched from another server',
      );
      assert.is(other.nextUpdateAt, server.time, 'its lists are due');
      server.listRequests.length = 0;
      const trouble = 'the stored list could not be read: file: it was fetched from another server';
      assert.equal(
        await reports(other),
        LISTS.map(() => ['updated', trouble]),
        url,
      );
      assert.equal(server.listRequests, [0], 'whole');
      assert.is((await opened({ server: url }).check('http://good.example/')).reason, 'list');
      assert.is((await opened({ server: SERVER }).check('http://good.example/')).verdict, 'unsure');
      assert.equal(
        (await reports(opened({ server: SERVER }))).map(([status]) => status),
        ['updated', 'updated'],
      );
    }
    for (const same of ['https://LISTS.example:443/v5/secret', new URL(SERVER)])
      assert.equal(
        await reports(opened({ server: same })),
        LISTS.map(() => ['waiting', undefined]),
      );
  },
);

tests('a list under the name of another list is not that list', async () => {
  await opened().update();
  writeFileSync(join(folder, 'mw-4b.list'), readFileSync(join(folder, 'MALWARE%2FANY_PLATFORM%2FURL.list')));
  const { verdict, detail } = await opened().check('http://good.example/');
  assert.is(verdict, 'unsure');
  assert.match(detail!, 'name: it is the list MALWARE/ANY_PLATFORM/URL');
});

tests('where a file cannot be replaced, the lists live on in memory, and the old ones in the folder', async () => {
  const checker = opened();
  await checker.update();
  const before = readFileSync(join(folder, 'mw-4b.list'));
  rmSync(join(folder, 'mw-4b.list'));
  mkdirSync(join(folder, 'mw-4b.list/x'), { recursive: true }); // nothing is renamed over a folder
  server.lists.set('mw-4b', ['new.example/']);
  server.time += 1_800_000;
  const [status, detail] = (await reports(checker))[0]!;
  assert.is(status, 'updated');
  assert.match(detail!, /^the store did not keep the list: (?:EISDIR|ENOTEMPTY|EEXIST)$/);
  assert.match(checker.status().lists[0]!.trouble!, /^the store did not keep the list/);
  assert.is(checker.status().lists[0]!.size, 1);
  assert.equal(namesIn(folder), ['MALWARE%2FANY_PLATFORM%2FURL.list', 'mw-4b.list']);
  rmSync(join(folder, 'mw-4b.list'), { recursive: true });
  writeFileSync(join(folder, 'mw-4b.list'), before);
  assert.is((await opened().check('http://good.example/')).reason, 'list', 'the old lists, until they are stale');
});

tests('where there can be no folder, each list says so', async () => {
  writeFileSync(join(folder, 'file'), '');
  for (const [path, code] of [
    [join(folder, 'file/lists'), 'ENOTDIR'],
    ['/proc/none/lists', existsSync('/proc/self') ? 'ENOENT' : undefined], // where Node's own mkdir never returns
  ] as const) {
    if (code === undefined) continue;
    const checker = opened({ store: new FileStore(path) });
    for (const [status, detail] of await reports(checker)) {
      assert.is(status, 'updated');
      assert.is(detail, `the store did not keep the list: ${code}`);
    }
    assert.is((await checker.check('http://good.example/')).verdict, 'safe');
  }
});

/** Returns what the lock of another process says, if `identity` is what the lock of this process has. */
function heldBy(id: number, host: string, identity: (own: string) => string = (own) => own): string {
  const own = new Lock(join(folder, LOCK));
  const text = readFileSync(join(folder, LOCK), 'utf8');
  own.release();
  return `${id} ${host} 2026-01-02T03:04:05.678Z ${identity(text.trim().split(' ').at(-1)!)}\n`;
}

function startedEarlier(identity: string): string {
  const [boot, space, start, mark] = identity.split('/');
  return [boot, space, Number(start) - 1, mark].join('/');
}

tests('the lock of a process that has ended is void, and so is one of another machine after ten minutes', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const hour = new Date(Date.now() - 3_600_000);
  for (const [holder, time] of [
    [heldBy(pid, hostname())],
    // an earlier process with the same number, as in a container that was started again
    [heldBy(process.pid, hostname(), (own) => own.replace(/^[^/]+/, 'another-boot'))],
    ...(existsSync('/proc/self/stat') ? [[heldBy(process.pid, hostname(), startedEarlier)] as const] : []),
    [heldBy(1, 'elsewhere'), hour],
    ['', hour],
  ] as const) {
    writeFileSync(join(folder, LOCK), holder);
    if (time !== undefined) utimesSync(join(folder, LOCK), time, time);
    const unlock = await new FileStore(folder).lock();
    assert.match(readFileSync(join(folder, LOCK), 'utf8'), `${process.pid} `);
    await unlock();
    assert.not.ok(existsSync(join(folder, LOCK)));
  }
});

/** Timers of this process fire at once: nothing here waits for time to pass. */
async function withoutWaiting<T>(work: () => Promise<T>): Promise<T> {
  const { setTimeout: host } = globalThis;
  globalThis.setTimeout = ((call: () => void) => setImmediate(call)) as unknown as typeof setTimeout;
  try {
    return await work();
  } finally {
    globalThis.setTimeout = host;
  }
}

tests('a lock that another process does not let go is a failed update, and the lists stay', async () => {
  const checker = opened();
  await checker.update();
  server.time += 1_800_000;
  writeFileSync(join(folder, LOCK), heldBy(1, 'elsewhere'));
  const detail =
    'the store cannot be locked: process 1 on elsewhere, started 2026-01-02T03:04:05.678Z, is using it; ' +
    `if no run is, remove ${join(folder, LOCK)}`;
  assert.equal(await withoutWaiting(() => reports(checker)), [
    ['failed', detail],
    ['failed', detail],
  ]);
  assert.is((await checker.check('http://good.example/')).reason, 'list');
  assert.ok(existsSync(join(folder, LOCK)), 'it is not ours to remove');
});

tests('a lock that was taken over is not removed by who had it before', async () => {
  const holder = heldBy(1, 'elsewhere');
  const unlock = await new FileStore(folder).lock();
  writeFileSync(join(folder, LOCK), holder);
  await unlock();
  assert.ok(existsSync(join(folder, LOCK)));
});

tests('a signal ends the wait for the lock of another process', async () => {
  const unlock = await new FileStore(folder).lock();
  const controller = new AbortController();
  const waiting = new FileStore(folder).lock({ signal: controller.signal });
  controller.abort('enough');
  assert.is(await rejectionOf(waiting), 'enough' as unknown);
  assert.is(await rejectionOf(new FileStore(folder).lock({ signal: controller.signal })), 'enough' as unknown);
  assert.ok(existsSync(join(folder, LOCK)));
  await unlock();
});

tests('what killed processes began to write is removed, and nothing else', async () => {
  const hour = new Date(Date.now() - 3_600_000);
  for (const name of ['.urlsum-0123456789ab.tmp', '.urlsum-ba9876543210.tmp', 'notes.tmp']) {
    writeFileSync(join(folder, name), '');
    if (!name.includes('ba98')) utimesSync(join(folder, name), hour, hour);
  }
  await opened().update();
  assert.equal(
    namesIn(folder).filter((name) => name.endsWith('.tmp')),
    ['.urlsum-ba9876543210.tmp', 'notes.tmp'],
  );
});

tests('arguments', () => {
  for (const folder of ['', 7, undefined]) {
    assert.match(
      String(errorOf(() => new FileStore(folder as string))),
      /TypeError: folder must be a path or a file: URL/,
    );
  }
  assert.throws(() => new FileStore(new URL('http://example.com/')), /protocol|scheme|file/i);
});

tests.run();
