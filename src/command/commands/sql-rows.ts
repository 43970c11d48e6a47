import type { DuckDBPreparedStatement, DuckDBType } from '@duckdb/node-api';
import { visible } from '../../core/bytes/text.ts';
import { type Database, sqlName, sqlText } from '../database.ts';
import type { Output } from '../write/output.ts';
import { csvField } from '../write/records.ts';
import { block } from './command.ts';

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
  const isJson = format === 'ndjson';
  const cells = names.map((_, index) => cellOf(`#${index + 1}`, prepared.columnType(index), isJson));
  if (format === 'table') {
    const table = new Table(names, output);
    for await (const texts of database.texts(tableQuery(query, cells)))
      for (const { bytes, offsets } of texts.pieces(0, texts.length))
        for (let row = 1; row < offsets.length; row++)
          await table.add(JSON.parse(Buffer.from(bytes.subarray(offsets[row - 1], offsets[row])).toString()));
    return table.end();
  }
  const header = format === 'csv' ? [Buffer.from(csvLine(names))] : [];
  const writeHeader = async () => {
    for (const line of header.splice(0)) await output.write(line);
  };
  const lines = format === 'csv' ? csvQuery(query, cells) : jsonQuery(query, names, cells);
  for await (const texts of database.texts(lines)) {
    await writeHeader(); // with the first rows: a query that fails before them prints its error alone
    for (const { bytes } of texts.pieces(0, texts.length)) await output.write(bytes);
  }
  await writeHeader();
}

/** Prints the few rows of a statement that is not a query. */
export async function printRows(
  names: readonly string[],
  rows: readonly (readonly unknown[])[],
  format: RowsFormat,
  output: Output,
): Promise<void> {
  const textOf = (cell: unknown) => (typeof cell === 'object' ? cell && JSON.stringify(cell) : String(cell));
  const texts = rows.map((row) => row.map(textOf));
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

// The names of functions are given in full: a database may have macros of these names, and of operators.

/**
 * Returns the expression of a value as it is printed, at any depth: bytes, mostly hashes, in hex, and in JSON a text in the
 * place of a number that JSON lacks.
 */
function cellOf(value: string, type: DuckDBType, isJson: boolean, depth = 0): string {
  const name = String(type);
  if (name === 'BLOB') return `system.main.lower(system.main.hex(${value}))`;
  if (isJson && (name === 'DOUBLE' || name === 'FLOAT')) return numberCell(value);
  const each = `each${depth}`;
  const within = (inner: string, innerType: DuckDBType) => cellOf(inner, innerType, isJson, depth + 1);
  if ('keyType' in type) {
    const entry = [cellOf(`${each}.key`, type.keyType, false, depth + 1), within(`${each}.value`, type.valueType)];
    const pairs = `system.main.list_transform(system.main.map_entries(${value}), lambda ${each}: ${packed(entry)})`;
    return entry.join() === `${each}.key,${each}.value` ? value : `system.main.map_from_entries(${pairs})`;
  }
  if ('valueType' in type) {
    const cell = within(each, type.valueType);
    return cell === each ? value : `system.main.list_transform(${value}, lambda ${each}: ${cell})`;
  }
  if ('entryTypes' in type) {
    const fields = type.entryTypes.map((_, index) => `system.main.struct_extract_at(${value}, ${index + 1})`);
    const cells = fields.map((field, index) => within(field, type.entryTypes[index]!));
    if (cells.join() === fields.join()) return value;
    return `CASE WHEN ${value} IS NOT NULL THEN ${packed(cells, type.entryNames)} END`;
  }
  if ('memberTypes' in type) {
    const members = type.memberTags.map((tag) => `system.main.union_extract(${value}, ${sqlText(tag)})`);
    const cells = members.map((member, index) => within(member, type.memberTypes[index]!));
    if (cells.join() === members.join()) return value;
    const cases = type.memberTags.map((tag, index) => {
      const cell = isJson ? `system.main.to_json(${packed([cells[index]!], [tag])})` : `${cells[index]!}::VARCHAR`;
      return `WHEN ${sqlText(tag)} THEN ${cell}`;
    });
    return `CASE system.main.union_tag(${value})::VARCHAR ${cases.join(' ')} END`;
  }
  return value;
}

/** A struct; without names, as those of `row` are. */
function packed(cells: readonly string[], names: readonly string[] = cells.map(() => '')): string {
  if (names.includes('')) return `system.main.row(${cells})`;
  return `system.main.struct_pack(${cells.map((cell, index) => `${sqlName(names[index]!)} := ${cell}`)})`;
}

function numberCell(value: string): string {
  const cases = [
    `WHEN system.main.isfinite(${value}) THEN system.main.to_json(${value})`,
    `WHEN system.main.isnan(${value}) THEN '"NaN"'::JSON`,
    `WHEN ${value} > 0 THEN '"Infinity"'::JSON`,
    `WHEN ${value} < 0 THEN '"-Infinity"'::JSON`,
  ];
  return `CASE ${cases.join(' ')} END`;
}

function tableQuery(query: string, cells: readonly string[]): string {
  const texts = cells.map((cell) => `${cell}::VARCHAR`);
  return `SELECT system.main.to_json(system.main.list_value(${texts}))::VARCHAR FROM (${query}\n) AS rows`;
}

function jsonQuery(query: string, names: readonly string[], cells: readonly string[]): string {
  const columns = cells.map((cell, index) => `${cell} AS ${sqlName(names[index]!)}`);
  const line = 'system.main.concat(system.main.to_json(record)::VARCHAR, system.main.chr(10))';
  return `SELECT ${line} FROM (SELECT ${columns} FROM (${query}\n) AS rows) AS record`;
}

/** RFC 4180, with a line feed at the end of lines; NULL is empty, and an empty text is "". */
function csvQuery(query: string, cells: readonly string[]): string {
  const columns = cells.map((cell, index) => `${cell}::VARCHAR AS c${index}`);
  const fields = cells.map(
    (_, index) =>
      `CASE WHEN c${index} IS NULL THEN '' ` +
      `WHEN c${index} = '' OR system.main.regexp_matches(c${index}, '[",\\r\\n]') ` +
      `THEN system.main.concat('"', system.main.replace(c${index}, '"', '""'), '"') ELSE c${index} END`,
  );
  const line = `system.main.concat(${fields.join(", ',', ")}, system.main.chr(10))`;
  return `SELECT ${line} FROM (SELECT ${columns} FROM (${query}\n) AS rows) AS records`;
}

function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => (cell === '' ? '""' : csvField(cell ?? '', ','))).join(',')}\n`;
}

/** The number of rows that are measured for the width of columns. */
const MEASURED_ROWS = 1000;
/** The widest column: a longer cell pushes those after it to the right. */
const WIDTH_LIMIT = 80;

/** Writes rows as a table on a terminal; characters that a terminal would obey are escaped. */
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
    const rows = this.#rows.splice(0);
    if (this.#widths === undefined) {
      const widest = (column: number) => Math.max(...rows.map((row) => row[column]!.length));
      this.#widths = rows[0]!.map((_, column) => Math.min(WIDTH_LIMIT, widest(column)));
      const line = this.#widths.map((width) => '─'.repeat(width));
      rows.splice(1, 0, line);
    }
    const padded = (cell: string, column: number) => cell.padEnd(this.#widths![column]!);
    const lines = rows.map((row) => row.map(padded).join('  ').trimEnd());
    await this.#output.write(Buffer.from(block(lines)));
  }
}
