// A service of v5 with lists as large as Google's, made up, which change as fast as a test asks: `list serve` reads its
// files again for each change, which takes seconds with a million lines.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BATCH_GET_HASH_LISTS_RESPONSE,
  type FullHash,
  HashList,
  SEARCH_HASHES_RESPONSE,
} from '../../src/entries/safe-browsing/lists.ts';
import { sha256 } from '../service/check/scripted-server.ts';
import { randomBytes } from '../support/seed.ts';

type Below = (below: number) => number;

/** The types of threats by their names. */
export const TYPES = {
  'mw-4b': 'MALWARE',
  'se-4b': 'SOCIAL_ENGINEERING',
  'uws-4b': 'UNWANTED_SOFTWARE',
  'pha-4b': 'POTENTIALLY_HARMFUL_APPLICATION',
} as const;
export type ListName = keyof typeof TYPES;
export const LIST_NAMES = Object.keys(TYPES) as ListName[];

/** Versions of a list that clients may still have. */
const VERSIONS_KEPT = 20;

/** Four lists of random prefixes, and of the expressions that a test lists. */
export class MadeUpService {
  readonly server: Server;
  /** The entries of each list besides made-up prefixes. */
  readonly listed: Readonly<Record<ListName, Set<string>>>;
  /** Bytes of answers, by method. */
  readonly sentBytes = { 'hashLists:batchGet': 0, 'hashes:search': 0 };
  requestCount = 0;
  /** Answers POST requests, by path. */
  otherwise: ((path: string, body: Buffer) => Uint8Array) | undefined;
  waitMs = 1000;
  cacheMs = 300;
  readonly #next: Below;
  readonly #madeUp: Readonly<Record<ListName, Buffer>>;
  readonly #versions: Readonly<Record<ListName, HashList[]>>;
  /** The listed hashes, by their first four bytes in hex. */
  #hashes = new Map<string, FullHash[]>();
  url = '';

  /** @param entryCount of all lists together */
  constructor(entryCount: number, next: Below) {
    this.#next = next;
    const perList = <T>(make: () => T) =>
      Object.fromEntries(LIST_NAMES.map((name) => [name, make()])) as Record<ListName, T>;
    this.listed = perList(() => new Set<string>());
    this.#versions = perList(() => []);
    this.#madeUp = perList(() => Buffer.from(randomBytes(next, 4 * Math.ceil(entryCount / LIST_NAMES.length))));
    this.server = createServer((request, response) => void this.#answer(request, response));
    this.server.keepAliveTimeout = 60_000; // Go does not repeat a POST on a connection that ends just then
  }

  async start(): Promise<this> {
    this.change(0);
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v5/`;
    return this;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  newest(name: ListName): HashList {
    return this.#versions[name].at(-1)!;
  }

  /** Makes a new version of each list: some of the made-up prefixes are others, and what is listed is taken over. */
  change(replacedCount: number): void {
    const hashes = new Map<string, FullHash[]>();
    for (const name of LIST_NAMES) {
      const madeUp = this.#madeUp[name];
      for (let count = 0; count < replacedCount; count++)
        madeUp.set(randomBytes(this.#next, 4), 4 * this.#next(madeUp.length / 4));
      const own = [...this.listed[name]].map(sha256);
      const list = HashList.from(Buffer.concat([madeUp, ...own.map((hash) => hash.subarray(0, 4))]), 4, { name });
      this.#versions[name].push(list);
      if (this.#versions[name].length > VERSIONS_KEPT) this.#versions[name].shift();
      for (const hash of own) {
        const key = hash.toString('hex', 0, 4);
        hashes.set(key, [...(hashes.get(key) ?? []), { hash, details: [{ threatType: TYPES[name], attributes: [] }] }]);
      }
    }
    this.#hashes = hashes;
  }

  hashesUnder(prefix: Uint8Array): readonly FullHash[] {
    return this.#hashes.get(Buffer.from(prefix).toString('hex')) ?? [];
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requestCount++;
    const { pathname, searchParams } = new URL(request.url!, this.url);
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      response.end(this.otherwise?.(pathname, Buffer.concat(chunks)));
      return;
    }
    const isSearch = pathname.endsWith('/hashes:search');
    const body = isSearch ? this.#search(searchParams) : this.#update(searchParams);
    this.sentBytes[isSearch ? 'hashes:search' : 'hashLists:batchGet'] += body.length;
    response.end(body);
  }

  #search(query: URLSearchParams): Uint8Array {
    const prefixes = query.getAll('hashPrefixes').map((each) => Buffer.from(each, 'base64url'));
    const fullHashes = prefixes.flatMap((prefix) => this.hashesUnder(prefix));
    return SEARCH_HASHES_RESPONSE.encode({ fullHashes, cacheMs: this.cacheMs });
  }

  #update(query: URLSearchParams): Uint8Array {
    const versions = new Set(query.getAll('version').map((each) => Buffer.from(each, 'base64url').toString('hex')));
    const updates = (query.getAll('names') as ListName[]).map((name) => {
      const known = this.#versions[name].find((list) => versions.has(Buffer.from(list.version).toString('hex')));
      return known === undefined
        ? this.newest(name).toUpdate(this.waitMs)
        : known.updateTo(this.newest(name), this.waitMs);
    });
    return BATCH_GET_HASH_LISTS_RESPONSE.encode(updates);
  }
}
