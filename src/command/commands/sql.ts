import { rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Width } from '../../core/kernel/kernel.ts';
import { profileOf, profileOfForm } from '../../core/url/profile.ts';
import { beforeEndingSignal, pathBeside, ReplacementFile, temporaryName } from '../../store/replace-file.ts';
import { openDuckDB } from '../../tables/duckdb-package.ts';
import type { Advice } from '../../tables/lookups.ts';
import { registerFunctions } from '../../tables/register.ts';
import { byteLengthOf, choice, group, parsed, text } from '../arguments/flag.ts';
import { formAdvice } from '../arguments/form-advice.ts';
import { type Database, openDatabase, placeOfError, withoutPlace } from '../database.ts';
import { usageFault } from '../fault.ts';
import { copyTargetIn, sqlText, statementsIn, UNNAMED } from '../read/sql-text.ts';
import { isClosedPipe, isTerminal, type Output, openOutput, targetOf } from '../write/output.ts';
import { printQuery, printRows, type RowsFormat } from '../write/query-rows.ts';
import { action } from './command.ts';
import { RUN_FLAGS } from './line-flags.ts';
import { DEFAULT_SCHEME_FLAG, FLAGS_OF_FORM, urlForm } from './url-flags.ts';

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
    ...DEFAULT_SCHEME_FLAG,
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
    const statements = statementsIn(query);
    if (statements.length === 0) throw usageFault('the query is empty');
    const format = values.format ?? (isTerminal(values.out) ? 'table' : 'csv');
    const spillFolder = join(tmpdir(), temporaryName('run'));
    const removeSpill = () => rmSync(spillFolder, { recursive: true, force: true });
    const forgetSignals = beforeEndingSignal(removeSpill);
    try {
      const { database: path, memory: memoryBytes, jobs: threadCount } = values;
      const database = await openDatabase({ path, memoryBytes, threadCount, spillFolder });
      try {
        const width = Number(values.width) as Width;
        const form = urlForm(values);
        const { defaultScheme } = values;
        const advice: Advice = (options) => formAdvice(profileOf(options), profileOfForm(form)).slice(': '.length);
        registerFunctions(openDuckDB(), database.connection, { width, form, defaultScheme, advice });
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

/** Whether it is an address, as of S3, not a file of this machine. */
function isElsewhere(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
}

async function printOne(database: Database, statement: string, format: RowsFormat, output: Output): Promise<void> {
  const prepared = await database.preparedQuery(statement);
  if (prepared !== undefined) {
    try {
      return await printQuery(database, statement, prepared, format, output);
    } catch (error) {
      throw withoutPlace(error); // that in the query of ours around it
    }
  }
  const result = await runOne(database, statement);
  if (/^\s*EXPLAIN\b/i.test(statement)) {
    for (const [, plan] of await result.getRows()) await output.write(Buffer.from(`${plan}\n`));
    return;
  }
  if (database.hasRows(result)) await printRows(result.columnNames(), await result.getRowsJson(), format, output);
}
