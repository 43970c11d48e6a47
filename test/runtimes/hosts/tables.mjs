import { DuckDBInstance } from '@duckdb/node-api';
import { register } from 'urlsum/duckdb';

const connection = await (await DuckDBInstance.create()).connect();
register(connection, { width: 8 });
const result = await connection.run(
  "SELECT url, hex(url_hash(url)), url_canonical(url), url_site(url) FROM (VALUES ('HTTPS://Example.com'), ('x')) AS t(url)",
);
console.log(JSON.stringify(await result.getRowsJson()));
