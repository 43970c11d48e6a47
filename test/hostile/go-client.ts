// Our updates of version 4, read by Google's own client in Go, from the Go module proxy: where there is no Go, or no
// module, the run says so.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { HashList, type ListUpdate, THREAT_LIST_UPDATES } from '../../src/entries/safe-browsing/lists.ts';
import { random, randomBytes, SEED } from '../seed.ts';
import { FOLDER } from './command.ts';

const MODULE = 'github.com/google/safebrowsing@v0.0.0-20190624211811-bbf0d20d26b3';
/** By name, the bytes per prefix: 4 are sent in Rice-Golomb code, others raw. */
const LISTS = { MALWARE: 4, SOCIAL_ENGINEERING: 5, UNWANTED_SOFTWARE: 32 };
const MOST_ENTRIES = 2000;

type Random = ReturnType<typeof random>;

export function goClient(count: number): string {
  const folder = moduleFolder();
  if (folder === undefined) return `skipped: there is no Go here, or ${MODULE} cannot be had`;
  const [copy, updates] = [join(FOLDER, 'go-client'), join(FOLDER, 'updates')];
  copyWritable(folder, copy);
  copyFileSync('test/hostile/updates_test.go', join(copy, 'urlsum_updates_test.go'));
  writeFileSync(updates, messages(count, random()));
  const args = ['test', '-mod=readonly', '-run', 'TestUrlsumUpdates', '-v', '.'];
  const { status, stdout, stderr } = go(args, { cwd: copy, env: { ...process.env, URLSUM_UPDATES: updates } });
  assert.is(status, 0, `seed ${SEED}: ${stdout}${stderr}`);
  assert.match(stdout, new RegExp(`^urlsum: ${count} messages$`, 'm'));
  return `${count} updates of ${Object.keys(LISTS).length} lists each, all of them taken`;
}

function go(args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  return spawnSync('go', args, { encoding: 'utf8', ...options });
}

function moduleFolder(): string | undefined {
  const { status, stdout } = go(['mod', 'download', '-json', MODULE]);
  return status === 0 ? (JSON.parse(stdout) as { Dir: string }).Dir : undefined;
}

/** Go's cache of modules is read-only, and no file may be laid over it. */
function copyWritable(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyWritable(source, target);
    else writeFileSync(target, readFileSync(source));
  }
}

/** Each message after its length. */
function messages(count: number, next: Random): Buffer {
  const lists = new Map(Object.keys(LISTS).map((name) => [name, HashList.empty(`${name}/ANY_PLATFORM/URL`)]));
  const all = Array.from({ length: count }, () => {
    const message = THREAT_LIST_UPDATES.encode(Object.entries(LISTS).map((each) => updateOf(lists, each, next)));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(message.length);
    return Buffer.concat([length, message]);
  });
  return Buffer.concat(all);
}

/** What has changed, or one time in ten the whole list. */
function updateOf(lists: Map<string, HashList>, [name, length]: [string, number], next: Random): ListUpdate {
  const older = lists.get(name)!;
  const newer = changed(older, length, next);
  lists.set(name, newer);
  return older.size === 0 || next(10) === 0 ? newer.toUpdate() : older.updateTo(newer);
}

/** Some entries are gone, some are new, once in a while all. */
function changed(older: HashList, length: number, next: Random): HashList {
  const before = Buffer.from(older.groups[0]?.prefixes ?? []);
  const odds = [1, 2, 10, 100][next(4)]!;
  const rows = Array.from({ length: before.length / length }, (_, row) => row).filter(() => next(odds) > 0);
  const kept = rows.slice(-MOST_ENTRIES).map((row) => before.subarray(row * length, (row + 1) * length));
  const added = randomBytes(next, length * (1 + next([2, 30, 1000][next(3)]!)));
  return HashList.from(Buffer.concat([...kept, added]), length, { name: older.name });
}
