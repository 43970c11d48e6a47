import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { FOLDER } from '../support/scratch.ts';
import { random } from '../support/seed.ts';
import { COMMAND, inShell, SIGNALS, urlsum } from './command.ts';
import { smallDisk } from './full-disks.ts';
import { ended } from './kills.ts';

const SMALL_MEMORY = ['--memory', '1M', '--width', '32'];

/** Lines whose hashes take a dozen times --memory: their index has some 600 pages. */
function manyLines(name: string, count: number, host = 'example.com'): string {
  const path = join(FOLDER, name);
  writeFileSync(path, Array.from({ length: count }, (_, row) => `http://${host}/${row}\n`).join(''));
  return path;
}

/** Writes an index `out`, that stands there before; `parts` are indexes of the same width. */
type Writer = (out: string) => readonly string[];

function writers(lines: string, parts: readonly string[]): readonly Writer[] {
  return [
    (out) => ['index', ...SMALL_MEMORY, '--out', out, lines],
    (out) => ['index', ...SMALL_MEMORY, '-j', '2', '--out', out, lines],
    (out) => ['index', '--merge', '--out', out, ...parts],
    (out) => ['--unseen', out, ...SMALL_MEMORY, '--format', 'bin', lines],
  ];
}

interface Scene {
  readonly writer: Writer;
  /** The index as it is before, and as a run to its end leaves it. */
  readonly before: Buffer;
  readonly after: Buffer;
  readonly milliseconds: number;
}

/** The index as one file has it, segments or not. */
function contentOf(path: string): Buffer {
  const out = join(FOLDER, 'content.idx');
  const { status, stderr } = urlsum(['index', '--merge', '--out', out, path]);
  assert.is(status, 0, stderr.toString());
  return readFileSync(out);
}

function scenes(): Scene[] {
  const lines = manyLines('index-lines', 80_000);
  const parts = ['a.example', 'b.example'].map((host) => {
    const part = join(FOLDER, `${host}.idx`);
    urlsum(['index', '--width', '32', '--out', part, manyLines(`${host}.txt`, 60_000, host)]);
    return part;
  });
  return writers(lines, parts).map((writer, number) => {
    const out = join(FOLDER, `whole-${number}.idx`);
    copyFileSync(parts[0]!, out);
    const before = readFileSync(out);
    const start = performance.now();
    assert.is(urlsum(writer(out)).status, 0);
    return { writer, before, after: contentOf(out), milliseconds: performance.now() - start };
  });
}

/**
 * Whenever a run ends, the index is the old or the new one; only SIGKILL leaves anything beside it; the next run works.
 */
export async function indexKills(count: number): Promise<string> {
  const next = random();
  const all = scenes();
  let [killed, replaced, left] = [0, 0, 0];
  for (let round = 0; round < count; round++) {
    const { writer, before, after, milliseconds } = all[next(all.length)]!;
    const signal = SIGNALS[next(SIGNALS.length)]!;
    const folder = join(FOLDER, `index-kill-${round}`);
    const out = join(folder, 'seen.idx');
    mkdirSync(folder);
    writeFileSync(out, before);
    const what = `round ${round}: ${writer(out).join(' ')} ${signal}`;
    const wasKilled = await ended(writer(out), signal, next(1.2 * milliseconds));
    const found = contentOf(out);
    assert.ok(found.equals(after) || (wasKilled && found.equals(before)), what);
    const others = readdirSync(folder).filter((name) => name !== 'seen.idx' && name !== 'seen.idx.d');
    if (signal === 'SIGKILL')
      assert.ok(
        others.every((name) => /^\.urlsum-\w+\.(?:tmp|run)$|\.lock$/.test(name)),
        what,
      );
    else assert.equal(others, [], what);
    assert.is(urlsum(writer(out)).status, 0, `${what}: the run after it`);
    assert.ok(contentOf(out).equals(after), what);
    mustHaveNoOrphans(out);
    rmSync(folder, { recursive: true });
    killed += Number(wasKilled);
    replaced += Number(found.equals(after));
    left += others.length;
  }
  return `${count} runs, ${killed} ended by the signal, ${replaced} indexes replaced; SIGKILL left ${left} files beside them`;
}

/** After one more generation, the folder of segments has what the manifest names, and nothing else. */
function mustHaveNoOrphans(path: string): void {
  const line = join(FOLDER, 'one-more');
  writeFileSync(line, 'http://one-more.example/\n');
  if (!existsSync(`${path}.d`)) return;
  assert.is(urlsum(['--unseen', path, line]).status, 0);
  const named = Array.from(readFileSync(path, 'latin1').matchAll(/^segment (\S+)/gm), ([, name]) => name!);
  const found = readdirSync(`${path}.d`).filter((name) => !name.startsWith('manifest'));
  assert.equal(found.sort(), named.sort());
}

/**
 * No room for a run that is spilled, for the index, or for the union: status 2, a sentence, and the index as it was.
 */
export function fullIndexDisks(): string {
  const all = scenes();
  const { folder, limit, unmount } = smallDisk();
  const out = join(folder, 'seen.idx');
  try {
    for (const { writer } of all) {
      assert.is(urlsum(['index', '--width', '32', '--out', out, manyLines('few', 100)]).status, 0);
      const before = readFileSync(out);
      const { status, stderr } = inShell(`${limit} exec "$0" "$1" "\${@:2}" > /dev/null`, ...writer(out));
      assert.is(status, 2, writer(out).join(' '));
      assert.match(stderr.toString(), /^urlsum: .*(?:seen\.idx|hashes cannot be spilled there): .*(?:ENOSPC|EFBIG)/m);
      assert.ok(readFileSync(out).equals(before));
      assert.equal(readdirSync(folder), ['seen.idx']);
    }
  } finally {
    unmount();
  }
  return `${all.length} runs on ${limit === '' ? 'a mounted disk of 1 MiB' : 'files of at most 1 MiB'}`;
}

/**
 * Two runs at once: with --out both end and one is the last; with --unseen one is refused, or it begins after the
 * other.
 */
export async function indexRaces(count: number): Promise<string> {
  const [one, other] = [manyLines('one', 20_000, 'one.example'), manyLines('other', 20_000, 'other.example')];
  const path = join(FOLDER, 'race.idx');
  const indexOf = (...inputs: string[]) => {
    urlsum(['index', '--out', path, ...inputs]);
    return readFileSync(path);
  };
  const [first, second, both] = [indexOf(one), indexOf(other), indexOf(one, other)];
  let refused = 0;
  for (let round = 0; round < count; round++) {
    assert.equal(
      await statusesOf([
        ['index', '--out', path, one],
        ['index', '--out', path, other],
      ]),
      [0, 0],
    );
    const last = readFileSync(path);
    assert.ok(last.equals(first) || last.equals(second), `round ${round}`);
    rmSync(path);
    rmSync(`${path}.d`, { recursive: true, force: true });
    const statuses = await statusesOf([
      ['--unseen', path, one],
      ['--unseen', path, other],
    ]);
    const expected = { '0,0': both, '0,2': first, '2,0': second }[statuses.join()];
    assert.ok(expected !== undefined && contentOf(path).equals(expected), `round ${round}: ${statuses.join()}`);
    assert.not(readdirSync(FOLDER).includes('race.idx.lock'));
    refused += Number(statuses.includes(2));
  }
  return `${count} pairs of runs of each kind, ${refused} runs with --unseen refused`;
}

function statusesOf(runs: readonly (readonly string[])[]): Promise<(number | null)[]> {
  const dropped = openSync('/dev/null', 'w'); // --unseen refuses 'ignore', which looks like a closed output
  return Promise.all(
    runs.map(async (args) => {
      const child = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', dropped, 'ignore'] });
      const [status] = (await once(child, 'close')) as [number | null];
      return status;
    }),
  );
}

/**
 * An index that is cut or has a flipped bit: refused with a sentence; or what was flipped is in no page that was read.
 */
export function damagedIndexes(count: number): string {
  const next = random();
  const lines = manyLines('damaged-lines', 3000);
  const path = join(FOLDER, 'whole.idx');
  urlsum(['index', '--out', path, lines]);
  const bytes = readFileSync(path);
  const few = join(FOLDER, 'few-lines');
  writeFileSync(few, 'http://example.com/1\nhttp://example.com/2\n');
  const expected = urlsum(['--against', path, few]).stdout;
  let [refused, answered] = [0, 0];
  for (let round = 0; round < count; round++) {
    const damaged = join(FOLDER, 'hurt.idx');
    const hurt = next(2) === 0 ? bytes.subarray(0, next(bytes.length)) : Buffer.from(bytes);
    if (hurt.length === bytes.length) hurt[next(hurt.length)]! ^= 1 << next(8);
    writeFileSync(damaged, hurt);
    const all = [
      ['index', '--info', damaged],
      ['index', '--merge', '--out', `${damaged}.out`, damaged],
      ['--unseen', damaged, lines],
    ];
    for (const args of all) {
      const { status, stderr } = urlsum(args);
      assert.is(status, 2, `round ${round}: ${args.join(' ')}`);
      assert.match(stderr.toString(), /hurt\.idx: /);
    }
    assert.ok(readFileSync(damaged).equals(hurt));
    const { status, stdout } = urlsum(['--against', damaged, few]);
    if (status === 0) assert.ok(hurt.length === bytes.length && stdout.equals(expected), `round ${round}`);
    else assert.ok(status === 2 && stdout.length === 0);
    refused += Number(status === 2);
    answered += Number(status === 0);
  }
  assert.ok(refused >= count / 4, `${refused} refused, ${answered} answered`);
  return `${count} indexes; of --against ${refused} were refused, and ${answered} had the damage in a page that was not read`;
}

/**
 * URLs whose hashes begin alike, as anyone can make them: the run does as many steps on the disk as for others. A step
 * for each run that was spilled would make it 100 times slower, which `urlsum` ends after a minute.
 */
export function flooding(count: number): string {
  const lines: string[] = [];
  for (let number = 0; lines.length < count; number++) {
    const url = `https://flood.example/${number}`;
    if (createHash('sha256').update(url).digest()[7] === 0x5a) lines.push(url);
  }
  const input = join(FOLDER, 'flood.txt');
  writeFileSync(input, `${lines.join('\n')}\n`);
  const index = join(FOLDER, 'flood.idx');
  const args = ['--unseen', index, '--memory', '4M', '--format', 'bin', '--width', '8', input];
  assert.is(urlsum(args).stdout.length, 8 * count);
  assert.is(urlsum(args).stdout.length, 0);
  return `${count} lines`;
}
