import { createHash } from 'node:crypto';
import { concatBytes, GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { withoutUnseen } from '../../core/quote.ts';
import { HASH_BYTES, headAt } from '../../specs/safe-browsing/hashes.ts';
import { listEntries } from '../../specs/safe-browsing/list-entry.ts';
import { type FileCalls, WatchedFile } from '../../store/watched-file.ts';
import { HashList } from '../lists/hash-list.ts';
import { HASH_LIST } from '../lists/messages/hash-list-message.ts';
import { packed, sortedPrefixes } from '../lists/sorted-prefixes.ts';
import { shrinkProblem } from '../lists/update.ts';

/** As lists of Safe Browsing v5 are called: NAME-4b has prefixes of four bytes, and so on. */
const WIDTH = /-(4|8|16|32)b$/;
const VERSIONS_KEPT = 100;
/** How long requests wait, in milliseconds, while a list is made of its file. */
const PIECE_MS = 10;

export interface HostedListOptions {
  /** The share of its entries that a list may lose at once, 0 to 1. */
  readonly maxShrink: number;
  /** How long clients wait until they fetch the list again, in milliseconds. */
  readonly waitMs: number;
  /** Is called with a sentence when what is wrong with the list changes. */
  onTrouble(message: string): void;
  /** For tests. */
  readonly calls?: Partial<FileCalls>;
}

/**
 * A list made of a file with one URL per line, which is watched. If the file cannot be read, has a bad line, or has lost
 * more entries than it may at once, the list stays as it last was, and `onTrouble` is told why.
 */
export class HostedList {
  readonly name: string;
  readonly #file: WatchedFile;
  readonly #width: number;
  readonly #options: HostedListOptions;
  #trouble = '';
  /** Of the listed expressions: 32 bytes each, packed, ascending, each once. */
  #hashes: Uint8Array = new Uint8Array(0);
  /** The lists that were served, the newest last, by their versions in hex. */
  readonly #versions = new Map<string, HashList>();
  /** What the newest list is answered as, by the format and the version that a client has. */
  readonly #messages = new Map<string, Uint8Array>();

  /** @throws {RangeError} where the name does not say how long prefixes are */
  constructor(name: string, path: string, options: HostedListOptions) {
    const found = WIDTH.exec(name);
    if (found === null) throw new RangeError(`the name ${withoutUnseen(name)} does not end in -4b, -8b, -16b or -32b`);
    this.name = name;
    this.#file = new WatchedFile(path, (content) => this.#set(Buffer.from(content).toString()), options.calls);
    this.#options = options;
    this.#width = Number(found[1]);
  }

  /** Reads the file for the first time. Without a good version to keep, what is wrong is thrown. */
  load(): Promise<void> {
    return this.#file.load();
  }

  /** Reads the file again where it has changed. What is wrong with it is told once, and does not concern other lists. */
  async look(): Promise<void> {
    await this.#file.look();
    const { trouble } = this.#file;
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const state = trouble === '' ? 'it is served as its file is again' : `it stays as it was: ${trouble}`;
    this.#options.onTrouble(`${this.name}: ${state}`);
  }

  /**
   * Returns a `HashList` message, in JSON or in protobuf, for a client that names the versions it has: what has changed
   * since, or the whole list. Each is encoded once.
   */
  message(versions: readonly Uint8Array[], isJson: boolean): Uint8Array {
    const known = versions.map((version) => hexOfBytes(version)).find((version) => this.#versions.has(version)) ?? '';
    const key = `${isJson ? 'json' : 'proto'} ${known}`;
    const message = this.#messages.get(key) ?? this.#encoded(known, isJson);
    this.#messages.set(key, message);
    return message;
  }

  #encoded(known: string, isJson: boolean): Uint8Array {
    const { waitMs } = this.#options;
    const newest = [...this.#versions.values()].at(-1)!;
    const update = this.#versions.get(known)?.updateTo(newest, waitMs) ?? newest.toUpdate(waitMs);
    return isJson ? Buffer.from(JSON.stringify(HASH_LIST.toJson(update))) : HASH_LIST.encode(update);
  }

  /** Returns the listed hashes that begin with a prefix of four bytes. */
  hashesUnder(prefix: Uint8Array): readonly Uint8Array[] {
    const head = headAt(prefix, 0);
    const found: Uint8Array[] = [];
    for (let row = firstRow(this.#hashes, head); ; row++) {
      const hash = this.#hashes.subarray(row * HASH_BYTES, (row + 1) * HASH_BYTES);
      if (hash.length === 0 || headAt(hash, 0) !== head) return found;
      found.push(hash);
    }
  }

  /** Makes the list of the file's text, in pieces: it takes seconds, in which requests are answered with the old one. */
  async #set(text: string): Promise<void> {
    const hashes = await sortedHashes(text, this.#file.path);
    const [size, before] = [hashes, this.#hashes].map(({ length }) => length / HASH_BYTES) as [number, number];
    const problem = shrinkProblem(size, before, this.#options.maxShrink);
    if (problem !== undefined) throw new RangeError(`${this.#file.path}: ${problem} (--shrink)`);
    // a request names versions and not whose they are: no two lists have the same
    const version = createHash('sha256').update(`${this.name}\n${text}`).digest();
    const list = HashList.from(prefixesOf(hashes, this.#width), this.#width, { name: this.name, version });
    this.#hashes = hashes;
    this.#messages.clear();
    this.#versions.delete(hexOfBytes(version));
    this.#versions.set(hexOfBytes(version), list);
    if (this.#versions.size > VERSIONS_KEPT) this.#versions.delete(this.#versions.keys().next().value!);
  }
}

/** Returns the row of the first hash that begins with `head` or with what comes after it. */
function firstRow(hashes: Uint8Array, head: number): number {
  let [low, high] = [0, hashes.length / HASH_BYTES];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (headAt(hashes, middle * HASH_BYTES) < head) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the beginnings of ascending hashes. */
function prefixesOf(hashes: Uint8Array, width: number): Uint8Array {
  const prefixes = new Uint8Array((hashes.length / HASH_BYTES) * width);
  for (let from = 0, to = 0; from < hashes.length; from += HASH_BYTES, to += width)
    for (let byte = 0; byte < width; byte++) prefixes[to + byte] = hashes[from + byte]!;
  return prefixes;
}

/**
 * Hashes the entries of a file, and sorts them by their first bytes, then each part for itself.
 *
 * @throws {RangeError} on a line that cannot be listed
 */
async function sortedHashes(text: string, path: string): Promise<Uint8Array> {
  const parts = Array.from({ length: 256 }, () => new GrowingBytes(HASH_BYTES));
  const pieces = new Pieces();
  for (let start = 0, number = 1; start <= text.length; number++) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    for (const hash of hashesOf(text.slice(start, end), `${path}:${number}`)) parts[hash[0]!]!.bytes(hash);
    start = end + 1;
    if (pieces.isOver) await pieces.next();
  }
  const sorted: Uint8Array[] = [];
  for (const part of parts) {
    sorted.push(packed(sortedPrefixes(part.written, HASH_BYTES), HASH_BYTES));
    if (pieces.isOver) await pieces.next();
  }
  return concatBytes(sorted);
}

/** Divides long work, so that what else has come in meanwhile is done between two pieces of it. */
class Pieces {
  #end = performance.now() + PIECE_MS;

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#end = performance.now() + PIECE_MS;
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
