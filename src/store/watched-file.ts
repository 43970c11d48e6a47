import type { BigIntStats } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a file has to stay as it is before it counts as whole: longer than any program pauses between two writes. */
const SETTLE_MS = 2000;
/** How often a file is looked at. A new list is served this long, and `SETTLE_MS`, after its last write. */
const LOOK_MS = 500;
/** A file that is still being written after this time is not waited for at the start of a program. */
const START_MS = 60_000;

/** What tells one state of a file from another. */
type State = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

/** A file that is open. */
interface OpenFile {
  stat(): Promise<State>;
  readFile(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Stands for the state of what is not a plain file, such as a pipe, which can be read only once. */
const READ_ONCE = 'read once';

/** The calls of the system, which a test answers step by step. */
export interface FileCalls {
  stat(path: string): Promise<State & { isFile(): boolean }>;
  open(path: string): Promise<OpenFile>;
  readAll(path: string): Promise<Uint8Array>;
  /** Milliseconds of a clock that is never set. */
  now(): number;
  pause(milliseconds: number): Promise<unknown>;
}

const SYSTEM: FileCalls = {
  stat: (path) => stat(path, { bigint: true }),
  async open(path) {
    const file = await open(path);
    return { stat: () => file.stat({ bigint: true }), readFile: () => file.readFile(), close: () => file.close() };
  },
  readAll: (path) => readFile(path),
  now: () => performance.now(),
  pause: (milliseconds) => pause(milliseconds),
};

/**
 * A file that is read again whenever its content has changed and is whole. Nothing says that a program is done writing:
 * a file is whole when its device, inode, size and times have not changed for `SETTLE_MS` by a clock of this process. The
 * file's own times are compared, never trusted: the clock of a file server may be behind. A file that is rewritten with
 * its old size and time of modification has another `ctime`.
 */
export class WatchedFile {
  readonly path: string;
  readonly #take: (content: Uint8Array) => Promise<void> | void;
  readonly #calls: FileCalls;
  /** The state of the last look, as text, and since when the file has been so. */
  #seen = { state: '', since: 0 };
  /** The state that was read last, and what was wrong with the content. */
  #read = { state: '', trouble: '' };
  #trouble = '';
  #troubleSince: number | undefined;
  #looking: Promise<void> | undefined;

  /** @param take uses the content; what it throws is what is wrong with the file */
  constructor(path: string, take: (content: Uint8Array) => Promise<void> | void, calls: Partial<FileCalls> = {}) {
    this.path = path;
    this.#take = take;
    this.#calls = { ...SYSTEM, ...calls };
  }

  /** What is wrong with the file since it was last taken; empty if nothing is. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Since when anything has been wrong, in milliseconds since 1970. */
  get troubleSince(): number | undefined {
    return this.#troubleSince;
  }

  /** Waits until the file is whole, and reads it for the first time. @throws what is wrong with it */
  async load(): Promise<void> {
    const { now, pause, stat, readAll } = this.#calls;
    if (!(await stat(this.path)).isFile()) {
      await this.#take(await readAll(this.path)); // the end of a pipe says that the content is whole
      this.#read.state = READ_ONCE;
      return;
    }
    for (const start = now(); ; await pause(LOOK_MS)) {
      await this.look();
      if (this.#trouble !== '') throw new Error(this.#trouble);
      if (this.#read.state !== '') return;
      if (now() - start > START_MS) throw new Error(`still being written after a minute: ${this.path}`);
    }
  }

  /** Reads the file if it has changed and is whole. What is wrong with it is its `trouble`. */
  async look(): Promise<void> {
    if (this.#read.state === READ_ONCE) return;
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #lookOnce(): Promise<void> {
    try {
      const stats = await this.#calls.stat(this.path);
      if (!stats.isFile()) throw new Error(`no longer a plain file: ${this.path}`);
      if (!this.#hasSettled(textOf(stats))) return;
      if (this.#seen.state !== this.#read.state) await this.#readWhole();
      if (this.#seen.state === this.#read.state) this.#setTrouble(this.#read.trouble);
    } catch (error) {
      const { message } = error as Error;
      if (this.#hasSettled(message)) this.#setTrouble(message);
    }
  }

  #setTrouble(trouble: string): void {
    this.#trouble = trouble;
    this.#troubleSince = trouble === '' ? undefined : (this.#troubleSince ?? Date.now());
  }

  /** Notes a state. Returns whether the file has been in it for the time that makes it whole. */
  #hasSettled(state: string): boolean {
    const now = this.#calls.now();
    if (state !== this.#seen.state) this.#seen = { state, since: now };
    return now - this.#seen.since >= SETTLE_MS;
  }

  /** Reads the file from one descriptor, unless it is not the one that has settled, or is written meanwhile. */
  async #readWhole(): Promise<void> {
    const file = await this.#calls.open(this.path);
    try {
      if (!this.#hasSettled(textOf(await file.stat()))) return;
      const content = await file.readFile();
      if (!this.#hasSettled(textOf(await file.stat()))) return;
      const { state } = this.#seen;
      this.#read = { state, trouble: await this.#troubleOf(content) };
    } finally {
      await file.close();
    }
  }

  async #troubleOf(content: Uint8Array): Promise<string> {
    try {
      await this.#take(content);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  }
}

/** Calls `look` every `LOOK_MS`, until the function that is returned is called. */
export function keepLooking(look: () => Promise<void>): () => void {
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function textOf({ dev, ino, size, mtimeNs, ctimeNs }: State): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}
