// The package's entries, as package.json's `exports` name them: a line there adds one.
import { readFileSync } from 'node:fs';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));

/** An escape hatch: `urlsum` without conditions, under a name of its own. */
const INLINE = './inline';

/** Entries that run where the command does, and take as much of the library. */
const APART = ['./duckdb'];

/**
 * @typedef {object} Entry
 * @property {string} name as programs import it: `urlsum/hash-uri/rdf`
 * @property {string} file its name in the folders of dist/, without an ending: `hash-uri-rdf`
 * @property {string} source its table of contents: src/index.ts, or a file of src/entries/
 * @property {boolean} isApart it is built with the command: what it shares with others would otherwise leave their files
 * @property {boolean} hasKernel it is built once more, for hosts that compile WebAssembly themselves or have none
 */

/** @type {readonly Entry[]} */
export const ENTRIES = Object.entries(exports)
  .filter(([subpath, target]) => typeof target === 'object' && subpath !== INLINE)
  .map(([subpath, target]) => ({
    name: subpath.replace('.', 'urlsum'),
    file: subpath === '.' ? 'index' : subpath.slice('./'.length).replaceAll('/', '-'),
    source: subpath === '.' ? 'src/index.ts' : `src/entries${subpath.slice(1)}.ts`,
    isApart: APART.includes(subpath),
    hasKernel: 'workerd' in target,
  }));
