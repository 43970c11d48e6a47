import { existsSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { DuckDBPreparedStatement, DuckDBType } from '@duckdb/node-api';
import { visible, withoutByteOrderMark } from '../../core/bytes/text.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import { FULL_FORM } from '../../core/url/options.ts';
import { beforeEndingSignal, isSameState, pathBeside, ReplacementFile, temporaryName } from '../../store/files.ts';
import { openDuckDB } from '../../tables/duckdb-package.ts';
import { PREFIX_RULE, PREFIX_SYNTAX, URL_PREFIX } from '../../tables/functions.ts';
import { mustNotBeHiddenByMacros, registerFunctions } from '../../tables/register.ts';
import { choice, file, group, matching, parsed, text } from '../arguments/flag.ts';
import { NUMBER } from '../arguments/numbers.ts';
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
import { fileFault, tried, usageFault } from '../fault.ts';
import { bufferOf } from '../read/framing.ts';
import type { OptionFile } from '../read/inputs.ts';
import { beginsAsUrl } from '../read/text-kind.ts';
import { isClosedPipe, isTerminal, type Output, openOutput, targetOf } from '../write/output.ts';
import { csvField } from '../write/records.ts';
import { action, block } from './command.ts';
import { RUN_FLAGS } from './line-flags.ts';

/** Memory for row groups of a million rows; what is sorted or joined beyond it goes to disk. */
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
    prefix: parsed(
      'NAME',
      'call the functions of the chosen form NAME…, such as page_hash, and let url_hash and the like be of the full form',
      URL_PREFIX,
      matching(PREFIX_SYNTAX, PREFIX_RULE),
    ),
    out: RUN_FLAGS.out,
  }),
  ...group('Input', {
    file: { ...file('FILE', 'run the statements in FILE; - for those of standard input'), short: 'f' },
    database: text('FILE', "a database of DuckDB's; by default one in memory", { isPath: true }),
    defaultScheme: DEFAULT_SCHEME,
    ...FLAGS_OF_FORM,
  }),
  ...group('Run', {
    memory: parsed('SIZE', 'memory for DuckDB; default 1G', DEFAULT_SQL_MEMORY_BYTES, NUMBER.bytes),
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
    ['-f keys.sql', 'from a file'],
  ],
  operands: '[QUERY]',
  about: [
    'Runs SQL in DuckDB with functions for URLs, and prints the rows of the last statement, bytes in hex. DuckDB reads ' +
      'Parquet, CSV and JSON by the names of files. COPY … TO writes a file that appears when it is complete.',
    'url_hash(url), url_hash_u64, url_hash_i64, url_canonical, url_expressions, url_reason, url_host, url_site, ' +
      'url_surt and url_profile are NULL for what is not a URL, but for url_reason, which says why. ' +
      "url_in_index(url, 'seen.idx') and url_on_list(url, 'bad.list') look a URL up; url_reason(url, " +
      "'bad.list') says why one was not looked up. Needs @duckdb/node-api.",
  ],
  flags: FLAGS,
  async run(values, operands) {
    const query = queryOf(values.file, operands);
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
        const duckdb = openDuckDB();
        const width = Number(values.width) as Width;
        const forms = new Map([[URL_PREFIX, FULL_FORM]]).set(values.prefix, form);
        const names = Array.from(forms, ([prefix, each]) =>
          registerFunctions(duckdb, database.connection, { prefix, width, form: each, defaultScheme }),
        ).flat();
        await runAll(database, names, statements, format, values.out);
      } finally {
        await database.close();
      }
    } catch (error) {
      if (isClosedPipe(error)) return;
      if (values.file === undefined) mustNotBeFile(query);
      throw placeOfError(error);
    } finally {
      removeSpill();
      forgetSignals();
    }
  },
});

/** Returns the statements of a file, or of the one operand, whatever files there are. @throws {Fault} */
function queryOf(given: OptionFile | undefined, operands: readonly string[]): string {
  if (given !== undefined && operands.length === 0)
    return bufferOf(withoutByteOrderMark(tried(given.path, () => given.bytes()))).toString();
  const [query, ...more] = operands;
  if (query !== undefined && more.length === 0 && given === undefined) return query;
  throw usageFault(`sql needs one query, in quotes: urlsum sql "SELECT url_hash('https://example.com/')", or -f FILE`);
}

/** Tells who gave a file in the place of a query, which did not run. @throws {Fault} */
function mustNotBeFile(query: string): void {
  if (existsSync(query))
    throw usageFault(
      `sql needs a query, not a file: -f ${query} runs its statements, "FROM ${sqlText(query)}" reads its rows`,
    );
}

/** @param names of our functions */
async function runAll(
  database: Database,
  names: readonly string[],
  statements: readonly string[],
  format: RowsFormat,
  out: string | undefined,
) {
  for (const statement of statements.slice(0, -1)) {
    await mustCallOurs(database, names, statement);
    await runOne(database, statement);
  }
  const last = statements.at(-1)!;
  await mustCallOurs(database, names, last);
  const output = await openOutput(out, { endsProcess: false });
  let isWhole = false;
  try {
    await printOne(database, last, format, output);
    isWhole = true;
  } finally {
    await output.end(isWhole);
  }
}

/** Each statement may have made a macro, or attached a database that has one; DROP removes it. */
async function mustCallOurs({ connection }: Database, names: readonly string[], statement: string): Promise<void> {
  if (!/^\s*DROP\b/i.test(statement)) await mustNotBeHiddenByMacros(connection, names);
}

/** Runs a statement whose rows, if it has any, are not printed. A file that it writes appears when it is complete. */
async function runOne(database: Database, statement: string) {
  const mustBeUnchanged = await filesWatched(database, statement);
  const run = async (changed = statement) => {
    const result = await database.run(changed);
    await mustBeUnchanged();
    return result;
  };
  const target = copyTargetIn(statement);
  if (target === undefined || (target !== UNNAMED && beginsAsUrl(target.path))) return run();
  if (target === UNNAMED)
    throw usageFault("COPY … TO needs the name of a file in quotes, 'FILE': rows for a pipe are those of a SELECT");
  const found = targetOf(target.path);
  if (!('path' in found))
    throw usageFault(`COPY does not write to ${target.path}: rows for a pipe are those of a SELECT`);
  if (statSync(found.path, { throwIfNoEntry: false })?.isFile() === false) return run();
  const extensions = /(?:\.\w+)+$/.exec(basename(target.path))?.[0] ?? ''; // they tell the format
  const temporary = pathBeside(found.path) + extensions;
  const remove = () => rmSync(temporary, { force: true });
  const forgetSignals = beforeEndingSignal(remove);
  try {
    const result = await run(statement.slice(0, target.start) + sqlText(temporary) + statement.slice(target.end));
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

/**
 * Looks at the files that a statement names. Returns what looks again when it has run: of a file that was replaced
 * between, the columns may be those of one, and the rows those of the other.
 */
async function filesWatched(database: Database, statement: string): Promise<() => Promise<void>> {
  const before = await database.filesIn(statement);
  return async () => {
    const after = before.size === 0 ? before : await database.filesIn(statement);
    for (const path of new Set([...before.keys(), ...after.keys()]))
      if (!isSameState(before.get(path), after.get(path))) throw fileFault(path, 'it was changed while it was read');
  };
}

async function printOne(database: Database, statement: string, format: RowsFormat, output: Output): Promise<void> {
  const mustBeUnchanged = await filesWatched(database, statement);
  const prepared = await database.preparedQuery(statement);
  if (prepared !== undefined) {
    try {
      await printQuery(database, statement, prepared, format, output);
      return await mustBeUnchanged();
    } catch (error) {
      throw withoutPlace(error); // the place is one in our query around it
    }
  }
  const result = await runOne(database, statement);
  if (/^\s*EXPLAIN\b/i.test(statement)) {
    for (const [, plan] of await result.getRows()) await output.write(Buffer.from(`${plan}\n`));
    return;
  }
  if (database.hasRows(result)) await printRows(result.columnNames(), await database.rowsOf(result), format, output);
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
async function printRows(
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
