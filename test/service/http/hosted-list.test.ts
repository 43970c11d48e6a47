// When `urlsum list serve` reads a file again, and what it then keeps: in this process, with a clock of the test's.
import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HASH_LIST, type ListUpdate } from '../../../src/entries/safe-browsing/lists.ts';
import { HostedList, type HostedListOptions } from '../../../src/service/http/list-server.ts';
import { SettlingClock } from '../../store/settling-clock.ts';
import { FOLDER as folder } from '../../support/scratch.ts';
import { sha256 } from '../check/scripted-server.ts';
import { readEntries } from './list-files.ts';

type Options = Partial<HostedListOptions>;

const tests = suite('http: files of lists');

let fileCount = 0;

/** A list of 100 entries, its file, and what was said of it. */
async function hosted(options: Options = {}) {
  const path = join(folder, `list-${fileCount++}`);
  const said: string[] = [];
  writeFileSync(path, lines(100));
  const clock = new SettlingClock();
  const list = new HostedList('mw-4b', path, {
    ...clock.options,
    readEntries,
    log: (each) => said.push(each),
    maxShrink: 0.5,
    waitMs: 0,
    ...options,
  });
  await list.load();
  assert.match(said.pop()!, /list-\d+: nothing in it says that it is whole; waiting until it has stayed so for 60 s/);
  const served = () => sizeOf(HASH_LIST.decode(list.message([], false)));
  const size = async () => {
    await clock.settle(() => list.look());
    return served();
  };
  return { path, said, clock, list, size, served };
}

const sizeOf = ({ additions }: ListUpdate) => additions.reduce((sum, { prefixes }) => sum + prefixes.length / 4, 0);

const lines = (count: number) => Array.from({ length: count }, (_, row) => `h${row}.example/\n`).join('');

function rename(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

tests('a file without entries is no list to begin with, unless a list may lose all', async () => {
  const path = join(folder, 'empty');
  for (const text of ['', '\n# a comment\n']) {
    writeFileSync(path, text);
    const serving = (maxShrink: number) =>
      new HostedList('mw-4b', path, { settleMs: 0, readEntries, log() {}, maxShrink, waitMs: 0 }).load();
    const said = await serving(0.5).then(String, (error: Error) => error.message);
    assert.match(said, /empty: it has no entries, so nothing would be unsafe \(--shrink 100 serves it\)/);
    await serving(1);
  }
});

tests('a file that has changed is read when it has stayed so for a minute, however it has come', async () => {
  const ways = {
    renamed: rename,
    'unlinked and created': (path: string, text: string) => {
      rmSync(path);
      writeFileSync(path, text);
    },
    'written in place': writeFileSync,
  };
  for (const [way, write] of Object.entries(ways)) {
    const { path, clock, list, served } = await hosted();
    write(path, lines(90));
    await list.look();
    clock.time += 59_999;
    await list.look();
    assert.is(served(), 100, way);
    clock.time += 1;
    await list.look();
    assert.is(served(), 90, way);
  }
});

tests('a file of the same size and time of modification is read, since its time of change is another', async () => {
  const { path, list, clock } = await hosted();
  const { atime, mtime } = statSync(path);
  writeFileSync(path, lines(100).replace('h7.', 'x7.'));
  utimesSync(path, atime, mtime);
  await clock.settle(() => list.look());
  assert.is(list.hashesUnder(sha256('x7.example/').subarray(0, 4)).length, 1);
  assert.is(list.hashesUnder(sha256('h7.example/').subarray(0, 4)).length, 0);
});

tests(
  'a message is encoded once for each version and format, and the whole hashes are found by their prefixes',
  async () => {
    const { list, path, clock } = await hosted();
    const whole = list.message([], false);
    assert.is(list.message([], false), whole);
    const { version } = HASH_LIST.decode(whole);
    assert.ok(HASH_LIST.decode(list.message([Buffer.alloc(32), version], false)).isPartial);
    const json = list.message([], true);
    assert.equal(HASH_LIST.fromJson(JSON.parse(Buffer.from(json).toString())), HASH_LIST.decode(whole));
    for (let row = 0; row < 100; row++) {
      const hash = sha256(`h${row}.example/`);
      assert.equal(
        list.hashesUnder(hash.subarray(0, 4)).map((each) => Buffer.from(each)),
        [hash],
      );
    }
    rename(path, lines(101));
    await clock.settle(() => list.look());
    assert.is.not(list.message([], false), whole);
  },
);

tests(
  'a list that shrinks by more than its share is held back, said once, and taken when it has grown again',
  async () => {
    const { path, said, size } = await hosted();
    rename(path, lines(50));
    assert.is(await size(), 50);
    rename(path, lines(24));
    assert.equal([await size(), await size()], [50, 50]);
    const trouble = `${path}: it has 24 entries in place of 50, more than 50 % at once (--shrink)`;
    assert.equal(said, [`mw-4b: it stays as it was: ${trouble}`]);
    rename(path, lines(25));
    assert.is(await size(), 25);
    assert.is(said[1], 'mw-4b: it is as its file again');
  },
);

tests('another share, and none', async () => {
  const strict = await hosted({ maxShrink: 0.01 });
  rename(strict.path, lines(98));
  assert.is(await strict.size(), 100);
  rename(strict.path, lines(99));
  assert.is(await strict.size(), 99);
  const lenient = await hosted({ maxShrink: 1 });
  rename(lenient.path, '');
  assert.is(await lenient.size(), 0);
});

tests('a comment is no entry, and a line that no URL matches changes nothing', async () => {
  const { path, said, size } = await hosted();
  rename(path, `# reported today\n${lines(101)}\n  # and yesterday\r\n`);
  assert.is(await size(), 101);
  rename(path, `${lines(102)}0.0.0.0 evil.example\n`);
  assert.is(await size(), 101);
  assert.match(said.at(-1)!, /:103: not listed: "0\.0\.0\.0 evil\.example": .* \(hosts-file-line\)$/);
});

tests('updates go on from the versions before a trouble', async () => {
  const { path, list, size } = await hosted();
  const { version } = HASH_LIST.decode(list.message([], false));
  rename(path, `${lines(100)}mailto:x\n`);
  assert.is(await size(), 100);
  rename(path, lines(101));
  await size();
  const update = HASH_LIST.decode(list.message([version], false));
  assert.ok(update.isPartial);
  assert.is(update.additions[0]!.prefixes.length, 4);
});

tests.run();
