import type { Fetch } from '../../../src/entries/safe-browsing/check.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE, HashList, type ListUpdate } from '../../../src/entries/safe-browsing/lists.ts';
import { sha256 } from './scripted-server.ts';

/** `hashLists:batchGet` without a network: lists of prefixes of four bytes, which change when a test says so. */
export class ListService {
  /** The expressions of each list. */
  readonly lists = new Map<string, readonly string[]>();
  /** The number of versions that each request named. */
  readonly requests: number[] = [];
  waitMs = 1_800_000;
  /** A fault in place of the next answer. */
  fault: (() => Promise<Response>) | undefined;
  /** Milliseconds. */
  time = Date.UTC(2026, 0, 1);

  readonly now = (): number => this.time;

  readonly fetch: Fetch = async (url) => {
    const { pathname, searchParams } = new URL(url);
    if (!pathname.endsWith('/hashLists:batchGet')) return new Response(null, { status: 503 });
    this.requests.push(searchParams.getAll('version').length);
    const { fault } = this;
    this.fault = undefined;
    if (fault !== undefined) return fault();
    return new Response(
      BATCH_GET_HASH_LISTS_RESPONSE.encode(searchParams.getAll('names').map((name) => this.#update(name))),
    );
  };

  #update(name: string): ListUpdate {
    const prefixes = (this.lists.get(name) ?? []).map((each) => sha256(each).subarray(0, 4));
    return HashList.from(Buffer.concat(prefixes), 4, { name }).toUpdate(this.waitMs);
  }
}
