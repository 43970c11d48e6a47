// n3's parser alone: one copy of it serves all builds; see tools/library.mjs.
export { Parser } from 'n3';
