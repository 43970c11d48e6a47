import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type FileState, textOfState } from './files.ts';

/** The interval between looks at a file. */
const LOOK_MS = 500;
/** The time after which the start of a program gives up a file that could have settled and still changes. */
const START_MS = 60_000;

/** A file that is open. */
interface OpenFile {
  stat(): Promise<FileState>;
  readFile(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The state of what is not a plain file, such as a pipe, which can be read only once. */
const READ_ONCE = 'read once';

/** The calls of the system, which a test answers step by step. */
export interface FileCalls {
  stat(path: string): Promise<FileState & { isFile(): boolean }>;
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

/** Uses the contents of a watched file. */
export interface ContentUser {
  /** Whether a content says of itself that it is whole; `take` then checks that it is. */
  saysWhole(content: Uint8Array): boolean;
  /** Uses a content. What it throws is what is wrong with the file. */
  take(content: Uint8Array): Promise<void> | void;
}

export interface WatchedFileOptions {
  /** The time that a content that does not say that it is whole has to stay as it is, in milliseconds. */
  readonly settleMs: number;
  /** The calls of the system that tests replace. */
  readonly calls?: Partial<FileCalls> | undefined;
}

/** A file that is waited for until it has settled. */
export interface Waiting {
  /** The reason why it does not count as it is. */
  readonly problem: string;
  /** The time since which it has been another than the one that was read, in milliseconds since 1970. */
  readonly since: number;
}

/** A state of a file that is not believed yet. */
interface SeenState {
  readonly state: string;
  /** The time at which its content had been read first, by the clock of the calls. */
  readonly at: number;
  /** The SHA-256 of the content: a program that writes to mapped memory changes that alone. */
  readonly digest: string;
  readonly waiting: Waiting;
}

/**
 * A file that is read again whenever its content has changed and is whole. No size, inode or time says that a program
 * is done writing: the content does, or it has stayed the same for `settleMs` by a clock of this process. The file's
 * own times are compared, never trusted: the clock of a file server may be behind. A file that is rewritten with its
 * old size and time of modification has another `ctime`.
 */
export class WatchedFile {
  readonly path: string;
  readonly #user: ContentUser;
  readonly #settleMs: number;
  readonly #calls: FileCalls;
  #seen: SeenState | undefined;
  /** The state that was read last, and what was wrong with the content. */
  #read = { state: '', trouble: '' };
  #trouble = '';
  #troubleSince: number | undefined;
  #looking: Promise<void> | undefined;

  constructor(path: string, user: ContentUser, { settleMs, calls = {} }: WatchedFileOptions) {
    this.path = path;
    this.#user = user;
    this.#settleMs = settleMs;
    this.#calls = { ...SYSTEM, ...calls };
  }

  /** The fault of the file since it was last taken; empty without one. */
  get trouble(): string {
    return this.#trouble;
  }

  /** The time since which anything has been wrong, in milliseconds since 1970. */
  get troubleSince(): number | undefined {
    return this.#troubleSince;
  }

  /** The reason why a file that has changed is waited for; undefined where it is not. */
  get waiting(): Waiting | undefined {
    return this.#seen?.waiting;
  }

  /**
   * Waits until the file is whole, and reads it for the first time.
   *
   * @param onWait called once where the file has to settle
   * @throws what is wrong with it
   */
  async load(onWait: () => void): Promise<void> {
    const { now, pause, stat, readAll } = this.#calls;
    if (!(await stat(this.path)).isFile()) {
      await this.#user.take(await readAll(this.path)); // the end of a pipe says that the content is whole
      this.#read.state = READ_ONCE;
      return;
    }
    for (const start = now(); ; await pause(LOOK_MS)) {
      const isFirst = this.#seen === undefined;
      await this.look();
      if (this.#trouble !== '') throw new Error(this.#trouble);
      if (this.#read.state !== '') return;
      if (isFirst && this.waiting !== undefined) onWait();
      const waitedMs = now() - start;
      if (waitedMs > this.#settleMs + START_MS)
        throw new Error(`still being written after ${Math.round(waitedMs / 1000)} s: ${this.path}`);
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
      const state = textOfState(stats);
      if (state !== this.#read.state) await this.#examine(state);
      if (state === this.#read.state) this.#settle(this.#read.trouble);
    } catch (error) {
      const { message } = error as Error;
      if (message === this.#trouble && this.#seen === undefined) return; // that is known
      if (this.#seen?.state !== message) this.#see(message, '', message);
      if (this.#hasSettled()) this.#settle(message);
    }
  }

  /** Ends the wait for the file, with or without trouble. */
  #settle(trouble: string): void {
    this.#seen = undefined;
    this.#trouble = trouble;
    this.#troubleSince = trouble === '' ? undefined : (this.#troubleSince ?? Date.now());
  }

  #see(state: string, digest: string, problem: string): void {
    const since = this.#seen?.waiting.since ?? Date.now();
    this.#seen = { state, at: this.#calls.now(), digest, waiting: { problem, since } };
  }

  #hasSettled(): boolean {
    return this.#seen !== undefined && this.#calls.now() - this.#seen.at >= this.#settleMs;
  }

  /** Reads the file when a state is new, and once it has lasted: its content must be the same then. */
  async #examine(state: string): Promise<void> {
    const isNew = state !== this.#seen?.state;
    if (!isNew && !this.#hasSettled()) return;
    const content = await this.#contentIn(state);
    if (content === undefined) return;
    const digest = createHash('sha256').update(content).digest('hex');
    const isOther = isNew || digest !== this.#seen?.digest;
    if (isOther) this.#see(state, digest, 'nothing in it says that it is whole');
    const isSettled = this.#settleMs === 0 || !isOther;
    if (!isSettled && !this.#user.saysWhole(content)) return;
    const trouble = await this.#troubleOf(content);
    if (trouble === '' || isSettled) this.#read = { state, trouble };
    else this.#see(state, digest, trouble);
  }

  /**
   * Returns what one descriptor gives; undefined where it is not of the file in this state, or is written meanwhile.
   */
  async #contentIn(state: string): Promise<Uint8Array | undefined> {
    const file = await this.#calls.open(this.path);
    try {
      if (textOfState(await file.stat()) !== state) return undefined;
      const content = await file.readFile();
      return textOfState(await file.stat()) === state ? content : undefined;
    } finally {
      await file.close();
    }
  }

  async #troubleOf(content: Uint8Array): Promise<string> {
    try {
      await this.#user.take(content);
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
