// When `urlsum list serve` reads a file again, and what it then keeps: in this process, with a clock of the test's.
import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HostedList, type HostedListOptions } from '../../../src/service/http/hosted-list.ts';

type Options = Partial<HostedListOptions>;

const tests = suite('http: files of lists');
const folder = mkdtempSync(join(tmpdir(), 'urlsum-hosted-'));
tests.after(() => rmSync(folder, { recursive: true }));

let fileCount = 0;

/** A list of 100 entries, its file, and what was said of it. */
async function hosted(options: Options = {}) {
  const path = join(folder, `list-${fileCount++}`);
  const said: string[] = [];
  writeFileSync(path, lines(100));
  const clock = { time: statSync(path).mtimeMs + 60_000 };
  const list = new HostedList('mw-4b', path, {
    now: () => clock.time,
    onTrouble: (each) => said.push(each),
    maxShrink: 0.5,
    ...options,
  });
  await list.load();
  const size = async () => {
    await list.refresh();
    return list.updateFrom([], 0).additions.reduce((sum, { prefixes }) => sum + prefixes.length / 4, 0);
  };
  return { path, said, clock, list, size };
}

const lines = (count: number) => Array.from({ length: count }, (_, row) => `h${row}.example/\n`).join('');

function rename(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

tests('a file that comes by a rename is read at once', async () => {
  const { path, size } = await hosted();
  rename(path, lines(101));
  assert.is(await size(), 101);
});

tests('a file that is written in place is read when it has not changed for two seconds', async () => {
  const { path, clock, size } = await hosted();
  writeFileSync(path, ''); // as a program does that begins to write it anew
  clock.time = statSync(path).mtimeMs;
  assert.is(await size(), 100);
  appendFileSync(path, lines(90));
  clock.time = statSync(path).mtimeMs + 1999;
  assert.is(await size(), 100);
  clock.time += 1;
  assert.is(await size(), 90);
});

tests('where the clock of the file system is ahead, our own tells', async () => {
  const { path, clock, size } = await hosted();
  writeFileSync(path, lines(90));
  clock.time = statSync(path).mtimeMs - 3_600_000;
  assert.is(await size(), 100);
  clock.time += 1999;
  assert.is(await size(), 100);
  clock.time += 1;
  assert.is(await size(), 90);
});

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
    assert.is(said[1], 'mw-4b: it is served as its file is again');
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
  const { version } = list.updateFrom([], 0);
  rename(path, `${lines(100)}mailto:x\n`);
  assert.is(await size(), 100);
  rename(path, lines(101));
  await list.refresh();
  const update = list.updateFrom([Buffer.from(version)], 0);
  assert.ok(update.isPartial);
  assert.is(update.additions[0]!.prefixes.length, 4);
});

tests.run();
