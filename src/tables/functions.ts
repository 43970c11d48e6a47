import type { DuckDBType } from '@duckdb/node-api';
import type { Column } from '../core/digest/column.ts';
import type { Width } from '../core/kernel/kernel.ts';
import { FULL_FORM, type UrlForm } from '../core/url/options.ts';
import type { DefaultScheme } from '../core/url/parser.ts';
import type { SuffixList } from '../specs/safe-browsing/suffix-list.ts';
import { openOutput, type Rows } from './columns.ts';
import type { DuckDB } from './duckdb-package.ts';
import { type Advice, indexLookup, listLookup, opened } from './lookups.ts';
import { OUTPUTS, type OutputName, type OutputRow } from './outputs.ts';
import { WRITERS, type WriteValues, writeWords } from './result-vector.ts';

/** A function of a URL, and of a file where it `takesFile`. */
export interface TableFunction {
  readonly name: string;
  readonly takesFile: boolean;
  readonly returns: (duckdb: DuckDB) => DuckDBType;
  readonly write: WriteValues;
  /** @param file empty where there is none */
  readonly column: (rows: Rows, file: string) => Column;
}

/** What functions are made with. */
export interface FunctionOptions {
  /** Bytes of each hash. */
  readonly width: Width;
  readonly form: UrlForm;
  /** What a URL gets that lacks a scheme. */
  readonly defaultScheme?: DefaultScheme | undefined;
  /** The Public Suffix List of `url_on_list`; the bundled one by default. */
  readonly suffixList?: SuffixList | undefined;
  /** For an index that was made with another form. */
  readonly advice: Advice;
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

/** Expressions are those of the URL as it is, whatever the form. */
function ofOutput(output: OutputName, { width, form, defaultScheme }: FunctionOptions): TableFunction {
  const { values, profiles }: OutputRow = OUTPUTS[output];
  const profile = profiles[0]!;
  const isNumber = values === 'uint64' || values === 'int64';
  return {
    name: isNumber ? `url_hash_${output}` : `url_${output}`,
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
  };
}

function lookups({ form, defaultScheme, suffixList, advice }: FunctionOptions): TableFunction[] {
  const indexAt = opened((path) => indexLookup(path, { form, defaultScheme }, advice));
  const listAt = opened((path) => listLookup(path, suffixList));
  return [
    {
      name: 'url_in_index',
      takesFile: true,
      returns: ({ BOOLEAN }) => BOOLEAN,
      write: writeWords,
      column: (rows, file) => indexAt(file)(rows),
    },
    {
      name: 'url_on_list',
      takesFile: true,
      returns: ({ VARCHAR }) => VARCHAR,
      write: WRITERS.text,
      column: (rows, file) => listAt(file)(rows),
    },
  ];
}
