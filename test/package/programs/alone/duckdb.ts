import { register, type TableConnection } from 'urlsum/duckdb';

export const registered = (connection: TableConnection) => register(connection, { width: 16 });
// @ts-expect-error a width there is not
export const refused = (connection: TableConnection) => register(connection, { width: 7 });
