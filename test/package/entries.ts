import { readFileSync } from 'node:fs';

interface Conditions {
  readonly types: string;
  readonly default: string;
}

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly exports: Readonly<Record<string, string | Conditions>>;
};

/** The entries, by the name in the program, with the file that Node loads. */
export const ENTRIES = Object.entries(exports).flatMap(([subpath, conditions]) =>
  typeof conditions === 'string' ? [] : [{ name: subpath.replace(/^\./, 'urlsum'), esm: conditions.default }],
);

/** The entries that import Node's modules: not for browsers. */
export const NODE_ENTRIES = ['urlsum/duckdb', 'urlsum/pool'];
export const ENTRY_NAMES = ENTRIES.map(({ name }) => name);
