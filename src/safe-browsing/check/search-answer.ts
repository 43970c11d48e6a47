import { ListError } from '../lists/error.ts';
import { SEARCH_HASHES_RESPONSE } from '../lists/messages/search-hashes.ts';
import { headAt } from '../prefix-set/sorted-prefixes.ts';
import type { ListedHash } from './full-hash-cache.ts';
import { threatsOf } from './threats.ts';

/** What the server answered to one search. */
export interface SearchAnswer {
  /** Hashes to act on, by their first four bytes. */
  readonly listed: ReadonlyMap<number, readonly ListedHash[]>;
  /** Milliseconds for which the answer holds, for all prefixes of the request. */
  readonly cacheDuration: number;
}

/**
 * Reads a SearchHashesResponse. Protobuf has no end mark, and an answer cut after some of its hashes would read as one
 * that lists the others not; its last field is the cache duration, so one that lacks it is refused.
 *
 * @throws {ListError} on other bytes
 */
export function decodeSearch(bytes: Uint8Array): SearchAnswer {
  const { fullHashes, cacheSeconds } = SEARCH_HASHES_RESPONSE.decode(bytes);
  if (cacheSeconds === undefined) throw new ListError('message', 'message', 'it has no cache duration: it may be cut');
  const listed = new Map<number, ListedHash[]>();
  for (const { hash, details } of fullHashes) {
    const threats = threatsOf(details);
    if (threats === undefined) continue;
    const prefix = headAt(hash, 0);
    const others = listed.get(prefix);
    if (others === undefined) listed.set(prefix, [{ hash, threats }]);
    else others.push({ hash, threats });
  }
  return { listed, cacheDuration: 1000 * cacheSeconds };
}
