/**
 * Lists of hash prefixes, their updates, and the messages of Safe Browsing v5 that carry them.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../core/error.ts';
export { HashList, type HashListOptions } from '../../service/lists/hash-list.ts';
export { BATCH_GET_HASH_LISTS_RESPONSE, HASH_LIST } from '../../service/lists/messages/hash-list-message.ts';
export { MessageFormat } from '../../service/lists/messages/message-format.ts';
export type { FullHash, SearchHashesResponse } from '../../service/lists/messages/search-responses.ts';
export { SEARCH_HASHES_RESPONSE } from '../../service/lists/messages/search-responses.ts';
export { decodeRice, encodeRice, type RiceDeltas } from '../../service/lists/rice.ts';
export type { PrefixGroup } from '../../service/lists/sorted-prefixes.ts';
export { ListError, type ListReason } from '../../service/lists/sorted-prefixes.ts';
export type { ThreatType } from '../../service/lists/threats.ts';
export type { ListUpdate } from '../../service/lists/update.ts';
