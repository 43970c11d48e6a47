// What the command imports from src/digest: what packed bytes of hashes mean.

export { digestOfBytes, hashBytesInto } from './digest.ts';
export { wordsOfBytes } from './words.ts';
