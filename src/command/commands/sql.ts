import { existsSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { withoutByteOrderMark } from '../../core/bytes/text.ts';
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
import { action } from './command.ts';
import { RUN_FLAGS } from './line-flags.ts';
import { printQuery, printRows, type RowsFormat } from './sql-rows.ts';

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
