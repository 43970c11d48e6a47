import type { DuckDBPreparedStatement, DuckDBType } from '@duckdb/node-api';
import { visible } from '../../core/bytes/text.ts';
import type { Database } from '../database.ts';
import { sqlName } from '../read/sql-text.ts';
import type { Output } from './output.ts';

export type RowsFormat = 'table' | 'csv' | 'ndjson';

/**
 * Prints the rows of a query in constant memory; bytes are printed in hex.
 *
 * @throws the error of the query, and Fault
 */
export async function printQuery(
  database: Database,
  query: string,
  prepared: DuckDBPreparedStatement,
  format: RowsFormat,
  output: Output,
): Promise<void> {
  const names = Array.from({ length: prepared.columnCount }, (_, index) => prepared.columnName(index));
  const cells = names.map((_, index) => cellOf(`#${index + 1}`, prepared.columnType(index)));
  if (format === 'table') {
    const table = new Table(names, output);
    for await (const texts of database.texts(tableQuery(query, cells)))
      for (const { bytes, offsets } of texts.pieces(0, texts.length))
        for (let row = 1; row < offsets.length; row++)
          await table.add(JSON.parse(Buffer.from(bytes.subarray(offsets[row - 1], offsets[row])).toString()));
    return table.end();
  }
  if (format === 'csv') await output.write(Buffer.from(csvLine(names)));
  const lines = format === 'csv' ? csvQuery(query, cells) : jsonQuery(query, names, cells);
  for await (const texts of database.texts(lines))
    for (const { bytes } of texts.pieces(0, texts.length)) await output.write(bytes);
}

/** Prints rows that are few: those of what is not a query. */
export async function printRows(
  names: readonly string[],
  rows: readonly (readonly unknown[])[],
  format: RowsFormat,
  output: Output,
): Promise<void> {
  const texts = rows.map((row) => row.map((cell) => (cell === null ? null : textOf(cell))));
  if (format === 'table') {
    const table = new Table(names, output);
    for (const row of texts) await table.add(row);
    return table.end();
  }
  const jsonLine = (row: readonly unknown[]) =>
    `${JSON.stringify(Object.fromEntries(names.map((name, index) => [name, row[index]])))}\n`;
  const lines = format === 'csv' ? [names, ...texts].map(csvLine) : rows.map(jsonLine);
  for (const line of lines) await output.write(Buffer.from(line));
}

function textOf(cell: unknown): string {
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** Bytes are mostly hashes, which DuckDB would print as text with escapes. */
function cellOf(column: string, type: DuckDBType): string {
  const name = String(type);
  if (name === 'BLOB') return `lower(hex(${column}))`;
  return name === 'BLOB[]' ? `list_transform(${column}, lambda each: lower(hex(each)))` : column;
}

function tableQuery(query: string, cells: readonly string[]): string {
  return `SELECT to_json([${cells.map((cell) => `${cell}::VARCHAR`)}])::VARCHAR FROM (${query}\n) AS rows`;
}

function jsonQuery(query: string, names: readonly string[], cells: readonly string[]): string {
  const columns = cells.map((cell, index) => `${cell} AS ${sqlName(names[index]!)}`);
  return `SELECT to_json(record)::VARCHAR || chr(10) FROM (SELECT ${columns} FROM (${query}\n) AS rows) AS record`;
}

/** RFC 4180, with a line feed at the end of lines; NULL is empty, and an empty text is "". */
function csvQuery(query: string, cells: readonly string[]): string {
  const columns = cells.map((cell, index) => `${cell}::VARCHAR AS c${index}`);
  const fields = cells.map(
    (_, index) =>
      `CASE WHEN c${index} IS NULL THEN '' WHEN c${index} = '' OR regexp_matches(c${index}, '[",\\r\\n]') ` +
      `THEN '"' || replace(c${index}, '"', '""') || '"' ELSE c${index} END`,
  );
  return `SELECT ${fields.join(` || ',' || `)} || chr(10) FROM (SELECT ${columns} FROM (${query}\n) AS rows) AS records`;
}

function csvLine(cells: readonly (string | null)[]): string {
  const field = (cell: string | null) => (cell === '' || /[",\r\n]/.test(cell ?? '') ? csvQuoted(cell!) : (cell ?? ''));
  return `${cells.map(field).join(',')}\n`;
}

function csvQuoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Rows that decide how wide columns are. */
const MEASURED_ROWS = 1000;
/** A column is no wider than this: longer cells push what is after them to the right. */
const WIDTH_LIMIT = 80;

/** Rows for the eye, on a terminal: what would change it is escaped. */
class Table {
  readonly #output: Output;
  readonly #rows: (readonly string[])[];
  #widths: readonly number[] | undefined;

  constructor(names: readonly string[], output: Output) {
    this.#output = output;
    this.#rows = [names.map(visible)];
  }

  async add(row: readonly (string | null)[]): Promise<void> {
    this.#rows.push(row.map((cell) => (cell === null ? 'NULL' : visible(cell))));
    if (this.#rows.length > MEASURED_ROWS) await this.end();
  }

  /** Writes the rows that wait. */
  async end(): Promise<void> {
    const isFirst = this.#widths === undefined;
    const rows = this.#rows.splice(0);
    this.#widths ??= rows[0]!.map((_, column) =>
      Math.min(WIDTH_LIMIT, Math.max(...rows.map((row) => row[column]!.length))),
    );
    if (isFirst)
      rows.splice(
        1,
        0,
        this.#widths.map((width) => '─'.repeat(width)),
      );
    const lines = rows.map((row) =>
      row
        .map((cell, column) => cell.padEnd(this.#widths![column]!))
        .join('  ')
        .trimEnd(),
    );
    await this.#output.write(Buffer.from(lines.map((line) => `${line}\n`).join('')));
  }
}
