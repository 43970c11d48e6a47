// Files that are watched while programs write them: every order of what a writer does and what the system answers,
// against a model that knows which contents are whole. The time is the model's.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ContentUser, type FileCalls, WatchedFile } from '../../src/store/watched-file.ts';
import { cases, random, SEED } from '../support/seed.ts';
import { rejectionOf } from '../support/thrown.ts';

const tests = suite('store: watched files');

/** A file that does not say that it is whole is so when it has not changed for this long, in milliseconds. */
const SETTLE_MS = 60_000;
/** The longest time that passes at once, in milliseconds. */
const LONGEST_MS = 80_000;
/** Parts of a whole file. */
const PARTS = 4;
/** The tick of the times of a file, in milliseconds. */
const TICK_MS = 4;

interface Inode {
  number: number;
  /** The writer of each part. */
  parts: number[];
  mtime: number;
  ctime: number;
}

type Below = ReturnType<typeof random>;
type Step = () => void;

/** A folder with one file, a program that writes it, and the calls that a watcher has under way. */
class Model {
  readonly #next: Below;
  time = 1e6;
  /** The shift of the clock of the file server: it may be hours ahead or behind. */
  readonly #shift: number;
  #file: Inode | undefined;
  #version = 0;
  readonly #pending: Step[] = [];
  /** The steps that are left of a write, and when its last step was. */
  #write: Step[] = [];
  #steppedAt = this.time;
  readonly taken: (readonly number[])[] = [];
  readonly steps: string[] = [];
  readonly watcher: WatchedFile;
  #looking: Promise<void> | undefined;

  constructor(next: Below) {
    this.#next = next;
    this.#shift = [0, -3_600_000, 3_600_000][next(3)]!;
    this.#file = this.#created(1);
    this.#file.parts = Array(PARTS).fill(0);
    const user = taking((content) => void this.taken.push([...content]));
    this.watcher = new WatchedFile('file', user, { settleMs: SETTLE_MS, calls: this.#calls });
  }

  get content(): readonly number[] | undefined {
    return this.#file?.parts;
  }

  async run(): Promise<void> {
    for (let left = 40 + this.#next(200); left > 0; left--) {
      const kind = this.#next(8);
      if (kind === 0) this.#writeStep();
      else if (kind < 3) this.#pass(this.#next(2) === 0 ? this.#next(TICK_MS) : this.#next(LONGEST_MS));
      else await this.#watchStep();
      this.#mustBeWhole();
    }
    while (this.#write.length > 0) this.#writeStep();
    await this.#settled();
  }

  /** Every look ends, and a file that is let alone is taken. */
  async #settled(): Promise<void> {
    for (let count = 0; count < 4; count++) {
      this.time += SETTLE_MS;
      do await this.#watchStep();
      while (this.#looking !== undefined);
      this.#mustBeWhole();
    }
    if (this.content !== undefined) assert.equal(this.taken.at(-1), this.content, this.#story());
    assert.is(this.watcher.trouble, this.content === undefined ? 'ENOENT' : '', this.#story());
  }

  #mustBeWhole(): void {
    for (const parts of this.taken.slice(-1))
      assert.ok(parts.length === PARTS && new Set(parts).size === 1, `${parts} was taken: ${this.#story()}`);
  }

  #story(): string {
    return `${this.steps.join(', ')} (seed ${SEED})`;
  }

  /** A program that writes a file does not pause for as long as it takes to settle. */
  #pass(milliseconds: number): void {
    if (this.#write.length > 0 && this.time + milliseconds - this.#steppedAt >= SETTLE_MS) this.#writeStep();
    else this.time += milliseconds;
    this.steps.push(`${this.time} ms`);
  }

  #writeStep(): void {
    if (this.#write.length === 0) this.#write = this.#newWrite();
    this.#write.shift()!();
    this.#steppedAt = this.time;
  }

  #newWrite(): Step[] {
    const version = ++this.#version;
    const kinds = { inPlace: 0, anew: 1, renamed: 2, overwritten: 3, mapped: 4, removed: 5 };
    const kind = Object.keys(kinds)[this.#next(6)] as keyof typeof kinds;
    const say = (step: Step) => () => {
      this.steps.push(`${kind} ${version}`);
      step();
    };
    const append = Array.from({ length: PARTS }, () => () => {
      this.#file!.parts.push(version);
      this.#touch();
    });
    const create = () => {
      this.#file = this.#created(this.#next(3)); // the number of an inode is used again
    };
    const remove = () => {
      this.#file = undefined;
    };
    const truncate = () => {
      if (this.#file === undefined) return create();
      this.#file.parts = [];
      this.#touch();
    };
    const rename = () => {
      create();
      this.#file!.parts = Array(PARTS).fill(version);
    };
    /** Each part at its place; those of mapped memory change the times at the end alone. */
    const atItsPlace = (touch: Step) =>
      Array.from({ length: PARTS }, (_, part) => () => {
        this.#file!.parts[part] = version;
        touch();
      });
    const map = () => {
      if (this.#file?.parts.length !== PARTS) return [truncate, ...append];
      return [...atItsPlace(() => undefined), () => this.#touch()];
    };
    /** The time of modification is as it was. */
    const overwrite = () => {
      if (this.#file?.parts.length !== PARTS) return [truncate, ...append];
      const { mtime } = this.#file;
      const written = atItsPlace(() => this.#touch());
      const restore = () => {
        this.#touch();
        this.#file!.mtime = mtime;
      };
      return [...written, restore];
    };
    const steps = {
      inPlace: () => [truncate, ...append],
      anew: () => [remove, create, ...append],
      renamed: () => [rename],
      overwritten: overwrite,
      mapped: map,
      removed: () => [remove],
    };
    return steps[kind]().map(say);
  }

  #created(number: number): Inode {
    return { number, parts: [], mtime: this.#fileTime, ctime: this.#fileTime };
  }

  #touch(): void {
    this.#file!.mtime = this.#fileTime;
    this.#file!.ctime = this.#fileTime;
  }

  get #fileTime(): number {
    return Math.floor((this.time + this.#shift) / TICK_MS);
  }

  /** Begins a look, or answers what one has asked for. */
  async #watchStep(): Promise<void> {
    if (this.#looking === undefined) {
      this.steps.push('look');
      this.#looking = this.watcher.look().finally(() => {
        this.#looking = undefined;
      });
    } else this.#pending.shift()?.();
    for (let turn = 0; turn < 10; turn++) await undefined;
  }

  #answered<T>(name: string, answer: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#pending.push(() => {
        this.steps.push(name);
        try {
          resolve(answer());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  get #calls(): Partial<FileCalls> {
    return {
      now: () => this.time,
      stat: () => this.#answered('stat', () => ({ ...statsOf(this.#existing), isFile: () => true })),
      open: () => this.#answered('open', () => this.#opened(this.#existing)),
    };
  }

  get #existing(): Inode {
    if (this.#file === undefined) throw new Error('ENOENT');
    return this.#file;
  }

  #opened(inode: Inode) {
    return {
      stat: () => this.#answered('fstat', () => statsOf(inode)),
      close: () => this.#answered('close', () => undefined),
      readFile: async () => {
        const parts: number[] = [];
        for (let isEnd = false; !isEnd; ) {
          const part = await this.#answered('read', () => inode.parts[parts.length]);
          isEnd = part === undefined;
          if (part !== undefined) parts.push(part);
        }
        return Uint8Array.from(parts);
      },
    };
  }
}

function statsOf({ number, parts, mtime, ctime }: Inode) {
  const [ino, size, mtimeNs, ctimeNs] = [number, parts.length, mtime, ctime].map(BigInt) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  return { dev: 1n, ino, size, mtimeNs, ctimeNs };
}

tests('no part of a write is taken, and what stays is taken', async () => {
  const next = random();
  let takenCount = 0;
  for (let count = 0; count < cases(1000); count++) {
    const model = new Model(next);
    await model.run();
    takenCount += model.taken.length;
  }
  assert.ok(takenCount > cases(1000), `only ${takenCount} contents were taken`);
});

/** Contents that do not say that they are whole. */
function taking(take: ContentUser['take']): ContentUser {
  return { saysWhole: () => false, take };
}

/** A file that is there, with a clock that goes on by what is waited. */
function alone(calls: Partial<FileCalls> = {}, settleMs = SETTLE_MS, user: Partial<ContentUser> = {}) {
  const taken: string[] = [];
  const inode = { number: 1, parts: [7, 7, 7, 7], mtime: 1, ctime: 1 };
  const clock = { time: 0 };
  const system: FileCalls = {
    stat: async () => ({ ...statsOf(inode), isFile: () => true }),
    open: async () => ({
      stat: async () => statsOf(inode),
      readFile: async () => Uint8Array.from(inode.parts),
      close: async () => undefined,
    }),
    readAll: async () => new Uint8Array(0),
    now: () => clock.time,
    pause: async (milliseconds) => {
      clock.time += milliseconds;
    },
    ...calls,
  };
  const take = (content: Uint8Array) => void taken.push(String(content));
  const watcher = new WatchedFile('file', { ...taking(take), ...user }, { settleMs, calls: system });
  let waitCount = 0;
  const load = () => watcher.load(() => waitCount++);
  const later = async (milliseconds: number) => {
    clock.time += milliseconds;
    await watcher.look();
  };
  return { taken, inode, watcher, clock, load, later, waits: () => waitCount };
}

tests(
  'at the start a file is waited for until it has settled, however old it says it is, and that is told',
  async () => {
    const { load, taken, clock, waits } = alone();
    await load();
    assert.equal([taken, clock.time, waits()], [['7,7,7,7'], SETTLE_MS, 1]);
  },
);

tests('one that says that it is whole is taken at once, and so is any where nothing has to settle', async () => {
  for (const { load, taken, clock, waits, inode, later } of [
    alone({}, SETTLE_MS, { saysWhole: () => true }),
    alone({}, 0),
  ]) {
    await load();
    assert.equal([taken, clock.time, waits()], [['7,7,7,7'], 0, 0]);
    inode.parts = [8];
    inode.ctime++;
    await later(1);
    assert.equal(taken, ['7,7,7,7', '8']);
  }
});

tests('one that says so and is not is waited for, and once it has settled that is its trouble', async () => {
  const problem = 'the end mark counts 5 entries, but 4 come before it';
  const { watcher, later, load, inode } = alone({}, SETTLE_MS, {
    saysWhole: () => true,
    take([first]) {
      if (first === 4) throw new Error(problem);
    },
  });
  await load();
  inode.parts = [4];
  inode.ctime++;
  await later(1);
  assert.equal([watcher.trouble, watcher.waiting?.problem], ['', problem]);
  await later(SETTLE_MS - 1);
  assert.is(watcher.trouble, '');
  await later(1);
  assert.equal([watcher.trouble, watcher.waiting], [problem, undefined]);
});

tests('a file that does not stop changing is not waited for longer than a minute more', async () => {
  const changing = { number: 1, parts: [1], mtime: 1, ctime: 1 };
  const { load, taken } = alone({
    stat: async () => ({ ...statsOf({ ...changing, ctime: changing.ctime++ }), isFile: () => true }),
  });
  assert.match((await rejectionOf(load())).message, /^still being written after 12[01] s: file$/);
  assert.equal(taken, []);
});

tests('a pipe is read once, and is not watched', async () => {
  let readCount = 0;
  const { watcher, taken, inode, load } = alone({
    stat: async () => ({ ...statsOf({ number: 2, parts: [], mtime: 1, ctime: 1 }), isFile: () => false }),
    readAll: async () => Uint8Array.of(++readCount),
  });
  await load();
  inode.ctime = 2;
  await watcher.look();
  assert.equal([taken, watcher.trouble], [['1'], '']);
});

tests('what the content is not good for is the trouble of the file, until it changes', async () => {
  let isGood = true;
  const { watcher, later, inode } = alone({}, SETTLE_MS, {
    take() {
      if (!isGood) throw new Error('a bad line');
    },
  });
  const troubles: string[] = [];
  for (const isNextGood of [true, false, true]) {
    isGood = isNextGood;
    inode.ctime++;
    await later(1);
    assert.is(watcher.waiting?.problem, 'nothing in it says that it is whole');
    await later(SETTLE_MS);
    troubles.push(watcher.trouble);
    assert.is(watcher.waiting, undefined);
  }
  assert.equal(troubles, ['', 'a bad line', '']);
});

tests('a file that is gone is waited for as long, and told once', async () => {
  let isGone = false;
  const inode = { number: 1, parts: [7], mtime: 1, ctime: 1 };
  const { watcher, later, load } = alone({
    async stat() {
      if (isGone) throw new Error('ENOENT');
      return { ...statsOf(inode), isFile: () => true };
    },
    open: async () => ({
      stat: async () => statsOf(inode),
      readFile: async () => Uint8Array.from(inode.parts),
      close: async () => undefined,
    }),
  });
  await load();
  isGone = true;
  await later(1);
  assert.equal([watcher.trouble, watcher.waiting?.problem], ['', 'ENOENT']);
  await later(SETTLE_MS);
  const { troubleSince } = watcher;
  for (let count = 0; count < 3; count++) {
    await later(1000);
    assert.equal([watcher.trouble, watcher.troubleSince, watcher.waiting], ['ENOENT', troubleSince, undefined]);
  }
  isGone = false;
  await later(1);
  assert.is(watcher.trouble, '');
});

tests.run();
