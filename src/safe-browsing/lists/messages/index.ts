// The door of src/safe-browsing/lists/messages for the command: lists and updates as messages of the API.

export { HASH_LIST } from './hash-list-message.ts';
export type { MessageFormat } from './message-format.ts';
