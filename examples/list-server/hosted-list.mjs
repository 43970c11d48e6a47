import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { listEntries } from 'urlsum/safe-browsing';
import { HashList } from 'urlsum/safe-browsing/lists';

/** As lists of Safe Browsing v5 are called: NAME-4b has prefixes of four bytes, and so on. */
const LENGTH = /-(4|8|16|32)b$/;
const VERSIONS_KEPT = 100;

/** Blank lines and comments have no hashes. */
function hashesOf({ line, place }) {
  try {
    return line.trim() === '' ? [] : listEntries(line).entries.map(({ hash }) => Buffer.from(hash));
  } catch (error) {
    throw new RangeError(`${place}: ${error.message}`, { cause: error });
  }
}

/**
 * A list made of a file with one URL per line, read again whenever the file has changed and is whole: it was put in its
 * place by a rename, or has not changed for a while. Where it cannot be read, has a bad line, or has lost more entries
 * than it may at once, the list stays as it last was, and `onTrouble` is told why.
 */
export class HostedList {
  #path;
  #options;
  /** What the file was like when it was read, and what was wrong with it then. */
  #read = { trouble: '' };
  /** What it was like at the last look, and since when it has been so. */
  #seen = {};
  #refreshing;
  #trouble = '';
  #length;
  #size = 0;
  /** Of the listed expressions, 32 bytes each, by their first four bytes in hex. */
  #hashes = new Map();
  /** The lists that were served, the newest last, by their versions in hex. */
  #versions = new Map();

  /**
   * @param options `maxShrink`: the share of its entries that a list may lose at once, 0 to 1; `settleMs`: how long a
   * file that is written in place has to be unchanged; `now`: milliseconds since 1970; `onTrouble`: is called with a
   * sentence when what is wrong with the list changes
   */
  constructor(name, path, options = {}) {
    const found = LENGTH.exec(name);
    if (found === null) throw new RangeError(`the name ${name} does not end in -4b, -8b, -16b or -32b`);
    this.name = name;
    this.#path = path;
    this.#options = { maxShrink: 0.5, settleMs: 2000, now: Date.now, onTrouble: () => {}, ...options };
    this.#length = Number(found[1]);
  }

  /** Reads the file for the first time. Without a good version to keep, what is wrong is thrown. */
  async load() {
    await this.#take(await lookAt(this.#path));
    if (this.#read.trouble !== '') throw new Error(this.#read.trouble);
  }

  /** Reads the file again where it has changed. What is wrong with it does not concern other lists. */
  async refresh() {
    this.#refreshing ??= this.#refreshOnce().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #refreshOnce() {
    try {
      const look = await lookAt(this.#path);
      if (look.id !== this.#read.id && this.#isWhole(look)) await this.#take(look);
      if (look.id === this.#read.id) this.#tell(this.#read.trouble);
    } catch (error) {
      this.#tell(error.message);
    }
  }

  /** Another inode has come by a rename. By its own time or by ours, as the clock of a file server may differ. */
  #isWhole({ id, inode, time }) {
    const now = this.#options.now();
    if (this.#seen.id !== id) this.#seen = { id, since: now };
    if (inode !== this.#read.inode) return true;
    return Math.max(now - time, now - this.#seen.since) >= this.#options.settleMs;
  }

  /** Reads a file once, be it good or bad. */
  async #take(look) {
    const text = await readFile(this.#path, 'utf8');
    if ((await lookAt(this.#path)).id !== look.id) throw new Error(`${this.#path}: it was written while it was read`);
    this.#read = { ...look, trouble: this.#troubleOf(text) };
  }

  #troubleOf(text) {
    try {
      this.#set(text);
      return '';
    } catch (error) {
      return error.message;
    }
  }

  /** Once, not at each request. */
  #tell(trouble) {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const state = trouble === '' ? 'it is served as its file is again' : `it stays as it was: ${trouble}`;
    this.#options.onTrouble(`${this.name}: ${state}`);
  }

  /** What a client needs that names the versions it has: what has changed since, or the whole list. */
  updateFrom(versions, waitMs) {
    const newest = [...this.#versions.values()].at(-1);
    const known = versions.map((version) => this.#versions.get(version.toString('hex'))).find(Boolean);
    return known === undefined ? newest.toUpdate(waitMs) : known.updateTo(newest, waitMs);
  }

  /** The listed hashes that begin with a prefix of four bytes. */
  hashesUnder(prefix) {
    return this.#hashes.get(prefix.toString('hex')) ?? [];
  }

  #set(text) {
    const lines = text.split('\n').map((line, index) => ({ line, place: `${this.#path}:${index + 1}` }));
    const listed = lines.flatMap(hashesOf);
    const different = [...new Map(listed.map((hash) => [hash.toString('hex'), hash])).values()];
    this.#mustNotShrink(different.length);
    this.#size = different.length;
    this.#hashes = new Map();
    for (const hash of different) {
      const prefix = hash.toString('hex', 0, 4);
      this.#hashes.set(prefix, [...(this.#hashes.get(prefix) ?? []), hash]);
    }
    const prefixes = Buffer.concat(different.map((hash) => hash.subarray(0, this.#length)));
    // a request names versions and not whose they are: no two lists have the same
    const version = createHash('sha256').update(`${this.name}\n${text}`).digest();
    const key = version.toString('hex');
    this.#versions.delete(key);
    this.#versions.set(key, HashList.from(prefixes, this.#length, { name: this.name, version }));
    if (this.#versions.size > VERSIONS_KEPT) this.#versions.delete(this.#versions.keys().next().value);
  }

  /** A file that is half written or was emptied by mistake would take the rest off every client's list. */
  #mustNotShrink(size) {
    const { maxShrink } = this.#options;
    if (size >= this.#size * (1 - maxShrink)) return;
    const most = `more than ${Math.round(100 * maxShrink)} % at once`;
    throw new RangeError(`${this.#path}: it has ${size} entries in place of ${this.#size}, ${most} (--shrink)`);
  }
}

/** What tells a file from what it was. */
async function lookAt(path) {
  const { ino, mtimeMs, size } = await stat(path);
  return { id: `${ino} ${mtimeMs} ${size}`, inode: ino, time: mtimeMs };
}
