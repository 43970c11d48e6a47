import type { HashThreat } from './answer.ts';
import { DAY, isAhead } from './clock.ts';

/** A whole hash that the server lists. */
export interface ListedHash {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** At least one. */
  readonly threats: readonly HashThreat[];
}

/** Some 10 MB when full of prefixes under which nothing is listed. The oldest are dropped first. */
const MAX_PREFIXES = 100_000;

interface Entry {
  readonly listed: readonly ListedHash[];
  /** Milliseconds of the clock. */
  readonly storedAt: number;
  readonly expiration: number;
}

/**
 * The hashes that the server lists under a hash prefix of four bytes, until they expire. An empty list is an entry,
 * too: "this fact MUST also be cached" (SearchHashesResponse.cache_duration).
 */
export class FullHashCache {
  readonly #entries = new Map<number, Entry>();

  get(prefix: number, now: number): readonly ListedHash[] | undefined {
    const entry = this.#entries.get(prefix);
    if (entry === undefined) return undefined;
    if (now <= entry.expiration && !isAhead(entry.storedAt, now)) return entry.listed;
    this.#entries.delete(prefix);
    return undefined;
  }

  /** @param cacheMs how long the answer is valid; more than a day counts as a day */
  set(prefix: number, listed: readonly ListedHash[], now: number, cacheMs: number): void {
    this.#entries.delete(prefix);
    this.#entries.set(prefix, { listed, storedAt: now, expiration: now + Math.min(cacheMs, DAY) });
    if (this.#entries.size > MAX_PREFIXES) this.#entries.delete(this.#entries.keys().next().value!);
  }
}
