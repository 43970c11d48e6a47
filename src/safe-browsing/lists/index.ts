// The door of src/safe-browsing/lists for the command: lists of hash prefixes; messages, which need protobuf, have a
// door of their own.

export { HashList, type HashListOptions } from './hash-list.ts';
export type { PrefixGroup } from './prefix-group.ts';
export type { ListUpdate } from './update.ts';
