/**
 * Functions for DuckDB in Node, Deno and Bun: they need the package `@duckdb/node-api`.
 *
 * @packageDocumentation
 */

export { register, type TableConnection, type TableOptions } from '../tables/register.ts';
