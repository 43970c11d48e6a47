// One lock for the index of --unseen and the folder of lists: who holds it, and when it is void. How two runs take one
// over at the same time is in test/command/work/unseen.test.ts, which stops them at each step.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Lock, LockedError } from '../../src/store/lock.ts';
import { FOLDER } from '../support/scratch.ts';
import { errorOf } from '../support/thrown.ts';

const tests = suite('store/lock');

const PATH = join(FOLDER, 'x.lock');
const GUARD = `${PATH}.takeover`;
const STARTED_AT = '2026-01-02T03:04:05.678Z';
const MINUTE = 60_000;

tests.after.each(() => {
  for (const path of [PATH, GUARD]) rmSync(path, { force: true });
});

function written(path: string, text: string, ageMs = 0): void {
  writeFileSync(path, text);
  const time = new Date(Date.now() - ageMs);
  utimesSync(path, time, time);
}

/** Returns what tells this process from others, as its own lock has it. */
function ownIdentity(): { readonly boot: string; readonly space: string; readonly start: string } {
  const lock = new Lock(PATH);
  const [, boot, space, start] = / (\S+)\/(\S+)\/(\S+)\/\S+\n$/.exec(readFileSync(PATH, 'utf8'))!;
  lock.release();
  return { boot: boot!, space: space!, start: start! };
}

tests('a lock is one process’s, and names it, until that releases it', () => {
  const lock = new Lock(PATH);
  assert.match(readFileSync(PATH, 'utf8'), new RegExp(`^${process.pid} ${hostname()} 2\\S+Z \\S+\n$`));
  assert.ok(lock.isHeld());
  const error = errorOf(() => new Lock(PATH, 0)); // however old: its process is at work
  assert.instance(error, LockedError);
  assert.is((error as LockedError).code, 'ELOCKED');
  assert.match(String(error), `process ${process.pid} on ${hostname()}, started 2`);
  assert.match(String(error), `is using it; if no run is, remove ${PATH}`);
  lock.release();
  assert.not(existsSync(PATH));
  assert.not(lock.isHeld());
});

tests('two locks of one process at one path are different: the first does not release the second', () => {
  const first = new Lock(PATH);
  rmSync(PATH);
  const second = new Lock(PATH);
  assert.equal([first.isHeld(), second.isHeld()], [false, true]);
  first.release();
  assert.ok(second.isHeld());
  second.release();
});

tests(
  'a process number that is another process’s now, another boot, and an end are seen; elsewhere, age decides',
  () => {
    const { boot, space, start } = ownIdentity();
    if (start === '-') return console.log('this system does not tell when a process started');
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const held = (id: number, identity: string, host = hostname()) => `${id} ${host} ${STARTED_AT} ${identity}\n`;
    const [never, minutes] = [Number.POSITIVE_INFINITY, 10 * MINUTE];
    for (const [text, ageMs, unseenMs, isTakenOver] of [
      [held(process.pid, `${boot}/${space}/${start}/0`), 1e9, minutes, false],
      [held(process.pid, `${boot}/${space}/${Number(start) + 1}/0`), 0, never, true],
      [held(ended, `${boot}/${space}/${start}/0`), 0, never, true],
      [held(process.pid, `another-boot/${space}/${start}/0`), 0, never, true],
      [held(process.pid, `${boot}/${Number(space) + 1}/${start}/0`), MINUTE, minutes, false], // another container
      [held(process.pid, `${boot}/${Number(space) + 1}/${start}/0`), 11 * MINUTE, minutes, true],
      [held(process.pid, '-/-/-/0'), MINUTE, minutes, false], // a system without /proc
      [held(1, `${boot}/${space}/${start}/0`, 'elsewhere'), 1e9, never, false],
      [held(1, `${boot}/${space}/${start}/0`, 'elsewhere'), MINUTE, minutes, false],
      [held(1, `${boot}/${space}/${start}/0`, 'elsewhere'), 11 * MINUTE, minutes, true],
      ['', 0, never, true], // killed before it wrote its line
      [held(process.pid, `${boot}/${space}/${start}/0`).slice(0, -1), 0, never, true], // or within that
      [`${ended} token ${hostname()}\n`, 11 * MINUTE, minutes, true], // as an earlier version wrote it
    ] as const) {
      written(PATH, text, ageMs);
      if (isTakenOver) new Lock(PATH, unseenMs).release();
      else
        assert.instance(
          errorOf(() => new Lock(PATH, unseenMs)),
          LockedError,
          text,
        );
      assert.is(existsSync(PATH), !isTakenOver, text);
      assert.not(existsSync(GUARD), text);
      rmSync(PATH, { force: true });
    }
  },
);

tests('what a run left that was killed while it took a lock over is kept where it may be at work, or removed', () => {
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const { boot, space, start } = ownIdentity();
  const text = `${ended} ${hostname()} ${STARTED_AT} ${boot}/${space}/${start}/0\n`;
  written(PATH, text);
  written(GUARD, text, 11 * MINUTE);
  assert.match(String(errorOf(() => new Lock(PATH))), `remove ${GUARD}`);
  assert.ok(existsSync(GUARD), 'a lock that never grows old is for a person to judge');
  assert.match(String(errorOf(() => new Lock(PATH, 12 * MINUTE))), `remove ${GUARD}`);
  assert.match(String(errorOf(() => new Lock(PATH, 10 * MINUTE))), `remove ${GUARD}`);
  assert.not(existsSync(GUARD), 'the next attempt takes it over');
  new Lock(PATH, 10 * MINUTE).release();
});

tests('where no file can be made, the system’s error says so', () => {
  assert.is((errorOf(() => new Lock(join(FOLDER, 'none/x.lock'))) as NodeJS.ErrnoException).code, 'ENOENT');
});

tests.run();
