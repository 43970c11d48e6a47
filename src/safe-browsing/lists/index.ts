// What the command imports from src/safe-browsing/lists: lists of hash prefixes. Messages, which need protobuf, are
// in messages/index.ts.

export { ListError } from './error.ts';
export { HashList, type HashListOptions } from './hash-list.ts';
export type { PrefixGroup } from './prefix-group.ts';
export { type HeldList, heldList } from './stored-list.ts';
export type { ListUpdate } from './update.ts';
