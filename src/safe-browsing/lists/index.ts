/**
 * Lists of hash prefixes, their updates, and the messages of Safe Browsing and Web Risk that carry them.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../error.ts';
export { ListError, type ListReason } from './error.ts';
export { HashList, type HashListOptions } from './hash-list.ts';
export { BATCH_GET_HASH_LISTS_RESPONSE, HASH_LIST } from './messages/hash-list-message.ts';
export { MessageFormat } from './messages/message-format.ts';
export type { FullHash, SearchHashesResponse, ThreatType } from './messages/search-hashes.ts';
export { SEARCH_HASHES_RESPONSE } from './messages/search-hashes.ts';
export { THREAT_LIST_DIFF } from './messages/threat-list-diff.ts';
export { THREAT_LIST_UPDATES } from './messages/threat-list-updates.ts';
export type { PrefixGroup } from './prefix-group.ts';
export { decodeRice, encodeRice, type RiceDeltas } from './rice.ts';
export type { ListUpdate } from './update.ts';
