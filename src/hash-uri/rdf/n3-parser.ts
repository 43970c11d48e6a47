// n3's parser alone: one copy of it serves all builds, see tools/tables.mjs.
export { Parser } from 'n3';
