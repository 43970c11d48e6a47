import { basename } from 'node:path';
import { HASH_BYTES } from '../../specs/safe-browsing/hash-prefix.ts';
import { HashList } from '../lists/hash-list.ts';
import type { ThreatType } from '../lists/threats.ts';
import { WatchedList, type WatchedListOptions } from './watched-list.ts';

/** Shorter prefixes match URLs that are not listed, and nobody has the whole hashes to tell. */
const SHORTEST_OWN_PREFIX = 8;

/** A list of a file, built or not, and what a URL on it is. */
export class OwnList extends WatchedList {
  /** The type of threat of a URL on the list. */
  readonly type: ThreatType;
  protected readonly shortest = SHORTEST_OWN_PREFIX;
  #list: HashList = HashList.empty();

  constructor(path: string, type: ThreatType, options: WatchedListOptions) {
    super(path, options);
    this.type = type;
  }

  /** The name of the list, or of its file where it has none. */
  get name(): string {
    return this.#list.name || basename(this.path);
  }

  get size(): number {
    return this.#list.size;
  }

  /** Whether one of a URL's expressions is listed, by their hashes, packed. */
  hasOneOf(hashes: Uint8Array): boolean {
    for (let at = 0; at < hashes.length; at += HASH_BYTES) if (this.#list.hasAt(hashes, at)) return true;
    return false;
  }

  protected hold(list: HashList): void {
    this.#list = list;
  }
}
