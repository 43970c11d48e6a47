import type { HashList } from '../lists/hash-list.ts';
import type { HeldList } from '../lists/stored-list.ts';
import { CheckFailure } from './answer.ts';
import { dateText, isAhead } from './clock.ts';

/** What a snapshot is taken of. */
interface Lists {
  /** The names of the threat lists. */
  readonly names: readonly string[];
  readonly globalCache: string | undefined;
  /** Those whose prefixes need no answer of the server. */
  readonly trusted: readonly string[];
  readonly held: ReadonlyMap<string, HeldList>;
  /** By list, why the stored one could not be read. */
  readonly troubles: ReadonlyMap<string, string>;
  readonly maxAgeMs: number;
  readonly now: number;
  /** When the next update is due, in milliseconds of the clock. */
  readonly nextUpdateAt: number;
}

/**
 * The local lists at one moment. A check looks everything up in one snapshot: an update that comes while it waits for
 * the server could otherwise bring a list that was never asked about this URL, and that stands in no one's way.
 */
export class ListSnapshot {
  readonly #lists: Lists;

  /** @param lists whose maps do not change any more */
  constructor(lists: Lists) {
    this.#lists = lists;
  }

  /** When the clock was read. */
  get now(): number {
    return this.#lists.now;
  }

  /** Until when the lists say what they say: until their next update, or until one of them is stale. */
  get expiresAt(): number {
    const { held, maxAgeMs, nextUpdateAt } = this.#lists;
    const fresh = [...held.values()].filter((each) => this.isFresh(each));
    return Math.min(nextUpdateAt, ...fresh.map(({ updatedAt }) => updatedAt + maxAgeMs));
  }

  /** Returns the names of the threat lists with a prefix that a hash begins with. */
  matchesOf(hash: Uint8Array): string[] {
    return this.#lists.names.filter((name) => this.#lists.held.get(name)?.list.has(hash));
  }

  /**
   * Whether a hash is listed, whatever the server says: a list that is up to date has all its 32 bytes, or is trusted
   * and has a prefix of it.
   */
  isListed(hash: Uint8Array): boolean {
    return this.matchesOf(hash).some((name) => {
      const held = this.#lists.held.get(name)!;
      return this.isFresh(held) && (this.#lists.trusted.includes(name) || hasWhole(held.list, hash));
    });
  }

  /** Whether a hash is in the Global Cache, and that is up to date. */
  isLikelySafe(hash: Uint8Array): boolean {
    const held = this.#lists.held.get(this.#lists.globalCache ?? '');
    return held !== undefined && this.isFresh(held) && held.list.has(hash);
  }

  /** Returns the reason why the threat lists cannot say that a URL is safe. */
  obstacle(): CheckFailure | undefined {
    for (const name of this.#lists.names) {
      const held = this.#lists.held.get(name);
      if (held === undefined) return new CheckFailure('list-missing', this.#missing(name));
      if (!this.isFresh(held)) {
        const future = isAhead(held.updatedAt, this.#lists.now) ? ', which lies in the future' : '';
        const detail = `the list ${name} was last brought up to date at ${dateText(held.updatedAt)}${future}`;
        return new CheckFailure('list-stale', detail);
      }
    }
    return undefined;
  }

  /** Whether the list may say that a URL is safe: neither too old nor from the future. */
  isFresh({ updatedAt }: HeldList): boolean {
    return this.#lists.now - updatedAt <= this.#lists.maxAgeMs && !isAhead(updatedAt, this.#lists.now);
  }

  #missing(name: string): string {
    const trouble = this.#lists.troubles.get(name);
    return trouble === undefined
      ? `the list ${name} has not been fetched`
      : `the list ${name} could not be read from the store: ${trouble}`;
  }
}

const HASH_BYTES = 32;

function hasWhole(list: HashList, hash: Uint8Array): boolean {
  return list.prefixSets.some((set) => set.width === HASH_BYTES && set.has(hash));
}
