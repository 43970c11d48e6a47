import { constants } from 'node:buffer';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DataChunk, Vector } from '@duckdb/node-bindings';
import { mustBeOptions, mustBeString, wrongKind } from '../core/argument.ts';
import { asciiText } from '../core/bytes/text.ts';
import { mustBeWidth } from '../core/digest/hash.ts';
import type { Width } from '../core/kernel/kernel.ts';
import { quote } from '../core/quote.ts';
import { parseBase } from '../core/url/canonicalize.ts';
import { FORM_OPTION_NAMES, formOf, type Options } from '../core/url/options.ts';
import { mustBeSuffixList } from '../specs/safe-browsing/settings.ts';
import type { SuffixList } from '../specs/safe-browsing/suffix-list.ts';
import { type DuckDBPackage, openDuckDB } from './duckdb-package.ts';
import {
  type FunctionOptions,
  PREFIX_RULE,
  PREFIX_SYNTAX,
  type TableFunction,
  tableFunctions,
  URL_PREFIX,
} from './functions.ts';
import type { Rows } from './outputs.ts';
import { type Bindings, ResultValidity, StringVector } from './vectors.ts';

/** Options of `register`: the canonical form, and how much of each hash is kept. */
export interface TableOptions extends Omit<Options, 'base'> {
  /** Bytes of each hash of `url_hash` and `url_expressions`: 8, 16 or 32 (default). */
  readonly width?: Width | undefined;
  /**
   * Beginning of the names of the functions: `page_` gives `page_hash`, beside an earlier `url_hash`. Default: `url_`.
   */
  readonly prefix?: string | undefined;
  /** The Public Suffix List of `url_on_list`, from `SuffixList.parse`: that of the list. Default: the bundled one. */
  readonly suffixList?: SuffixList | undefined;
}

/** A `DuckDBConnection` of `@duckdb/node-api`. */
export interface TableConnection {
  /**
   * Adds a function to the database.
   *
   * @param scalarFunction a `DuckDBScalarFunction`
   */
  registerScalarFunction(scalarFunction: never): void;
}

/**
 * Adds functions to the database of a connection, for all its connections: `url_hash`, `url_hash_u64`, `url_hash_i64`,
 * `url_canonical`, `url_expressions`, `url_reason`, `url_host`, `url_site`, `url_surt`, `url_profile`. Each takes a
 * URL, VARCHAR or BLOB, and is NULL for NULL. All but `url_reason` and `url_profile` are NULL for what is not a URL;
 * `url_reason` says why it is not, and is NULL for one. `url_in_index(url, file)` says whether the hash is in an index
 * of `urlsum index`, `url_on_list(url, file)` which expression of the URL is on a list of `urlsum list build`, as
 * `urlsum lookup` does: NULL if none is, and `url_reason(url, file)` why it was not looked up there: NULL if it was.
 * Each file is opened once. Functions that were registered before are replaced; with a `prefix` of their own, those of
 * two forms are beside each other.
 *
 * DuckDB would call a macro of such a name, in whatever database, in the place of the function: it is refused. One that
 * is made later is not noticed, but `system.main.url_on_list(url, file)` is always the function.
 *
 * A query with a function must run asynchronously, as `run`, `stream` and `prepare` do: DuckDB's synchronous calls,
 * such as `start`, never return where a query has a function in JavaScript.
 *
 * @param connection of the package `@duckdb/node-api`, which this loads
 * @param options the canonical form, and how many bytes of each hash are kept
 * @returns a promise, rejected with a RangeError where a macro has one of the names
 * @throws {TypeError} on a connection that is none of that package, and on options of the wrong kind
 * @throws {RangeError} on an option or a width that does not exist, and on a prefix that is not a name
 * @throws {Error} where the package is not installed, or too old
 * @example
 * import { DuckDBInstance } from '@duckdb/node-api';
 * const connection = await (await DuckDBInstance.create()).connect();
 * await register(connection, { width: 8 });
 * const result = await connection.run("SELECT hex(url_hash('https://example.com')) AS hash");
 * await result.getRowsJson(); //=> [['0F115DB062B7C0DD']]
 */
export function register(connection: TableConnection, options: TableOptions = {}): Promise<void> {
  const own = mustBeOptions('options', options, [
    'width',
    'prefix',
    'suffixList',
    'defaultScheme',
    ...FORM_OPTION_NAMES,
  ]);
  const { width = 32, prefix = URL_PREFIX, suffixList, ...given } = own;
  mustBeWidth(width);
  if (!PREFIX_SYNTAX.test(mustBeString('prefix', prefix)))
    throw new RangeError(`prefix must be ${PREFIX_RULE}, got ${quote(prefix)}`);
  const form = formOf(given);
  parseBase(given, form);
  if (suffixList !== undefined) mustBeSuffixList(suffixList);
  const duckdb = openDuckDB();
  if (!(connection instanceof duckdb.api.DuckDBConnection))
    throw wrongKind('connection', 'a DuckDBConnection', connection);
  const { defaultScheme } = given;
  const names = registerFunctions(duckdb, connection, { prefix, width, suffixList, form, defaultScheme });
  return mustNotBeHiddenByMacros(connection, names);
}

/**
 * Adds the functions for VARCHAR and for BLOB, to which nothing else is cast, and returns their names.
 *
 * @internal
 */
export function registerFunctions(
  { api, bindings }: DuckDBPackage,
  connection: DuckDBConnection,
  options: FunctionOptions,
): string[] {
  const functions = tableFunctions(options);
  for (const each of functions) {
    for (const type of [api.VARCHAR, api.BLOB]) {
      const scalarFunction = api.DuckDBScalarFunction.create({
        name: each.name,
        parameterTypes: each.takesFile ? [type, api.VARCHAR] : [type],
        returnType: each.returns(api),
        specialHandling: true, // otherwise a NULL row has what is written there
        mainFunction() {},
      });
      // what the package passes on has no pointers
      bindings.scalar_function_set_function(scalarFunction.scalar_function, (_info, input, to) =>
        answer(bindings, input, to, each),
      );
      connection.registerScalarFunction(scalarFunction);
    }
  }
  return functions.map(({ name }) => name);
}

/** Named in full, since a macro may have this name, too. */
const MACROS = `SELECT database_name, schema_name, function_name FROM system.main.duckdb_functions()
  WHERE database_name <> 'system' AND function_type = 'macro'`;

/**
 * Looks whether functions are what DuckDB calls by their names: it prefers macros of the databases that are attached.
 *
 * @internal
 * @throws {RangeError} where a macro has such a name
 */
export async function mustNotBeHiddenByMacros(connection: DuckDBConnection, names: readonly string[]): Promise<void> {
  const macros = (await (await connection.run(MACROS)).getRows()) as string[][];
  for (const [database, schema, name] of macros)
    if (names.includes(name!.toLowerCase()))
      throw new RangeError(
        `the macro ${database}.${schema}.${name} has the name of a function of urlsum: drop the macro`,
      );
}

/** Writes a value for each row of a chunk, of 2048 rows or fewer. What is thrown ends the query with its message. */
function answer(
  bindings: Bindings,
  input: DataChunk,
  to: Vector,
  { takesFile, column, write, reasons }: TableFunction,
): void {
  const length = bindings.data_chunk_get_size(input);
  const parameter = (index: number) => new StringVector(bindings, bindings.data_chunk_get_vector(input, index), length);
  const urls = parameter(0);
  const files = takesFile ? parameter(1) : undefined;
  const validity = new ResultValidity(urls.length, urls.validity);
  for (const { first, end, text } of files?.runs() ?? [{ first: 0, end: length, text: '' }]) {
    if (text === null) {
      for (let row = first; row < end; row++) validity.addNull(row);
      continue;
    }
    for (const rows of urls.pieces(first, end)) {
      const values = column(rows, text);
      write(bindings, to, rows.first, values);
      for (const row of values.invalid) {
        mustFitString(rows, row, reasons);
        validity.addNull(rows.first + row);
      }
    }
  }
  validity.writeTo(bindings, to);
}

/** Longer rows may have a form that no string holds: a byte may become three characters. */
const LONG_BYTES = constants.MAX_STRING_LENGTH / 3;

/** @throws {RangeError} where a row has no value only because it, or its form, is longer than strings can be */
function mustFitString({ bytes, offsets }: Rows, row: number, reasons: TableFunction['reasons']): void {
  const [start, end] = [offsets[row]!, offsets[row + 1]!];
  if (end - start <= LONG_BYTES) return;
  const { bytes: reason } = reasons({ bytes: bytes.subarray(start, end), offsets: Uint32Array.of(0, end - start) });
  if (asciiText(reason) !== 'length-limit') return;
  const limit = `${constants.MAX_STRING_LENGTH} characters (length-limit)`;
  throw new RangeError(
    `a URL of ${end - start} bytes, or its canonical form, is longer than a string can be: ${limit}`,
  );
}
