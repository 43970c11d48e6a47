import { concatBytes, GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { HASH_BYTES } from '../../specs/safe-browsing/hash-prefix.ts';
import { PUBLIC_SUFFIX_LIST } from '../../specs/safe-browsing/suffix-list.ts';
import { type ContentUser, type FileCalls, WatchedFile } from '../../store/watched-file.ts';
import { isHeldList, listInFile } from '../check/held-list.ts';
import { HashList } from '../lists/hash-list.ts';
import { isListFile } from '../lists/list-file.ts';
import { sortedPrefixes } from '../lists/sorted-prefixes.ts';
import { shrinkProblem } from '../lists/update.ts';
import { endMarkIn, LineError, mustFitMarks } from './end-mark.ts';

/** The entries of a file: 32 bytes each, packed, and their number, each as often as it occurs. */
export interface FileEntries {
  readonly hashes: Uint8Array;
  readonly entryCount: number;
}

/** Reads the entries of a file that is not a built list. @throws what is wrong with it, and where */
export type ListFileReader = (path: string, content: Uint8Array) => Promise<FileEntries>;

export interface WatchedListOptions {
  readonly readEntries: ListFileReader;
  /** The time that a file that does not say that it is whole has to stay as it is, in milliseconds. */
  readonly settleMs: number;
  /** The share of its entries that a list may lose at once, 0 to 1. */
  readonly maxShrink: number;
  /** Called with a sentence when the list begins or ceases to differ from its file, or differs for another reason. */
  log(message: string): void;
  /** The calls of the system that tests replace. */
  readonly calls?: Partial<FileCalls> | undefined;
}

/**
 * A list that is made of a file, which is watched. It stays as it was while the file may not be whole, cannot be read,
 * is not a list, or has lost more entries than it may at once. Whole are at once a list of `urlsum list build`, which has
 * a checksum, and lines with an end mark that holds; other lines once they have settled, unless the ones before them had
 * a mark.
 */
export abstract class WatchedList {
  abstract readonly name: string;
  /** The least number of bytes that prefixes of a list may have. */
  protected abstract readonly shortest: number;
  /** The number of its entries. */
  abstract readonly size: number;
  protected readonly options: WatchedListOptions;
  readonly #file: WatchedFile;
  #trouble = '';
  /** The proof that the last content was whole; empty where there was none. */
  #lastProof = '';

  constructor(path: string, options: WatchedListOptions) {
    this.options = options;
    const user: ContentUser = {
      saysWhole: (content) => this.#saysWhole(content),
      take: (content) => this.#take(content),
    };
    this.#file = new WatchedFile(path, user, options);
  }

  /** Takes the list of a content of the file for its own. @throws what is wrong with that */
  protected abstract hold(list: HashList, content: Uint8Array): void;

  get path(): string {
    return this.#file.path;
  }

  /** The fault of the file; empty without one. */
  get trouble(): string {
    return this.#file.trouble;
  }

  /** The time since which the list stays as it was, in milliseconds since 1970. */
  get troubleSince(): number | undefined {
    return this.#file.troubleSince;
  }

  /**
   * The reason why the file, which has changed, does not count yet, and when it does; empty where it has not changed.
   */
  get waitingFor(): string {
    const problem = this.#file.waiting?.problem;
    const seconds = this.options.settleMs / 1000;
    return problem === undefined ? '' : `${problem}; waiting until it has stayed so for ${seconds} s (--settle)`;
  }

  /** The time since which the file is waited for, in milliseconds since 1970. */
  get waitingSince(): number | undefined {
    return this.#file.waiting?.since;
  }

  /** Reads the file for the first time. Without a good version to keep, what is wrong is thrown. */
  load(): Promise<void> {
    return this.#file.load(() => this.options.log(`${this.path}: ${this.waitingFor}`));
  }

  /**
   * Reads the file again where it has changed. What is wrong with it is told once, and does not concern other lists.
   */
  async look(): Promise<void> {
    await this.#file.look();
    const { trouble } = this.#file;
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.options.log(`${this.name}: ${trouble === '' ? 'it is as its file again' : `it stays as it was: ${trouble}`}`);
  }

  /**
   * Whether a content says that it is whole. A mark that is where the last one was, and counts as many, may be that one:
   * a program that overwrites the file has not come to its end. Only a checksum tells.
   */
  #saysWhole(content: Uint8Array): boolean {
    const proof = proofOf(content);
    return proof !== '' && (proof === CHECKSUM || proof !== this.#lastProof);
  }

  async #take(content: Uint8Array): Promise<void> {
    const proof = proofOf(content);
    const entries = isList(content) ? undefined : await this.options.readEntries(this.path, content);
    try {
      const list = entries === undefined ? this.#builtList(content) : await listOf(entries, content);
      this.#mustReplace(list.size, proof);
      this.hold(list, content);
    } catch (error) {
      const place = error instanceof LineError ? `${this.path}:${error.line}` : this.path;
      throw new RangeError(`${place}: ${(error as Error).message}`, { cause: error });
    }
    this.#lastProof = proof;
  }

  #builtList(content: Uint8Array): HashList {
    const list = listInFile(content);
    mustBeServable(list, this.shortest);
    return list;
  }

  /** @throws {RangeError} where a list may not take the place of the one that is held */
  #mustReplace(size: number, proof: string): void {
    if (proof === '' && this.#lastProof !== '')
      throw new RangeError('nothing in it says that it is whole, as its last content did; a restart takes it');
    const problem = shrinkProblem(size, this.size, this.options.maxShrink);
    if (problem !== undefined) throw new RangeError(`${problem} (--shrink)`);
  }
}

function isList(content: Uint8Array): boolean {
  return isListFile(content) || isHeldList(content);
}

const CHECKSUM = 'checksum';

/**
 * Returns what says that a content is whole: a checksum, or the count of a mark and its place; empty where nothing
 * does.
 */
function proofOf(content: Uint8Array): string {
  if (isList(content)) return CHECKSUM;
  const mark = endMarkIn(content);
  if (mark === undefined) return '';
  return mark.checksum === undefined ? `${mark.entryCount} before ${mark.at}` : CHECKSUM;
}

/** @throws {RangeError} where look-ups would find something else than who made the list meant */
function mustBeServable({ profile, suffixList, groups }: HashList, shortest: number): void {
  const short = groups.find(({ width }) => width < shortest);
  if (short !== undefined)
    throw new RangeError(
      `its prefixes have ${short.width} bytes; a list that is served here needs ${shortest} (list build --prefix ${shortest})`,
    );
  if (profile !== 'v5') throw new RangeError(`its profile is ${profile}, not safe-browsing`);
  if (suffixList !== undefined && suffixList !== PUBLIC_SUFFIX_LIST)
    throw new RangeError(`it was built with the Public Suffix List ${suffixList}, not ${PUBLIC_SUFFIX_LIST}`);
}

async function listOf({ hashes, entryCount }: FileEntries, content: Uint8Array): Promise<HashList> {
  mustFitMarks(content, entryCount);
  return HashList.from(await sortedHashes(hashes), HASH_BYTES);
}

/** The time that requests wait, in milliseconds, while a list is made of its file. */
const SLICE_MS = 10;

/** Sorts hashes by their first bytes, then each part for itself: other work goes on between the parts. */
async function sortedHashes(hashes: Uint8Array): Promise<Uint8Array> {
  const parts = Array.from({ length: 256 }, () => new GrowingBytes(HASH_BYTES));
  let sliceEnd = performance.now() + SLICE_MS;
  const pause = async () => {
    if (performance.now() < sliceEnd) return;
    await new Promise((resolve) => setImmediate(resolve));
    sliceEnd = performance.now() + SLICE_MS;
  };
  for (let at = 0; at < hashes.length; at += HASH_BYTES) {
    parts[hashes[at]!]!.bytes(hashes.subarray(at, at + HASH_BYTES));
    if (at % (1 << 16) === 0) await pause();
  }
  const sorted: Uint8Array[] = [];
  for (const part of parts) {
    sorted.push(sortedPrefixes(part.written, HASH_BYTES));
    await pause();
  }
  return concatBytes(sorted);
}
