import { base64Url } from './base64.ts';
import { isLost } from './clock.ts';
import { CheckFailure } from './failure.ts';
import type { FullHashCache, ListedHash } from './full-hash-cache.ts';
import type { Connection, RemoteMethod } from './remote-method.ts';
import { decodeSearch, type SearchAnswer } from './search-answer.ts';

/** "Clients MUST NOT send more than 1000 hash prefixes" (SearchHashesRequest). */
export const MAX_PREFIXES = 1000;

/** 300 prefixes make a request line of 7 KB: proxies take 8 KB by default, Node's server 16 KB. */
export const USUAL_PREFIXES = 300;

/** As many as browsers and Workers open to one host. */
const MAX_REQUESTS = 6;

/** Of an answer, for each prefix: some 80 hashes at 50 bytes. */
const MAX_PREFIX_BYTES = 1 << 12;
/** For hashes that were not asked for, which occur, and what newer versions may add. */
const SPARE_BYTES = 1 << 16;

const LOST = new CheckFailure('time-out', 'the request was lost');

type SearchResult = readonly ListedHash[] | CheckFailure;

interface Asked {
  readonly prefix: number;
  readonly resolve: (result: SearchResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A request under way. */
interface SentRequest {
  readonly asked: readonly Asked[];
  readonly startedAt: number;
}

/**
 * `hashes:search`, shared: prefixes that are asked for in one turn of the event loop go in one request, one that is
 * under way already is not sent again, and what comes back is cached.
 */
export class HashSearch {
  readonly #method: RemoteMethod;
  readonly #cache: FullHashCache;
  readonly #prefixesPerRequest: number;
  readonly #now: () => number;
  /** Milliseconds after which a request is lost. */
  readonly #maxAge: number;
  readonly #results = new Map<number, Promise<SearchResult>>();
  /** Requests to come; only the last has room. */
  readonly #requests: Asked[][] = [];
  /** The oldest first. */
  readonly #sent = new Set<SentRequest>();

  constructor(
    method: RemoteMethod,
    cache: FullHashCache,
    prefixesPerRequest: number,
    { now, timeoutMs }: Pick<Connection, 'now' | 'timeoutMs'>,
  ) {
    this.#method = method;
    this.#cache = cache;
    this.#prefixesPerRequest = prefixesPerRequest;
    this.#now = now;
    this.#maxAge = 2 * timeoutMs;
  }

  /** What the server lists under a prefix of four bytes. */
  ask(prefix: number): Promise<SearchResult> {
    this.#dropLost();
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
    while (this.#sent.size < MAX_REQUESTS && this.#requests.length > 0) {
      const request = { asked: this.#requests.shift()!, startedAt: this.#now() };
      this.#sent.add(request);
      void this.#answer(request);
    }
  }

  async #answer(request: SentRequest): Promise<void> {
    const { asked } = request;
    try {
      const answer = await this.#method.call({
        query: queryOf(asked),
        maxBytes: SPARE_BYTES + asked.length * MAX_PREFIX_BYTES,
        decode: (bytes) => decodeSearch(bytes, new Set(asked.map(({ prefix }) => prefix))),
      });
      for (const { prefix, resolve } of asked) {
        resolve(answer instanceof CheckFailure ? answer : this.#kept(prefix, answer));
      }
    } catch (error) {
      for (const { reject } of asked) reject(error); // only what was injected throws, such as a clock
    }
    if (this.#sent.has(request)) this.#forget(request);
    this.#send();
  }

  #forget(request: SentRequest): void {
    this.#sent.delete(request);
    for (const { prefix } of request.asked) this.#results.delete(prefix);
  }

  /** In a Worker, a request whose client disconnects may never end, nor its timer: it must not stop the others. */
  #dropLost(): void {
    for (const request of this.#sent) {
      if (!isLost(request.startedAt, this.#now(), this.#maxAge)) return;
      this.#forget(request);
      for (const { resolve } of request.asked) resolve(LOST);
      queueMicrotask(() => this.#send());
    }
  }

  #kept(prefix: number, { listed, cacheMs }: SearchAnswer): readonly ListedHash[] {
    const under = listed.get(prefix) ?? [];
    if (cacheMs > 0) this.#cache.set(prefix, under, this.#now(), cacheMs);
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
