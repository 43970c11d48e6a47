// Files that are watched while programs write them: every order of what a writer does and what the system answers,
// against a model that knows which contents are whole. The time is the model's.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FileCalls, WatchedFile } from '../../src/store/watched-file.ts';
import { cases, random, SEED } from '../seed.ts';
import { rejectionOf } from '../thrown.ts';

const tests = suite('store: watched files');

/** A file is whole when it has not changed for this long, in milliseconds. */
const SETTLE_MS = 2000;
/** Parts of a whole file. */
const PARTS = 4;
/** Of the times of a file, in milliseconds. */
const TICK_MS = 4;

interface Inode {
  number: number;
  /** What each part was written by. */
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
  /** Of the clock of the file server: it may be hours ahead or behind. */
  readonly #shift: number;
  #file: Inode | undefined;
  #version = 0;
  readonly #pending: Step[] = [];
  /** What is left of a write, and when its last step was. */
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
    this.watcher = new WatchedFile('file', (content) => void this.taken.push([...content]), this.#calls);
  }

  get content(): readonly number[] | undefined {
    return this.#file?.parts;
  }

  async run(): Promise<void> {
    for (let left = 40 + this.#next(200); left > 0; left--) {
      const kind = this.#next(8);
      if (kind === 0) this.#writeStep();
      else if (kind < 3) this.#pass(this.#next(2) === 0 ? this.#next(TICK_MS) : this.#next(1500));
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
    const kinds = { inPlace: 0, anew: 1, renamed: 2, overwritten: 3, removed: 4 };
    const kind = Object.keys(kinds)[this.#next(5)] as keyof typeof kinds;
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
    /** Each part at its place, and the time of modification as it was. */
    const overwrite = () => {
      if (this.#file?.parts.length !== PARTS) return [truncate, ...append];
      const { mtime } = this.#file;
      const written = Array.from({ length: PARTS }, (_, part) => () => {
        this.#file!.parts[part] = version;
        this.#touch();
      });
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

/** A file that is there, with a clock that goes on by what is waited. */
function alone(calls: Partial<FileCalls> = {}) {
  const taken: string[] = [];
  const waits: number[] = [];
  const inode = { number: 1, parts: [7, 7, 7, 7], mtime: 1, ctime: 1 };
  let time = 0;
  const watcher = new WatchedFile('file', (content) => void taken.push(String(content)), {
    stat: async () => ({ ...statsOf(inode), isFile: () => true }),
    open: async () => ({
      stat: async () => statsOf(inode),
      readFile: async () => Uint8Array.from(inode.parts),
      close: async () => undefined,
    }),
    now: () => time,
    pause: async (milliseconds) => {
      waits.push(milliseconds);
      time += milliseconds;
    },
    ...calls,
  });
  return { taken, inode, watcher, elapsed: () => time };
}

tests('at the start a file is waited for until it has settled, however old it says it is', async () => {
  const { watcher, taken, elapsed } = alone();
  await watcher.load();
  assert.equal([taken, elapsed()], [['7,7,7,7'], SETTLE_MS]);
});

tests('a file that does not stop changing is not waited for longer than a minute', async () => {
  const changing = { number: 1, parts: [1], mtime: 1, ctime: 1 };
  const { watcher, taken } = alone({
    stat: async () => ({ ...statsOf({ ...changing, ctime: changing.ctime++ }), isFile: () => true }),
  });
  assert.is((await rejectionOf(watcher.load())).message, 'still being written after a minute: file');
  assert.equal(taken, []);
});

tests('a pipe is read once, and is not watched', async () => {
  let readCount = 0;
  const { watcher, taken, inode } = alone({
    stat: async () => ({ ...statsOf({ number: 2, parts: [], mtime: 1, ctime: 1 }), isFile: () => false }),
    readAll: async () => Uint8Array.of(++readCount),
  });
  await watcher.load();
  inode.ctime = 2;
  await watcher.look();
  assert.equal([taken, watcher.trouble], [['1'], '']);
});

tests('what the content is not good for is the trouble of the file, until it changes', async () => {
  const troubles: string[] = [];
  const { inode, elapsed } = alone();
  let time = elapsed();
  let isGood = true;
  const watcher = new WatchedFile(
    'file',
    () => {
      if (!isGood) throw new Error('a bad line');
    },
    {
      stat: async () => ({ ...statsOf(inode), isFile: () => true }),
      open: async () => ({
        stat: async () => statsOf(inode),
        readFile: async () => new Uint8Array(0),
        close: async () => undefined,
      }),
      now: () => (time += SETTLE_MS / 2),
    },
  );
  for (const isNextGood of [true, false, true]) {
    isGood = isNextGood;
    inode.ctime++;
    for (let count = 0; count < 3; count++) await watcher.look();
    troubles.push(watcher.trouble);
  }
  assert.equal(troubles, ['', 'a bad line', '']);
});

tests.run();
