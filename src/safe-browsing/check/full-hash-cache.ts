import type { HashThreat } from './answer.ts';
import { DAY, isAhead } from './clock.ts';

/** A whole hash that the server lists. */
export interface ListedHash {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** At least one. */
  readonly threats: readonly HashThreat[];
}

/** What the server lists under a prefix of four bytes: nothing is an answer, too. */
export interface PrefixAnswer {
  readonly listed: readonly ListedHash[];
  /** Until when that holds, in milliseconds of the clock. */
  readonly expiresAt: number;
}

/** Some 10 MB when full of prefixes under which nothing is listed. The oldest are dropped first. */
const MAX_PREFIXES = 100_000;

interface Entry extends PrefixAnswer {
  /** Milliseconds of the clock. */
  readonly storedAt: number;
}

/**
 * The hashes that the server lists under a hash prefix of four bytes, until they expire. An empty list is an entry,
 * too: "this fact MUST also be cached" (SearchHashesResponse.cache_duration).
 */
export class FullHashCache {
  readonly #entries = new Map<number, Entry>();

  get(prefix: number, now: number): PrefixAnswer | undefined {
    const entry = this.#entries.get(prefix);
    if (entry === undefined) return undefined;
    if (now <= entry.expiresAt && !isAhead(entry.storedAt, now)) return entry;
    this.#entries.delete(prefix);
    return undefined;
  }

  /**
   * Returns the answer as it is kept, unless it is valid for no time.
   *
   * @param cacheMs how long the answer is valid; more than a day counts as a day
   */
  set(prefix: number, listed: readonly ListedHash[], now: number, cacheMs: number): PrefixAnswer {
    const entry = { listed, storedAt: now, expiresAt: now + Math.min(cacheMs, DAY) };
    if (cacheMs === 0) return entry;
    this.#entries.delete(prefix);
    this.#entries.set(prefix, entry);
    if (this.#entries.size > MAX_PREFIXES) this.#entries.delete(this.#entries.keys().next().value!);
    return entry;
  }
}
