import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { listEntry } from 'urlsum/safe-browsing';
import { HashList } from 'urlsum/safe-browsing/lists';

/** As lists of Safe Browsing v5 are called: NAME-4b has prefixes of four bytes, and so on. */
const LENGTH = /-(4|8|16|32)b$/;
const VERSIONS_KEPT = 100;

function hashOf({ line, place }) {
  try {
    return Buffer.from(listEntry(line).hash);
  } catch (error) {
    throw new RangeError(`${place}: ${error.message}`, { cause: error });
  }
}

/** A list made of a file with one URL per line, read again whenever the file has changed. */
export class HostedList {
  #path;
  /** What the file was like when it was read: two times may be equal within some milliseconds. */
  #read = '';
  #length;
  /** Of the listed expressions, 32 bytes each, by their first four bytes in hex. */
  #hashes = new Map();
  /** The lists that were served, the newest last, by their versions in hex. */
  #versions = new Map();

  constructor(name, path) {
    const found = LENGTH.exec(name);
    if (found === null) throw new RangeError(`the name ${name} does not end in -4b, -8b, -16b or -32b`);
    this.name = name;
    this.#path = path;
    this.#length = Number(found[1]);
  }

  async refresh() {
    const { ino, mtimeMs, size } = await stat(this.#path);
    const found = `${ino} ${mtimeMs} ${size}`;
    if (found === this.#read) return;
    this.#set(await readFile(this.#path, 'utf8'));
    this.#read = found;
  }

  /** What a client needs that names the versions it has: what has changed since, or the whole list. */
  updateFrom(versions, waitSeconds) {
    const newest = [...this.#versions.values()].at(-1);
    const known = versions.map((version) => this.#versions.get(version.toString('hex'))).find(Boolean);
    return known === undefined ? newest.toUpdate(waitSeconds) : known.updateTo(newest, waitSeconds);
  }

  /** The listed hashes that begin with a prefix of four bytes. */
  hashesUnder(prefix) {
    return this.#hashes.get(prefix.toString('hex')) ?? [];
  }

  #set(text) {
    const lines = text.split('\n').map((line, index) => ({ line, place: `${this.#path}:${index + 1}` }));
    const listed = lines.filter(({ line }) => line.trim() !== '').map(hashOf);
    this.#hashes = new Map();
    for (const hash of new Map(listed.map((each) => [each.toString('hex'), each])).values()) {
      const prefix = hash.toString('hex', 0, 4);
      this.#hashes.set(prefix, [...(this.#hashes.get(prefix) ?? []), hash]);
    }
    const prefixes = Buffer.concat(listed.map((hash) => hash.subarray(0, this.#length)));
    // a request names versions and not whose they are: no two lists have the same
    const version = createHash('sha256').update(`${this.name}\n${text}`).digest();
    const key = version.toString('hex');
    this.#versions.delete(key);
    this.#versions.set(key, HashList.from(prefixes, this.#length, { name: this.name, version }));
    if (this.#versions.size > VERSIONS_KEPT) this.#versions.delete(this.#versions.keys().next().value);
  }
}
