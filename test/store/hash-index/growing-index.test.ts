// An index whose run is killed at any point of what it writes, and whose manifest is then replaced by an earlier one:
// what the folder holds is copied after each call that changes it, which is what a kill there leaves.
import fs, { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeWholeFile } from '../../../src/command/write/output.ts';
import { PROFILE, UrlHasher } from '../../../src/index.ts';
import { GrowingIndex } from '../../../src/store/hash-index/growing-index.ts';
import { eachHash, HashIndex } from '../../../src/store/hash-index/hash-index.ts';
import { HashIndexBuilder } from '../../../src/store/hash-index/hash-index-builder.ts';
import { HashIndexError } from '../../../src/store/hash-index/layout.ts';
import { folderWith } from '../../support/scratch.ts';
import { cases, random } from '../../support/seed.ts';

const tests = suite('store/hash-index/growing-index');
const next = random();
process.setMaxListeners(0); // each index waits for signals until the process ends
// A copy shows what was written, whether or not it is on the disk
fs.fsyncSync = () => {};
fs.fsync = ((_file: number, done: () => void) => done()) as typeof fs.fsync;
syncBuiltinESMExports();

const hasher = new UrlHasher({ width: 8 });
const columnOf = (numbers: Iterable<number>) =>
  hasher.hashMany(Array.from(numbers, (number) => `https://a.example/${number}`));

/** Adds numbers to the index of a folder. @throws as the index does */
async function grow(folder: string, numbers: Iterable<number>): Promise<void> {
  const path = join(folder, 'x.idx');
  const options = { width: 8, profile: PROFILE, memoryBytes: 2 ** 20, writeFile: writeWholeFile } as const;
  try {
    const index = new GrowingIndex(path, path, { ...options, open: () => HashIndex.open(path) });
    eachHash(columnOf(numbers), (units, at) => index.add(units, at));
    await index.commit();
  } finally {
    rmSync(`${path}.lock`, { force: true }); // of this process, which goes on
  }
}

/** Asserts that an index has these numbers, and no others. */
function mustHave(folder: string, numbers: ReadonlySet<number>, what: string): void {
  const index = HashIndex.open(join(folder, 'x.idx'));
  index.mustBeIntact();
  assert.is(index.size, numbers.size, what);
  assert.is(index.matches(columnOf(numbers)).length, numbers.size, what);
  index.close();
}

/** The names and bytes of all files of a folder. */
function contentOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return new Map(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]),
  );
}

const CHANGING = ['openSync', 'writeSync', 'renameSync', 'rmSync', 'rmdirSync', 'mkdirSync', 'write'] as const;

/** Runs something, and copies a folder after each call of the system that may have changed it. */
async function copiesOf(folder: string, run: () => Promise<void>): Promise<string[]> {
  const copies: string[] = [];
  const originals = CHANGING.map((name) => [name, fs[name]] as const);
  let isCopying = false;
  const copy = () => {
    if (isCopying) return;
    isCopying = true;
    const to = folderWith({});
    cpSync(folder, to, { recursive: true });
    rmSync(join(to, 'x.idx.lock'), { force: true }); // it is taken over
    isCopying = false;
    copies.push(to);
  };
  const calls = fs as unknown as Record<string, unknown>;
  for (const [name, original] of originals) {
    calls[name] = (...args: unknown[]) => {
      const done = args.at(-1);
      if (typeof done === 'function')
        args[args.length - 1] = (...results: unknown[]) => {
          copy();
          done(...results);
        };
      const result = (original as (...args: unknown[]) => unknown)(...args);
      copy();
      return result;
    };
  }
  syncBuiltinESMExports();
  try {
    await run();
  } finally {
    for (const [name, original] of originals) calls[name] = original;
    syncBuiltinESMExports();
  }
  return copies;
}

/** A state of the index, and the bytes of its file. */
interface Kept {
  readonly numbers: ReadonlySet<number>;
  readonly file: Buffer;
}

/** An index that begins as nothing or as one file, with all states that it had. */
async function history(isInOneFile: boolean, runCount: number): Promise<{ folder: string; states: Kept[] }> {
  const folder = folderWith({});
  const path = join(folder, 'x.idx');
  const states: Kept[] = [];
  const numbers = new Set<number>();
  const keep = () => states.push({ numbers: new Set(numbers), file: readFileSync(path) });
  if (isInOneFile) {
    for (const number of [1, 2, 3]) numbers.add(number);
    const builder = new HashIndexBuilder();
    builder.add(columnOf(numbers));
    builder.write(path);
    keep();
  }
  for (let run = 0; run < runCount; run++) {
    const added = batch();
    await grow(folder, added);
    for (const number of added) numbers.add(number);
    keep();
  }
  return { folder, states };
}

const batch = () => new Set(Array.from({ length: 1 + next(4) }, () => next(1e6)));
const union = (one: Iterable<number>, other: Iterable<number>) => new Set([...one, ...other]);

tests('killed at every point, and an earlier manifest put back: nothing is lost, and nothing is wrong', async () => {
  const path = 'x.idx';
  let [kills, refusals, continuations, returns] = [0, 0, 0, 0];
  for (let round = 0; kills < cases(250); round++) {
    const { folder, states } = await history(round % 3 === 0, round % 5);
    const before = states.at(-1)?.numbers ?? new Set<number>();
    const [added, more, last] = [batch(), batch(), batch()];
    const copies = await copiesOf(folder, () => grow(folder, added));
    assert.ok(copies.length > 10, `${copies.length} points`);
    for (const [point, killed] of copies.entries()) {
      const what = `round ${round}, point ${point}`;
      kills++;
      const now = existsSync(join(killed, path)) ? readFileSync(join(killed, path)) : undefined;
      const isOld = now === undefined ? states.length === 0 : now.equals(states.at(-1)?.file ?? Buffer.of());
      const numbers = isOld ? before : union(before, added);
      if (now !== undefined) mustHave(killed, numbers, what);
      // an earlier state, which may be that of before the run
      const restored = next(3) === 0 ? undefined : states[next(states.length)];
      if (restored !== undefined) writeFileSync(join(killed, path), restored.file);
      const files = contentOf(killed);
      try {
        await grow(killed, more);
        mustHave(killed, union(restored?.numbers ?? numbers, more), what);
        continuations++;
      } catch (error) {
        if (!(error instanceof HashIndexError)) throw error;
        assert.match(error.message, /x\.idx: it is .* but \S+\/x\.idx\.d\/manifest is generation \d+: copy/);
        assert.ok(restored !== undefined && !restored.file.equals(now ?? Buffer.of()), what);
        assert.equal(contentOf(killed), files, `${what}: what is refused changes nothing`);
        refusals++;
      }
      if (restored === undefined || now === undefined || restored.file.equals(now)) continue;
      writeFileSync(join(killed, path), now);
      mustHave(killed, numbers, `${what}: the later state again`);
      // whichever of the two a person chooses goes on
      await grow(killed, last).then(
        () => mustHave(killed, union(numbers, last), what),
        async () => {
          const [mine, copy] = [join(killed, path), join(killed, 'x.idx.d/manifest')];
          const isMine = next(2) === 0;
          cpSync(...(isMine ? ([mine, copy] as const) : ([copy, mine] as const)));
          await grow(killed, last);
          mustHave(killed, union(isMine ? numbers : union(restored.numbers, more), last), what);
          returns++;
        },
      );
    }
    for (const each of copies) rmSync(each, { recursive: true });
  }
  console.log(`${kills} kills: ${continuations} went on, ${refusals} were refused, ${returns} chose between two`);
  assert.ok(refusals > kills / 10 && continuations > kills / 3 && returns > 5);
});

tests.run();
