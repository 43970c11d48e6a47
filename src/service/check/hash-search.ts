import { headAt } from '../../specs/safe-browsing/hash-prefix.ts';
import { cacheMsIn, detailsIn, fullHashesIn } from '../lists/messages/search-responses.ts';
import { ListError } from '../lists/sorted-prefixes.ts';
import { CheckFailure, type HashThreat, threatOf } from './answer.ts';
import { base64Url, DAY, type RemoteMethod } from './remote-method.ts';

/** 300 prefixes make a request line of 7 KB: proxies take 8 KB by default, Node's server 16 KB. */
export const USUAL_PREFIXES = 300;

/** The number of connections that browsers and Workers open to one host. */
const MAX_REQUESTS = 6;

/** Bytes of an answer for each prefix: some 80 hashes at 50 bytes. */
const MAX_PREFIX_BYTES = 1 << 12;
/** Bytes for hashes that were not asked for, which occur, and for additions of newer versions. */
const SPARE_BYTES = 1 << 16;

/** Some 10 MB when full of prefixes under which nothing is listed. The oldest are dropped first. */
const MAX_CACHED_PREFIXES = 100_000;

const LOST = new CheckFailure('time-out', 'the request was lost');

/** A whole hash that the server lists. */
interface ListedHash {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** The threats that it is listed for: at least one. */
  readonly threats: readonly HashThreat[];
}

/** The hashes that the server lists under a prefix of four bytes: none is an answer, too. */
export interface PrefixAnswer {
  readonly listed: readonly ListedHash[];
  /** The time until which that holds, in milliseconds of the clock. */
  readonly expiresAt: number;
}

type SearchResult = PrefixAnswer | CheckFailure;

/** A prefix that was asked for and has no answer yet. */
interface WaitingPrefix {
  readonly prefix: number;
  readonly resolve: (result: SearchResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A request under way. */
interface SentRequest {
  readonly waiting: readonly WaitingPrefix[];
  readonly startedAt: number;
}

/**
 * Shares `hashes:search` requests: prefixes that are asked for in one turn of the event loop go in one request, a
 * prefix that is under way is not sent again, and answers are cached.
 *
 *     ask ──▶ #requests ── fewer than MAX_REQUESTS under way ──▶ #sent ── answer, failure ──▶ its askers, the cache
 *      │                                                          │
 *      └── #results has its promise until then                    └── older than #maxAge: lost; its askers get LOST,
 *                                                                     and whoever asks then has it sent again
 */
export class HashSearch {
  readonly #method: RemoteMethod;
  readonly #cache = new FullHashCache();
  readonly #prefixesPerRequest: number;
  /** Milliseconds after which a request is lost. */
  readonly #maxAge: number;
  readonly #results = new Map<number, Promise<SearchResult>>();
  /** Requests that are not sent yet; only the last one has room. */
  readonly #requests: WaitingPrefix[][] = [];
  /** Requests under way, the oldest first. */
  readonly #sent = new Set<SentRequest>();
  #prefixesSent = 0;
  /** Called after each request that was sent, with its seconds and, where it failed, why. */
  onAnswer: ((seconds: number, failure: CheckFailure | undefined) => void) | undefined;

  constructor(method: RemoteMethod, prefixesPerRequest: number) {
    this.#method = method;
    this.#prefixesPerRequest = prefixesPerRequest;
    this.#maxAge = 2 * method.connection.timeoutMs;
  }

  /** The number of prefixes that left the machine so far. */
  get prefixesSent(): number {
    return this.#prefixesSent;
  }

  /** Returns the cached answer for a prefix, if there is one that is valid at a time of the clock. */
  cached(prefix: number, now: number): PrefixAnswer | undefined {
    return this.#cache.get(prefix, now);
  }

  /** Returns what the server lists under a prefix of four bytes. */
  ask(prefix: number): Promise<SearchResult> {
    this.#dropLost();
    let result = this.#results.get(prefix);
    if (result === undefined) {
      result = new Promise((resolve, reject) => this.#add({ prefix, resolve, reject }));
      this.#results.set(prefix, result);
    }
    return result;
  }

  #add(prefix: WaitingPrefix): void {
    const last = this.#requests.at(-1);
    if (last !== undefined && last.length < this.#prefixesPerRequest) {
      last.push(prefix);
      return;
    }
    this.#requests.push([prefix]);
    queueMicrotask(() => this.#send());
  }

  #send(): void {
    while (this.#sent.size < MAX_REQUESTS && this.#requests.length > 0) {
      const request = { waiting: this.#requests.shift()!, startedAt: this.#method.connection.clock.now() };
      this.#sent.add(request);
      void this.#answer(request);
    }
  }

  async #answer(request: SentRequest): Promise<void> {
    const { waiting } = request;
    try {
      const answer = await this.#method.call({
        query: queryOf(waiting),
        maxBytes: SPARE_BYTES + waiting.length * MAX_PREFIX_BYTES,
        decode: (bytes) => decodeSearch(bytes, new Set(waiting.map(({ prefix }) => prefix))),
      });
      const failure = answer instanceof CheckFailure ? answer : undefined;
      if (failure?.cause !== 'back-off') {
        this.#prefixesSent += waiting.length;
        this.onAnswer?.((this.#method.connection.clock.now() - request.startedAt) / 1000, failure);
      }
      for (const { prefix, resolve } of waiting) {
        resolve(answer instanceof CheckFailure ? answer : this.#kept(prefix, answer));
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error); // only injected functions throw, such as a clock
    }
    if (this.#sent.has(request)) this.#forget(request);
    this.#send();
  }

  #forget(request: SentRequest): void {
    this.#sent.delete(request);
    for (const { prefix } of request.waiting) this.#results.delete(prefix);
  }

  /** Gives up requests that are lost: in a Worker, one whose client disconnects may never end, nor may its timer. */
  #dropLost(): void {
    for (const request of this.#sent) {
      if (this.#method.connection.clock.now() - request.startedAt <= this.#maxAge) return;
      this.#forget(request);
      for (const { resolve } of request.waiting) resolve(LOST);
      queueMicrotask(() => this.#send());
    }
  }

  /** Keeps what the server lists under one prefix of a request, and returns it. */
  #kept(prefix: number, { listed, cacheMs }: SearchAnswer): PrefixAnswer {
    return this.#cache.set(prefix, listed.get(prefix) ?? [], this.#method.connection.clock.now(), cacheMs);
  }
}

function queryOf(waiting: readonly WaitingPrefix[]): string {
  return waiting.map(({ prefix }) => `hashPrefixes=${base64Url(bytesOf(prefix))}`).join('&');
}

/** Returns exactly four bytes: more would tell the server more about the URL than it needs. */
function bytesOf(prefix: number): Uint8Array {
  return Uint8Array.of(prefix >>> 24, prefix >>> 16, prefix >>> 8, prefix);
}

/**
 * The hashes that the server lists under a hash prefix of four bytes, until they expire. An empty list is an entry,
 * too: "this fact MUST also be cached" (SearchHashesResponse.cache_duration).
 */
export class FullHashCache {
  readonly #entries = new Map<number, PrefixAnswer>();

  get(prefix: number, now: number): PrefixAnswer | undefined {
    const entry = this.#entries.get(prefix);
    if (entry === undefined) return undefined;
    if (now <= entry.expiresAt) return entry;
    this.#entries.delete(prefix);
    return undefined;
  }

  /**
   * Returns the answer as it is kept, unless it is valid for no time.
   *
   * @param cacheMs how long the answer is valid; more than a day counts as a day
   */
  set(prefix: number, listed: readonly ListedHash[], now: number, cacheMs: number): PrefixAnswer {
    const entry = { listed, expiresAt: now + Math.min(cacheMs, DAY) };
    if (cacheMs === 0) return entry;
    this.#entries.delete(prefix);
    this.#entries.set(prefix, entry);
    if (this.#entries.size > MAX_CACHED_PREFIXES) this.#entries.delete(this.#entries.keys().next().value!);
    return entry;
  }
}

/** The server's answer to one search. */
interface SearchAnswer {
  /** The hashes to act on, by their first four bytes. */
  readonly listed: ReadonlyMap<number, readonly ListedHash[]>;
  /** The time that the answer is valid, in milliseconds, for all prefixes of the request. */
  readonly cacheMs: number;
}

/**
 * Reads a SearchHashesResponse. Protobuf has no end mark, so an answer that was cut after some of its hashes would read
 * as one that does not list the others. Its last field is the cache duration, so an answer without one is refused.
 * Hashes under other prefixes and details that are not to be acted on are skipped without making an object of them.
 *
 * @param prefixes the prefixes that were asked for
 * @throws {ListError} on other bytes
 */
export function decodeSearch(bytes: Uint8Array, prefixes: ReadonlySet<number>): SearchAnswer {
  const listed = new Map<number, ListedHash[]>();
  for (const [hash, message] of fullHashesIn(bytes)) {
    const prefix = headAt(hash, 0);
    const threats = prefixes.has(prefix) ? threatsIn(message) : undefined;
    if (threats === undefined) continue;
    const others = listed.get(prefix);
    if (others === undefined) listed.set(prefix, [{ hash: Uint8Array.from(hash), threats }]);
    else others.push({ hash: Uint8Array.from(hash), threats });
  }
  const cacheMs = cacheMsIn(bytes);
  if (cacheMs === undefined)
    throw new ListError('message', 'message', 'the answer has no cache duration: it may be cut');
  return { listed, cacheMs };
}

/** Returns each threat once, or undefined if there are details but none to act on. */
function threatsIn(message: Uint8Array): readonly HashThreat[] | undefined {
  const threats = new Map<string, HashThreat>(); // a message may repeat a detail any number of times
  let hasDetails = false;
  for (const detail of detailsIn(message)) {
    hasDetails = true;
    const threat = threatOf(detail);
    if (threat !== undefined) threats.set(`${threat.type} ${threat.isFrameOnly}`, threat);
  }
  if (!hasDetails) return [{ type: 'UNKNOWN', isFrameOnly: false }];
  return threats.size === 0 ? undefined : [...threats.values()];
}
