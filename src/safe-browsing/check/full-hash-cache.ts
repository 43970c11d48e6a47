import type { Threat } from './threats.ts';

/** A whole hash that the server lists. */
export interface ListedHash {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  readonly threats: readonly Threat[];
}

/** Some 10 MB when full of prefixes under which nothing is listed; the oldest go first. */
const MOST_PREFIXES = 100_000;

interface Entry {
  readonly listed: readonly ListedHash[];
  /** Milliseconds of the clock. */
  readonly expiration: number;
}

/**
 * What the server lists under a hash prefix of four bytes, until that expires. That it lists nothing is an entry too:
 * "this fact MUST also be cached" (SearchHashesResponse.cache_duration).
 */
export class FullHashCache {
  readonly #entries = new Map<number, Entry>();

  get(prefix: number, now: number): readonly ListedHash[] | undefined {
    const entry = this.#entries.get(prefix);
    if (entry === undefined) return undefined;
    if (now <= entry.expiration) return entry.listed;
    this.#entries.delete(prefix);
    return undefined;
  }

  set(prefix: number, listed: readonly ListedHash[], expiration: number): void {
    this.#entries.delete(prefix);
    this.#entries.set(prefix, { listed, expiration });
    if (this.#entries.size > MOST_PREFIXES) this.#entries.delete(this.#entries.keys().next().value!);
  }
}
