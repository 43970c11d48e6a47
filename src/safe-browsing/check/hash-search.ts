import { base64Url } from './base64.ts';
import { CheckFailure } from './failure.ts';
import type { FullHashCache, ListedHash } from './full-hash-cache.ts';
import type { RemoteMethod } from './remote-method.ts';
import type { SearchAnswer } from './search-answer.ts';

/** "Clients MUST NOT send more than 1000 hash prefixes" (SearchHashesRequest). */
export const MOST_PREFIXES = 1000;

/** 300 prefixes make a request line of 7 KB: proxies take 8 KB by default, Node's server 16 KB. */
export const USUAL_PREFIXES = 300;

/** As many as browsers and Workers open to one host. */
const MOST_REQUESTS = 6;

type SearchResult = readonly ListedHash[] | CheckFailure;

interface Asked {
  readonly prefix: number;
  readonly resolve: (result: SearchResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * `hashes:search`, shared: prefixes that are asked for in one turn of the event loop go in one request, one that is
 * under way already is not sent again, and what comes back is cached.
 */
export class HashSearch {
  readonly #method: RemoteMethod<SearchAnswer>;
  readonly #cache: FullHashCache;
  readonly #prefixesPerRequest: number;
  readonly #now: () => number;
  readonly #results = new Map<number, Promise<SearchResult>>();
  /** Requests to come; only the last has room. */
  readonly #requests: Asked[][] = [];
  #underWay = 0;

  constructor(method: RemoteMethod<SearchAnswer>, cache: FullHashCache, prefixesPerRequest: number, now: () => number) {
    this.#method = method;
    this.#cache = cache;
    this.#prefixesPerRequest = prefixesPerRequest;
    this.#now = now;
  }

  /** What the server lists under a prefix of four bytes. */
  ask(prefix: number): Promise<SearchResult> {
    let result = this.#results.get(prefix);
    if (result === undefined) {
      result = new Promise((resolve, reject) => this.#add({ prefix, resolve, reject }));
      this.#results.set(prefix, result);
    }
    return result;
  }

  #add(asked: Asked): void {
    const last = this.#requests.at(-1);
    if (last !== undefined && last.length < this.#prefixesPerRequest) {
      last.push(asked);
      return;
    }
    this.#requests.push([asked]);
    queueMicrotask(() => this.#send());
  }

  #send(): void {
    while (this.#underWay < MOST_REQUESTS && this.#requests.length > 0) {
      this.#underWay++;
      void this.#request(this.#requests.shift()!);
    }
  }

  async #request(asked: readonly Asked[]): Promise<void> {
    try {
      const answer = await this.#method.call(queryOf(asked));
      for (const { prefix, resolve } of asked) {
        resolve(answer instanceof CheckFailure ? answer : this.#kept(prefix, answer));
      }
    } catch (error) {
      for (const { reject } of asked) reject(error); // only what was injected throws, such as a clock
    }
    for (const { prefix } of asked) this.#results.delete(prefix);
    this.#underWay--;
    this.#send();
  }

  /** Only what lies under a prefix that was asked for: the rest, which occurs, is dropped. */
  #kept(prefix: number, { listed, cacheDuration }: SearchAnswer): readonly ListedHash[] {
    const under = listed.get(prefix) ?? [];
    if (cacheDuration > 0) this.#cache.set(prefix, under, this.#now() + cacheDuration);
    return under;
  }
}

function queryOf(asked: readonly Asked[]): string {
  return asked.map(({ prefix }) => `hashPrefixes=${base64Url(bytesOf(prefix))}`).join('&');
}

/** Exactly four: more would tell the server more of the URL than it needs. */
function bytesOf(prefix: number): Uint8Array {
  return Uint8Array.of(prefix >>> 24, prefix >>> 16, prefix >>> 8, prefix);
}
