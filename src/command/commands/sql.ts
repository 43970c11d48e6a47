import { existsSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { DuckDBPreparedStatement, DuckDBType } from '@duckdb/node-api';
import { visible } from '../../core/bytes/text.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import { beforeEndingSignal, pathBeside, ReplacementFile, temporaryName } from '../../store/files.ts';
import { openDuckDB, registerFunctions } from '../../tables/register.ts';
import { byteLengthOf, choice, group, parsed, text } from '../arguments/flag.ts';
import { DEFAULT_SCHEME, FLAGS_OF_FORM, urlForm } from '../arguments/url-flags.ts';
import {
  copyTargetIn,
  type Database,
  openDatabase,
  placeOfError,
  sqlName,
  sqlText,
  statementsIn,
  UNNAMED,
  withoutPlace,
} from '../database.ts';
import { usageFault } from '../fault.ts';
import { isClosedPipe, isTerminal, type Output, openOutput, targetOf } from '../write/output.ts';
import { action, block } from './command.ts';
import { RUN_FLAGS } from './line-flags.ts';

/** Enough for row groups of a million rows; what is sorted or joined beyond it goes to disk. */
const DEFAULT_SQL_MEMORY_BYTES = 2 ** 30;

const FLAGS = {
  ...group('Output', {
    format: choice(
      'FORMAT',
      ['table', 'csv', 'ndjson'],
      undefined,
      'how rows are printed: table (default on a terminal), csv (default elsewhere), ndjson',
    ),
    width: choice('BYTES', ['8', '16', '32'], '32', 'bytes of each hash of url_hash: 8, 16 or 32 (default)'),
    out: RUN_FLAGS.out,
  }),
  ...group('Input', {
    database: text('FILE', "a database of DuckDB's; by default one in memory", { isPath: true }),
    defaultScheme: DEFAULT_SCHEME,
    ...FLAGS_OF_FORM,
  }),
  ...group('Run', {
    memory: parsed('SIZE', 'memory for DuckDB; default 1G', DEFAULT_SQL_MEMORY_BYTES, byteLengthOf),
    jobs: RUN_FLAGS.jobs,
  }),
};

/** `urlsum sql`: DuckDB with functions for URLs. */
export const SQL = action({
  examples: [
    [`"COPY (SELECT *, url_hash(url) k FROM 'a.parquet') TO 'b.parquet'"`, 'key a Parquet file'],
    [`"COPY (SELECT *, url_hash(url) k FROM 'a.jsonl') TO 'b.parquet'"`, 'a crawl to Parquet'],
    [`"FROM 'a.parquet' WHERE NOT url_in_index(url, 'seen.idx')"`, 'not in an index'],
    [`"FROM 'a.parquet' WHERE url_on_list(url, 'b.list') IS NOT NULL"`, 'on a list'],
  ],
  operands: 'QUERY',
  about: [
    'Runs SQL in DuckDB with functions for URLs, and prints the rows of the last statement, bytes in hex. DuckDB reads ' +
      'Parquet, CSV and JSON by the names of files. COPY … TO writes a file that appears when it is complete.',
    'url_hash(url), url_hash_u64, url_hash_i64, url_canonical, url_expressions, url_reason, url_host, url_site, ' +
      'url_surt and url_profile are NULL for what is not a URL, but for url_reason, which says why. ' +
      "url_in_index(url, 'seen.idx') and url_on_list(url, 'bad.list') look a URL up. Needs @duckdb/node-api.",
  ],
  flags: FLAGS,
  async run(values, operands) {
    const [query, ...more] = operands;
    if (query === undefined || more.length > 0)
      throw usageFault(`sql needs one query, in quotes: urlsum sql "SELECT url_hash('https://example.com/')"`);
    if (existsSync(query)) throw usageFault(`sql needs a query, not a file; FROM ${sqlText(query)} is one`);
    const statements = statementsIn(query);
    if (statements.length === 0) throw usageFault('the query is empty');
    const format = values.format ?? (isTerminal(values.out) ? 'table' : 'csv');
    const spillFolder = join(tmpdir(), temporaryName('run'));
    const removeSpill = () => rmSync(spillFolder, { recursive: true, force: true });
    const forgetSignals = beforeEndingSignal(removeSpill);
    try {
      const { database: path, memory: memoryBytes, jobs: threadCount, defaultScheme } = values;
      const database = await openDatabase({ path, memoryBytes, threadCount, spillFolder });
      try {
        const form = urlForm(values);
        const functions = { width: Number(values.width) as Width, form, defaultScheme };
        registerFunctions(openDuckDB(), database.connection, functions);
        await runAll(database, statements, format, values.out);
      } finally {
        await database.close();
      }
    } catch (error) {
      if (!isClosedPipe(error)) throw placeOfError(error);
    } finally {
      removeSpill();
      forgetSignals();
    }
  },
});

async function runAll(database: Database, statements: readonly string[], format: RowsFormat, out: string | undefined) {
  for (const statement of statements.slice(0, -1)) await runOne(database, statement);
  const last = statements.at(-1)!;
  const output = await openOutput(out, { endsProcess: false });
  let isWhole = false;
  try {
    await printOne(database, last, format, output);
    isWhole = true;
  } finally {
    await output.end(isWhole);
  }
}

/** Runs a statement whose rows, if it has any, are not printed. A file that it writes appears when it is complete. */
async function runOne(database: Database, statement: string) {
  const target = copyTargetIn(statement);
  if (target === undefined || (target !== UNNAMED && isElsewhere(target.path))) return database.run(statement);
  if (target === UNNAMED)
    throw usageFault("COPY … TO needs the name of a file in quotes, 'FILE': rows for a pipe are those of a SELECT");
  const found = targetOf(target.path);
  if (!('path' in found))
    throw usageFault(`COPY does not write to ${target.path}: rows for a pipe are those of a SELECT`);
  if (statSync(found.path, { throwIfNoEntry: false })?.isFile() === false) return database.run(statement);
  const extensions = /(?:\.\w+)+$/.exec(basename(target.path))?.[0] ?? ''; // they tell the format
  const temporary = pathBeside(found.path) + extensions;
  const remove = () => rmSync(temporary, { force: true });
  const forgetSignals = beforeEndingSignal(remove);
  try {
    const result = await database.run(
      statement.slice(0, target.start) + sqlText(temporary) + statement.slice(target.end),
    );
    const file = new ReplacementFile(found.path, temporary, found.path, true);
    try {
      await file.commit();
    } finally {
      file.discard();
    }
    return result;
  } finally {
    remove();
    forgetSignals();
  }
}

/** Whether a path is an address, such as one of S3, and not a file of this machine. */
function isElsewhere(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
}

async function printOne(database: Database, statement: string, format: RowsFormat, output: Output): Promise<void> {
  const prepared = await database.preparedQuery(statement);
  if (prepared !== undefined) {
    try {
      return await printQuery(database, statement, prepared, format, output);
    } catch (error) {
      throw withoutPlace(error); // the place is one in our query around it
    }
  }
  const result = await runOne(database, statement);
  if (/^\s*EXPLAIN\b/i.test(statement)) {
    for (const [, plan] of await result.getRows()) await output.write(Buffer.from(`${plan}\n`));
    return;
  }
  if (database.hasRows(result)) await printRows(result.columnNames(), await result.getRowsJson(), format, output);
}

type RowsFormat = 'table' | 'csv' | 'ndjson';

/**
 * Prints the rows of a query in constant memory; bytes are printed in hex.
 *
 * @throws the error of the query, and Fault
 */
async function printQuery(
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

/** Prints the few rows of a statement that is not a query. */
async function printRows(
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
  const fields = cells.map((cell) =>
    cell === '' || /[",\r\n]/.test(cell ?? '') ? `"${cell!.replaceAll('"', '""')}"` : (cell ?? ''),
  );
  return `${fields.join(',')}\n`;
}

/** Rows that decide how wide columns are. */
const MEASURED_ROWS = 1000;
/** A column is no wider than this: longer cells push what is after them to the right. */
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
      rows.splice(
        1,
        0,
        Array.from(this.#widths, (width) => '─'.repeat(width)),
      );
    }
    const padded = (cell: string, column: number) => cell.padEnd(this.#widths![column]!);
    const lines = rows.map((row) => row.map(padded).join('  ').trimEnd());
    await this.#output.write(Buffer.from(block(lines)));
  }
}
