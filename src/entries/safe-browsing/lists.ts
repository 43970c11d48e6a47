/**
 * Lists of hash prefixes, their updates, and the messages of Safe Browsing and Web Risk that carry them.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../error.ts';
export { ListError, type ListReason } from '../../safe-browsing/lists/error.ts';
export { HashList, type HashListOptions } from '../../safe-browsing/lists/hash-list.ts';
export { BATCH_GET_HASH_LISTS_RESPONSE, HASH_LIST } from '../../safe-browsing/lists/messages/hash-list-message.ts';
export { MessageFormat } from '../../safe-browsing/lists/messages/message-format.ts';
export type { FullHash, SearchHashesResponse, ThreatType } from '../../safe-browsing/lists/messages/search-hashes.ts';
export { SEARCH_HASHES_RESPONSE } from '../../safe-browsing/lists/messages/search-hashes.ts';
export { THREAT_LIST_DIFF } from '../../safe-browsing/lists/messages/threat-list-diff.ts';
export { THREAT_LIST_UPDATES } from '../../safe-browsing/lists/messages/threat-list-updates.ts';
export type { PrefixGroup } from '../../safe-browsing/lists/prefix-group.ts';
export { decodeRice, encodeRice, type RiceDeltas } from '../../safe-browsing/lists/rice.ts';
export type { ListUpdate } from '../../safe-browsing/lists/update.ts';
