import type { DataChunk, Vector } from '@duckdb/node-bindings';
import { mustBeOptions, wrongKind } from '../core/argument.ts';
import type { Column } from '../core/bytes/column.ts';
import { mustBeWidth } from '../core/digest/hash.ts';
import type { Width } from '../core/kernel/kernel.ts';
import { FORM_OPTION_NAMES, type FormOptions, FULL_FORM, formOf, type UrlForm } from '../core/url/options.ts';
import { openOutput, type Rows } from './columns.ts';
import { type Bindings, type DuckDB, openDuckDB } from './duckdb-package.ts';
import { OUTPUTS, type OutputName, type OutputRow } from './outputs.ts';
import { ResultValidity, WRITERS, type WriteValues } from './result-vector.ts';
import { StringVector } from './string-vector.ts';

/** What `register` takes: the canonical form, and how much of each hash is kept. */
export interface TableOptions extends FormOptions {
  /** Bytes of each hash of `url_hash` and `url_expressions`: 8, 16 or 32 (default). */
  readonly width?: Width | undefined;
}

/** A `DuckDBConnection` of `@duckdb/node-api`. */
export interface TableConnection {
  /** What functions are added with. */
  registerScalarFunction(scalarFunction: never): void;
}

/** The types of DuckDB's, by the layout of values. */
const TYPES = {
  digest: ({ BLOB }: DuckDB) => BLOB,
  uint64: ({ UBIGINT }: DuckDB) => UBIGINT,
  int64: ({ BIGINT }: DuckDB) => BIGINT,
  text: ({ VARCHAR }: DuckDB) => VARCHAR,
  digests: ({ LIST, BLOB }: DuckDB) => LIST(BLOB),
} as const;

/**
 * Adds functions to the database of a connection, for all its connections: `url_hash`, `url_hash_u64`, `url_hash_i64`,
 * `url_canonical`, `url_expressions`, `url_reason`, `url_host`, `url_site`, `url_surt`, `url_profile`. Each takes a URL,
 * VARCHAR or BLOB, and is NULL for NULL. All but `url_reason` and `url_profile` are NULL for what is not a URL;
 * `url_reason` says why it is not, and is NULL for one. Functions that were registered before are replaced.
 *
 * A query with a function must run asynchronously, as `run`, `stream` and `prepare` do: DuckDB's synchronous calls, such
 * as `start`, never return where a query has a function in JavaScript.
 *
 * @param connection of the package `@duckdb/node-api`, which this loads
 * @param options the canonical form, and how many bytes of each hash are kept
 * @throws {TypeError} on a connection that is none of that package, and on options of the wrong kind
 * @throws {RangeError} on an option or a width that does not exist
 * @throws {Error} where the package is not installed, or too old
 * @example
 * import { DuckDBInstance } from '@duckdb/node-api';
 * const connection = await (await DuckDBInstance.create()).connect();
 * register(connection, { width: 8 });
 * const result = await connection.run("SELECT hex(url_hash('https://example.com')) AS hash");
 * await result.getRowsJson(); //=> [['0F115DB062B7C0DD']]
 */
export function register(connection: TableConnection, options: TableOptions = {}): void {
  const { width = 32, ...given } = mustBeOptions('options', options, ['width', ...FORM_OPTION_NAMES]);
  mustBeWidth(width);
  const form = formOf(given);
  const duckdb = openDuckDB();
  const { api } = duckdb;
  if (!(connection instanceof api.DuckDBConnection)) throw wrongKind('connection', 'a DuckDBConnection', connection);
  for (const output of Object.keys(OUTPUTS) as OutputName[]) {
    const { values }: OutputRow = OUTPUTS[output];
    const { column } = openOutput({ output, ...ofOutput(output, width, form) });
    for (const type of [api.VARCHAR, api.BLOB]) {
      const scalarFunction = api.DuckDBScalarFunction.create({
        name: functionName(output),
        parameterTypes: [type],
        returnType: TYPES[values](api),
        specialHandling: true,
        mainFunction() {},
      });
      duckdb.bindings.scalar_function_set_function(scalarFunction.scalar_function, (_info, input, to) =>
        answer(duckdb.bindings, input, to, column, WRITERS[values]),
      );
      connection.registerScalarFunction(scalarFunction);
    }
  }
}

function ofOutput(output: OutputName, width: Width, form: UrlForm) {
  const { values, profiles }: OutputRow = OUTPUTS[output];
  const profile = profiles[0]!;
  return {
    profile,
    width: values === 'digest' || values === 'digests' ? width : (8 as const),
    form: profile === 'url' ? form : FULL_FORM,
  };
}

/** The name of the function for an output. */
export function functionName(output: OutputName): string {
  const { values }: OutputRow = OUTPUTS[output];
  return values === 'uint64' || values === 'int64' ? `url_hash_${output}` : `url_${output}`;
}

function answer(
  bindings: Bindings,
  input: DataChunk,
  to: Vector,
  column: (rows: Rows) => Column,
  write: WriteValues,
): void {
  const urls = new StringVector(
    bindings,
    bindings.data_chunk_get_vector(input, 0),
    bindings.data_chunk_get_size(input),
  );
  const validity = new ResultValidity(urls.length, urls.validity);
  for (const rows of urls.pieces()) {
    const values = column(rows);
    write(bindings, to, rows.first, values);
    for (const row of values.invalid) validity.addNull(rows.first + row);
  }
  validity.writeTo(bindings, to);
}
