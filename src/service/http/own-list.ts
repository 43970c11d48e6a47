import { basename } from 'node:path';
import { PUBLIC_SUFFIX_LIST } from '../../specs/safe-browsing/suffix-list.ts';
import { type FileCalls, WatchedFile } from '../../store/watched-file.ts';
import { HashList } from '../lists/hash-list.ts';
import type { ThreatType } from '../lists/threats.ts';

/** Shorter prefixes match URLs that are not listed, and nobody has the whole hashes to tell. */
const SHORTEST_PREFIX = 8;

/** A list of one's own, of `urlsum list build`, and what a URL on it is. It is read again when its file has changed. */
export class OwnList {
  readonly type: ThreatType;
  readonly #file: WatchedFile;
  #list: HashList = HashList.empty();

  constructor(path: string, type: ThreatType, calls?: Partial<FileCalls>) {
    this.type = type;
    this.#file = new WatchedFile(path, (content) => this.#set(HashList.fromBytes(content)), calls);
  }

  /** Its name, or that of its file where it has none. */
  get name(): string {
    return this.#list.name || basename(this.#file.path);
  }

  get size(): number {
    return this.#list.size;
  }

  /** What is wrong with the file; the list is as it last was. */
  get trouble(): string {
    const { path, trouble } = this.#file;
    return trouble && `${path}: ${trouble}`;
  }

  /** Whether one of a URL's expressions is listed. */
  hasOneOf(hashes: readonly Uint8Array[]): boolean {
    return hashes.some((hash) => this.#list.has(hash));
  }

  /** @throws where the file is not such a list */
  load(): Promise<void> {
    return this.#file.load();
  }

  /** Reads the file again where it has changed. Returns what is wrong with it, once. */
  async look(): Promise<string | undefined> {
    const before = this.trouble;
    await this.#file.look();
    return this.trouble === '' || this.trouble === before ? undefined : this.trouble;
  }

  #set(list: HashList): void {
    mustBeServable(list);
    this.#list = list;
  }
}

/** @throws {RangeError} where look-ups would find something else than who made the list meant */
function mustBeServable({ profile, suffixList, groups }: HashList): void {
  const short = groups.find(({ width }) => width < SHORTEST_PREFIX);
  if (short !== undefined)
    throw new RangeError(`its prefixes have ${short.width} bytes; lists of your own need ${SHORTEST_PREFIX} or more`);
  if (profile !== 'v5') throw new RangeError(`its profile is ${profile}, not safe-browsing`);
  if (suffixList !== undefined && suffixList !== PUBLIC_SUFFIX_LIST)
    throw new RangeError(`it was built with the Public Suffix List ${suffixList}, not ${PUBLIC_SUFFIX_LIST}`);
}
