import { readFileSync } from 'node:fs';
import type { DuckDBType } from '@duckdb/node-api';
import { UrlHasher } from '../core/bulk/hasher.ts';
import type { Column } from '../core/digest/column.ts';
import type { Width } from '../core/kernel/kernel.ts';
import { openKernel } from '../core/kernel/open.ts';
import { mayMeet } from '../core/url/key-origin.ts';
import { FULL_FORM, type UrlForm } from '../core/url/options.ts';
import type { DefaultScheme } from '../core/url/parsed-url.ts';
import { profileOfForm, shownProfile } from '../core/url/profile.ts';
import { editionProblem, HashList } from '../service/lists/hash-list.ts';
import { type Listings, ListSearch } from '../service/lists/list-search.ts';
import { BUNDLED_LIST, type SuffixList } from '../specs/safe-browsing/suffix-list.ts';
import { HashIndex } from '../store/hash-index/hash-index.ts';
import { HashIndexError } from '../store/hash-index/layout.ts';
import {
  OUTPUTS,
  type OutputName,
  type OutputOptions,
  type OutputRow,
  openOutput,
  type ProfileName,
  type Rows,
  textColumn,
} from './outputs.ts';
import { WRITERS, type WriteValues, writeWords } from './vectors.ts';

/** The package for programs: connections, types, functions. */
export type DuckDB = typeof import('@duckdb/node-api');

/** A function of a URL, and of a file where it `takesFile`. */
export interface TableFunction {
  readonly name: string;
  readonly takesFile: boolean;
  readonly returns: (duckdb: DuckDB) => DuckDBType;
  readonly write: WriteValues;
  /** @param file empty where there is none */
  readonly column: (rows: Rows, file: string) => Column;
  /** Says why a row has no value. */
  readonly reasons: (rows: Rows) => Column;
}

export const URL_PREFIX = 'url_';

/** Lower case, as DuckDB compares names; without a prefix, `hash` would take the place of DuckDB's own. */
export const PREFIX_SYNTAX = /^[a-z_][a-z0-9_]*$/;
export const PREFIX_RULE = "of a-z, 0-9 and '_', without a digit first";

/** Options of the functions. */
export interface FunctionOptions {
  /** Beginning of their names. */
  readonly prefix: string;
  /** Bytes of each hash. */
  readonly width: Width;
  readonly form: UrlForm;
  /** The scheme of a URL that lacks one. */
  readonly defaultScheme?: DefaultScheme | undefined;
  /** The Public Suffix List of `url_on_list`; the bundled one by default. */
  readonly suffixList?: SuffixList | undefined;
}

/** DuckDB's type of each layout of values. */
const TYPES = {
  digest: ({ BLOB }: DuckDB) => BLOB,
  uint64: ({ UBIGINT }: DuckDB) => UBIGINT,
  int64: ({ BIGINT }: DuckDB) => BIGINT,
  text: ({ VARCHAR }: DuckDB) => VARCHAR,
  digests: ({ LIST, BLOB }: DuckDB) => LIST(BLOB),
} as const;

/** Returns a function for each output, and those that look in files. */
export function tableFunctions(options: FunctionOptions): TableFunction[] {
  const names = Object.keys(OUTPUTS) as OutputName[];
  return [...names.map((output) => ofOutput(output, options)), ...lookups(options)];
}

function reasonsUnder(profile: ProfileName, { form, defaultScheme }: FunctionOptions): TableFunction['reasons'] {
  return openOutput({ output: 'reason', profile, width: 32, form, defaultScheme }).column;
}

/** Returns the function of an output. Expressions are those of the URL as it is, whatever the form. */
function ofOutput(output: OutputName, options: FunctionOptions): TableFunction {
  const { prefix, width, form, defaultScheme } = options;
  const { values, profiles }: OutputRow = OUTPUTS[output];
  const profile = profiles[0]!;
  const isNumber = values === 'uint64' || values === 'int64';
  return {
    name: isNumber ? `${prefix}hash_${output}` : `${prefix}${output}`,
    takesFile: false,
    returns: TYPES[values],
    write: WRITERS[values],
    column: openOutput({
      output,
      profile,
      width: isNumber ? 8 : width,
      form: profile === 'url' ? form : FULL_FORM,
      defaultScheme,
    }).column,
    reasons: reasonsUnder(profile, options),
  };
}

function lookups(options: FunctionOptions): TableFunction[] {
  const { prefix, form, defaultScheme, suffixList } = options;
  const indexAt = opened((path) => indexLookup(path, { form, defaultScheme }));
  const listAt = opened((path) => openListSearch(path, suffixList));
  return [
    {
      name: `${prefix}in_index`,
      takesFile: true,
      returns: ({ BOOLEAN }) => BOOLEAN,
      write: writeWords,
      column: (rows, file) => indexAt(file)(rows),
      reasons: reasonsUnder('url', options),
    },
    {
      name: `${prefix}on_list`,
      takesFile: true,
      returns: ({ VARCHAR }) => VARCHAR,
      write: WRITERS.text,
      column: (rows, file) => listedColumn(listAt(file), rows),
      reasons: reasonsUnder('v5', options),
    },
    {
      name: `${prefix}reason`,
      takesFile: true,
      returns: ({ VARCHAR }) => VARCHAR,
      write: WRITERS.text,
      column: (rows, file) => refusedColumn(listAt(file), rows),
      reasons: reasonsUnder('v5', options),
    },
  ];
}

/** The values of rows by what a file knows of them. */
export type Lookup = (rows: Rows) => Column;

/** Returns what opens each file once: changes that are written there later are not seen. */
function opened<T>(open: (path: string) => T): (path: string) => T {
  const files = new Map<string, T>();
  return (path) => {
    const file = files.get(path) ?? open(path);
    files.set(path, file);
    return file;
  };
}

/**
 * One byte per row: 1 if its hash is in the index, else 0.
 *
 * @throws {HashIndexError} where the index cannot be read, is damaged, or of another canonical form
 */
function indexLookup(path: string, { form, defaultScheme }: Pick<OutputOptions, 'form' | 'defaultScheme'>): Lookup {
  const index = HashIndex.open(path);
  mustBeOfForm(index, path, form);
  const hasher = new UrlHasher({ width: index.width, defaultScheme, ...form.options });
  return ({ bytes, offsets }) => {
    const column = hasher.hashRows(bytes, offsets);
    const found = new Uint8Array(column.length);
    for (const row of index.matches(column)) found[row] = 1;
    return { length: column.length, bytes: found, invalid: column.invalid };
  };
}

function mustBeOfForm(index: HashIndex, path: string, form: UrlForm): void {
  const profile = profileOfForm(form);
  if (mayMeet(index, { profile, hasUnicodeHosts: true })) return;
  index.close();
  throw new HashIndexError(path, 'other-profile', `its profile is ${shownProfile(index.profile)}, not ${profile}`);
}

/**
 * Opens a list for the look-ups of values.
 *
 * @throws where the list cannot be read, is damaged, or for another edition of the Public Suffix List
 */
function openListSearch(path: string, suffixList: SuffixList = BUNDLED_LIST): ListSearch {
  const list = listIn(path);
  const problem = editionProblem(list, suffixList, 'as suffixList');
  if (problem !== undefined) throw new Error(`${path}: ${problem}`);
  const settings = { profile: list.profile, mode: 'union', privateSuffixes: true, suffixList } as const;
  return new ListSearch(openKernel(), [{ name: path, list }], settings, 'value');
}

/** A text per row: the most specific of its expressions that is on the list. */
function listedColumn(search: ListSearch, rows: Rows): Column {
  const listings = lookedUp(search, rows, () => {});
  return textColumn(rows, (_, row) => listings.get(row)?.[0]?.expression);
}

/** A text per row: why it was not looked up, if it was not. */
function refusedColumn(search: ListSearch, rows: Rows): Column {
  const reasons = new Map<number, string>();
  lookedUp(search, rows, ({ row, failure }) => reasons.set(row, failure.reason));
  return textColumn(rows, (_, row) => reasons.get(row));
}

function lookedUp(search: ListSearch, { bytes, offsets }: Rows, refuse: Parameters<ListSearch['lookUp']>[2]): Listings {
  const rows = { bytes, starts: offsets.subarray(0, -1), ends: offsets.subarray(1) };
  return search.lookUp(rows, rows.ends.length, refuse);
}

function listIn(path: string): HashList {
  try {
    return HashList.fromBytes(readFileSync(path));
  } catch (cause) {
    throw new Error(`${path}: ${(cause as Error).message}`, { cause });
  }
}
