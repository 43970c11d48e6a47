import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { listEntries } from '../../specs/safe-browsing/list-entry.ts';
import { HashList } from '../lists/hash-list.ts';
import type { ListUpdate } from '../lists/update.ts';

/** As lists of Safe Browsing v5 are called: NAME-4b has prefixes of four bytes, and so on. */
const WIDTH = /-(4|8|16|32)b$/;
const VERSIONS_KEPT = 100;
const PREFIX_BYTES = 4;
/** How long a file that is written in place has to be unchanged. */
const SETTLE_MS = 2000;

export interface HostedListOptions {
  /** The share of its entries that a list may lose at once, 0 to 1. */
  readonly maxShrink: number;
  /** Milliseconds since 1970. */
  now?(): number;
  /** Is called with a sentence when what is wrong with the list changes. */
  onTrouble(message: string): void;
}

/** What tells a file from what it was. */
interface Look {
  readonly id: string;
  readonly inode: number;
  readonly time: number;
}

/**
 * A list made of a file with one URL per line, read again whenever the file has changed and is whole: it was put in its
 * place by a rename, or has not changed for a while. If it cannot be read, has a bad line, or has lost more entries
 * than it may at once, the list stays as it last was, and `onTrouble` is told why.
 */
export class HostedList {
  readonly name: string;
  readonly #path: string;
  readonly #width: number;
  readonly #options: HostedListOptions;
  /** What the file was like when it was read, and what was wrong with it then. */
  #read: Look & { readonly trouble: string } = { id: '', inode: 0, time: 0, trouble: '' };
  /** What it was like at the last look, and since when it has been so. */
  #seen = { id: '', since: 0 };
  #refreshing: Promise<void> | undefined;
  #trouble = '';
  #size = 0;
  /** Of the listed expressions, 32 bytes each, by their first four bytes in hex. */
  #hashes = new Map<string, Uint8Array[]>();
  /** The lists that were served, the newest last, by their versions in hex. */
  readonly #versions = new Map<string, HashList>();

  /** @throws {RangeError} where the name does not say how long prefixes are */
  constructor(name: string, path: string, options: HostedListOptions) {
    const found = WIDTH.exec(name);
    if (found === null) throw new RangeError(`the name ${name} does not end in -4b, -8b, -16b or -32b`);
    this.name = name;
    this.#path = path;
    this.#options = options;
    this.#width = Number(found[1]);
  }

  /** Reads the file for the first time. Without a good version to keep, what is wrong is thrown. */
  async load(): Promise<void> {
    await this.#take(await lookAt(this.#path));
    if (this.#read.trouble !== '') throw new Error(this.#read.trouble);
  }

  /** Reads the file again where it has changed. What is wrong with it does not concern other lists. */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshOnce().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  /** Returns what a client needs that names the versions it has: what has changed since, or the whole list. */
  updateFrom(versions: readonly Uint8Array[], waitMs: number): ListUpdate {
    const newest = [...this.#versions.values()].at(-1)!;
    const known = versions.map((version) => this.#versions.get(hexOfBytes(version))).find((list) => list !== undefined);
    return known === undefined ? newest.toUpdate(waitMs) : known.updateTo(newest, waitMs);
  }

  /** Returns the listed hashes that begin with a prefix of four bytes. */
  hashesUnder(prefix: Uint8Array): readonly Uint8Array[] {
    return this.#hashes.get(hexOfBytes(prefix)) ?? [];
  }

  async #refreshOnce(): Promise<void> {
    try {
      const look = await lookAt(this.#path);
      if (look.id !== this.#read.id && this.#isWhole(look)) await this.#take(look);
      if (look.id === this.#read.id) this.#tell(this.#read.trouble);
    } catch (error) {
      this.#tell((error as Error).message);
    }
  }

  /** Another inode has come by a rename. By its own time or by ours, as the clock of a file server may differ. */
  #isWhole({ id, inode, time }: Look): boolean {
    const now = this.#options.now?.() ?? Date.now();
    if (this.#seen.id !== id) this.#seen = { id, since: now };
    if (inode !== this.#read.inode) return true;
    return Math.max(now - time, now - this.#seen.since) >= SETTLE_MS;
  }

  /** Reads a file once, be it good or bad. */
  async #take(look: Look): Promise<void> {
    const text = await readFile(this.#path, 'utf8');
    if ((await lookAt(this.#path)).id !== look.id) throw new Error(`${this.#path}: it was written while it was read`);
    this.#read = { ...look, trouble: this.#troubleOf(text) };
  }

  #troubleOf(text: string): string {
    try {
      this.#set(text);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Once, not at each request. */
  #tell(trouble: string): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const state = trouble === '' ? 'it is served as its file is again' : `it stays as it was: ${trouble}`;
    this.#options.onTrouble(`${this.name}: ${state}`);
  }

  #set(text: string): void {
    const listed = text.split('\n').flatMap((line, index) => hashesOf(line, `${this.#path}:${index + 1}`));
    const different = [...new Map(listed.map((hash) => [hexOfBytes(hash), hash])).values()];
    this.#mustNotShrink(different.length);
    this.#size = different.length;
    this.#hashes = new Map();
    for (const hash of different) {
      const prefix = hexOfBytes(hash.subarray(0, PREFIX_BYTES));
      const under = this.#hashes.get(prefix);
      if (under === undefined) this.#hashes.set(prefix, [hash]);
      else under.push(hash);
    }
    const prefixes = Buffer.concat(different.map((hash) => hash.subarray(0, this.#width)));
    // a request names versions and not whose they are: no two lists have the same
    const version = createHash('sha256').update(`${this.name}\n${text}`).digest();
    this.#versions.delete(hexOfBytes(version));
    this.#versions.set(hexOfBytes(version), HashList.from(prefixes, this.#width, { name: this.name, version }));
    if (this.#versions.size > VERSIONS_KEPT) this.#versions.delete(this.#versions.keys().next().value!);
  }

  /** A file that is half written or was emptied by mistake would take the rest off every client's list. */
  #mustNotShrink(size: number): void {
    const { maxShrink } = this.#options;
    if (size >= this.#size * (1 - maxShrink)) return;
    const most = `more than ${Math.round(100 * maxShrink)} % at once`;
    throw new RangeError(`${this.#path}: it has ${size} entries in place of ${this.#size}, ${most} (--shrink)`);
  }
}

/** Blank lines and comments have no hashes. */
function hashesOf(line: string, place: string): Uint8Array[] {
  try {
    return line.trim() === '' ? [] : listEntries(line).entries.map(({ hash }) => hash);
  } catch (error) {
    throw new RangeError(`${place}: ${(error as Error).message}`, { cause: error });
  }
}

async function lookAt(path: string): Promise<Look> {
  const { ino, mtimeMs, size } = await stat(path);
  return { id: `${ino} ${mtimeMs} ${size}`, inode: ino, time: mtimeMs };
}
