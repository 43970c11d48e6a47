import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { register, type TableOptions } from '../../src/tables/register.ts';

/** A database of its own in memory, with the functions under these options. */
export async function connected(options?: TableOptions, config?: Record<string, string>): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:', config)).connect();
  await register(connection, options);
  return connection;
}

/** The rows of a query. */
export async function rowsOf(
  connection: DuckDBConnection,
  query: string,
  values?: DuckDBValue[],
): Promise<unknown[][]> {
  return (await connection.run(query, values)).getRowsJS();
}

/** Makes a table with the columns `id`, `url` and `bytes`, both of which are NULL where the URL is. */
export async function makeTable(
  connection: DuckDBConnection,
  name: string,
  urls: Iterable<string | null>,
): Promise<void> {
  await connection.run(`CREATE OR REPLACE TABLE ${name} (id INTEGER, url VARCHAR)`);
  const appender = await connection.createAppender(name);
  let id = 0;
  for (const url of urls) {
    appender.appendInteger(id++);
    if (url === null) appender.appendNull();
    else appender.appendVarchar(url);
    appender.endRow();
  }
  appender.closeSync();
}
