// The entries of the package, of the sources.
import * as explain from '../../src/entries/explain.ts';
import * as hashIndex from '../../src/entries/hash-index.ts';
import * as rdf from '../../src/entries/hash-uri/rdf.ts';
import * as hashUri from '../../src/entries/hash-uri.ts';
import * as hashedUri from '../../src/entries/hashed-uri.ts';
import * as pool from '../../src/entries/pool.ts';
import * as check from '../../src/entries/safe-browsing/check.ts';
import * as lists from '../../src/entries/safe-browsing/lists.ts';
import * as safeBrowsing from '../../src/entries/safe-browsing.ts';
import * as index from '../../src/index.ts';
import type { Entries } from './option-calls.ts';

export const ENTRIES: Entries = {
  index,
  explain,
  'hash-index': hashIndex,
  'hash-uri': hashUri,
  'hash-uri-rdf': rdf,
  'hashed-uri': hashedUri,
  pool,
  'safe-browsing': safeBrowsing,
  'safe-browsing-check': check,
  'safe-browsing-lists': lists,
};
