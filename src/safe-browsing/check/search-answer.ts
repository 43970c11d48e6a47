import { ListError } from '../lists/error.ts';
import { millisecondsIn } from '../lists/messages/duration.ts';
import { eachDetail, eachFullHash } from '../lists/messages/search-fields.ts';
import { checkedHash, detailOf } from '../lists/messages/search-hashes.ts';
import { headAt } from '../prefix-set/sorted-prefixes.ts';
import type { ListedHash } from './full-hash-cache.ts';
import { type HashThreat, threatOf } from './threats.ts';

/** What the server answered to one search. */
export interface SearchAnswer {
  /** Hashes to act on, by their first four bytes. */
  readonly listed: ReadonlyMap<number, readonly ListedHash[]>;
  /** Milliseconds for which the answer holds, for all prefixes of the request. */
  readonly cacheMs: number;
}

/**
 * Reads a SearchHashesResponse. Protobuf has no end mark, and an answer cut after some of its hashes would read as one
 * that lists the others not; its last field is the cache duration, so one that lacks it is refused. What is of no use,
 * hashes under other prefixes and details that are not to be acted on, is skipped without an object made of it.
 *
 * @param prefixes that were asked for
 * @throws {ListError} on other bytes
 */
export function decodeSearch(bytes: Uint8Array, prefixes: ReadonlySet<number>): SearchAnswer {
  const listed = new Map<number, ListedHash[]>();
  const duration = eachFullHash(bytes, (view, message) => {
    const hash = checkedHash(view);
    const prefix = headAt(hash, 0);
    const threats = prefixes.has(prefix) ? threatsIn(message) : undefined;
    if (threats === undefined) return;
    const others = listed.get(prefix);
    if (others === undefined) listed.set(prefix, [{ hash: Uint8Array.from(hash), threats }]);
    else others.push({ hash: Uint8Array.from(hash), threats });
  });
  if (duration === undefined) throw new ListError('message', 'message', 'it has no cache duration: it may be cut');
  return { listed, cacheMs: millisecondsIn(duration) };
}

/** Each once. Undefined where there are details, and none to act on. */
function threatsIn(message: Uint8Array): readonly HashThreat[] | undefined {
  const threats = new Map<string, HashThreat>(); // a message may repeat a detail as often as it has room
  let hasDetails = false;
  eachDetail(message, (threatType, attributes) => {
    hasDetails = true;
    const threat = threatOf(detailOf({ threatType, attributes }));
    if (threat !== undefined) threats.set(`${threat.type} ${threat.isFrameOnly}`, threat);
  });
  if (!hasDetails) return [{ type: 'UNKNOWN', isFrameOnly: false }];
  return threats.size === 0 ? undefined : [...threats.values()];
}
