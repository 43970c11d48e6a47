// What the command imports from src/service/lists/messages: lists and updates as messages of the API.

export { HASH_LIST } from './hash-list-message.ts';
export type { MessageFormat } from './message-format.ts';
