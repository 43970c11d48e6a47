import { closeSync, existsSync, openSync } from 'node:fs';
import type {
  DuckDBBlobValue,
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBPreparedStatement,
  DuckDBResult,
  DuckDBValueConverter,
  Json,
} from '@duckdb/node-api';
import { asciiText } from '../core/bytes/text.ts';
import { type FileState, readWhole, stateOf } from '../store/files.ts';
import { type DuckDBPackage, openDuckDB } from '../tables/duckdb-package.ts';
import { StringVector } from '../tables/vectors.ts';

interface DatabaseOptions {
  /** The file of the database; by default it is in memory. */
  readonly path?: string | undefined;
  /** The memory that DuckDB may take, about. */
  readonly memoryBytes: number;
  readonly threadCount: number;
  /** The folder for results that do not fit in memory; by default they fail. */
  readonly spillFolder?: string | undefined;
}

/** The time between interrupts: of those that come before a query has begun, DuckDB loses three in four. */
const INTERRUPT_MS = 5;

/** A database of DuckDB with one connection, on which one query runs at a time. */
export class Database {
  readonly connection: DuckDBConnection;
  readonly #duckdb: DuckDBPackage;
  readonly #instance: DuckDBInstance;
  #running: Promise<unknown> = Promise.resolve();
  /** Rows that are being read: a chunk that nothing refers to is freed, whatever points into it. */
  #chunk: DuckDBDataChunk | null = null;

  constructor(duckdb: DuckDBPackage, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#duckdb = duckdb;
    this.#instance = instance;
    this.connection = connection;
  }

  /**
   * Yields the values of the first column of a query, VARCHAR or BLOB, in constant memory; each part is valid until the
   * next. DuckDB ends a stream at an error as at its end, but the error aborts the transaction: the query then runs
   * again without a stream, which says why.
   *
   * @throws the error of the query
   */
  async *texts(query: string): AsyncGenerator<StringVector> {
    const { bindings } = this.#duckdb;
    const isOwn = await this.#isOutsideTransactions();
    if (isOwn) await this.run('BEGIN');
    const result = await this.#settled(this.connection.stream(query));
    let isEnded = false;
    try {
      for (;;) {
        this.#chunk = await this.#settled(result.fetchChunk());
        isEnded = this.#chunk === null || this.#chunk.rowCount === 0;
        if (isEnded) break;
        const { chunk, rowCount } = this.#chunk!;
        yield new StringVector(bindings, bindings.data_chunk_get_vector(chunk, 0), rowCount);
      }
    } finally {
      if (!isEnded) await this.#interrupted(result.fetchAllChunks());
    }
    if (!(await succeeds(this.run('SELECT 1')))) {
      await this.run('ROLLBACK');
      await this.run(`SELECT system.main.max(system.main.hash(result)) FROM (${query}\n) AS result`);
      throw new Error('the query ended before its last row');
    }
    if (isOwn) await this.run('COMMIT');
  }

  /** Whether statements are transactions of their own, with numbers of their own. */
  async #isOutsideTransactions(): Promise<boolean> {
    const numbers = [];
    for (let count = 0; count < 2; count++)
      numbers.push(...(await (await this.run('SELECT system.main.txid_current()')).getRows()).flat());
    return numbers[0] !== numbers[1];
  }

  run(statement: string) {
    return this.#settled(this.connection.run(statement));
  }

  /**
   * Prepares a statement whose rows a SELECT can take from; undefined for others, such as EXPLAIN.
   *
   * @throws what is wrong with it, at its place
   */
  async preparedQuery(statement: string): Promise<DuckDBPreparedStatement | undefined> {
    const prepared = await this.connection.prepare(statement);
    if (prepared.statementType !== this.#duckdb.api.StatementType.SELECT) return undefined;
    // PRAGMA is a SELECT to DuckDB, but cannot be in another one
    return (await succeeds(this.connection.prepare(`FROM (${statement}\n)`))) ? prepared : undefined;
  }

  /** Whether a statement has results, not only a count of rows. */
  hasRows({ returnType }: DuckDBResult): boolean {
    return returnType === this.#duckdb.api.ResultReturnType.QUERY_RESULT;
  }

  /** Returns the rows of a result as JSON has them, with bytes in hex. */
  rowsOf(result: DuckDBResult): Promise<readonly (readonly unknown[])[]> {
    const { JsonDuckDBValueConverter } = this.#duckdb.api;
    const printed: DuckDBValueConverter<Json> = (value, type) =>
      String(type) === 'BLOB' && value !== null
        ? Buffer.from((value as DuckDBBlobValue).bytes).toString('hex')
        : JsonDuckDBValueConverter(value, type, printed);
    return result.convertRows(printed) as Promise<readonly (readonly unknown[])[]>;
  }

  /**
   * Returns the states of the files that a statement names: DuckDB opens each several times, for its columns and for its
   * rows. Indexes and lists of ours are opened once.
   */
  async filesIn(statement: string): Promise<ReadonlyMap<string, FileState>> {
    const states = new Map<string, FileState>();
    for (const name of namesIn(statement)) {
      const dot = name.lastIndexOf('.') + 1;
      const isPattern = /[*?[]/.test(name.slice(0, dot)) && /^\w+$/.test(name.slice(dot)) && !existsSync(name);
      const paths = isPattern ? await this.#matching(name) : [name];
      for (const path of paths) {
        const state = path.includes('\0') ? undefined : stateOf(path);
        if (state?.isFile() && !isOurs(path)) states.set(path, state);
      }
    }
    return states;
  }

  async #matching(pattern: string): Promise<string[]> {
    const found = await this.run(`SELECT file FROM system.main.glob(${sqlText(pattern)})`).catch(() => undefined);
    return ((await found?.getRows()) ?? []).flat() as string[]; // what is not a pattern of files matches none
  }

  /** Ends what runs and then the database: a process that ends while a function of ours runs would wait for ever. */
  async close(): Promise<void> {
    await this.#interrupted(this.#running);
    this.connection.closeSync();
    this.#instance.closeSync();
  }

  /** Settles when what runs has ended, in whichever way. */
  async #interrupted(running: Promise<unknown>): Promise<void> {
    const timer = setInterval(() => this.connection.interrupt(), INTERRUPT_MS);
    await running.catch(() => undefined);
    clearInterval(timer);
  }

  #settled<T>(running: Promise<T>): Promise<T> {
    this.#running = running;
    return running;
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** @throws where the package is missing or too old, and where the file is not a database */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { path = ':memory:', memoryBytes, threadCount, spillFolder = '' } = options;
  const duckdb = openDuckDB();
  const instance = await duckdb.api.DuckDBInstance.create(path, {
    memory_limit: `${memoryBytes / 2 ** 20}MiB`,
    threads: String(threadCount),
    temp_directory: spillFolder,
    autoinstall_known_extensions: 'false', // a suffix that it does not know would ask a network
    enable_external_file_cache: 'false', // of a file that was rewritten at equal size, it kept the old footer
  });
  return new Database(duckdb, instance, await instance.connect());
}

/** Tells errors of DuckDB, which are plain and begin with their kind, from others. */
export function isDuckDBError(error: unknown): error is Error {
  return error instanceof Error && /^[A-Z][\w ]* Error: /.test(error.message);
}

/** The picture of a query that may follow a message of DuckDB's: a line, perhaps only from `...` on, and a caret. */
const PICTURE = /\n(LINE (\d+): )(?:(.*)\n( *)\^)?[\s\S]*$/;

/** Puts an error of DuckDB's on one line, with the place in the query that its picture of it shows. */
export function placeOfError(error: unknown): unknown {
  if (!isDuckDBError(error)) return error;
  const [, label = '', line, shown, indent = ''] = PICTURE.exec(error.message) ?? [];
  const column = shown?.startsWith('...') ? '' : `, column ${indent.length - label.length + 1}`;
  const place = shown === undefined ? '' : ` (line ${line}${column})`;
  const lines = error.message.replace(PICTURE, '').split('\n');
  const said = lines.map((text) => text.trim()).filter(Boolean);
  return new Error(said.join('; ') + place, { cause: error });
}

/** Returns an error of DuckDB's without the place in the query. */
export function withoutPlace(error: unknown): unknown {
  return isDuckDBError(error) ? new Error(error.message.replace(PICTURE, '').trimEnd(), { cause: error }) : error;
}

// Statements of DuckDB's SQL, told apart as its scanner does: https://duckdb.org/docs/stable/sql/query_syntax/overview

/** A word, a text, a sign or a comment. */
interface Token {
  readonly kind: 'word' | 'text' | 'sign' | 'comment';
  readonly start: number;
  readonly end: number;
}

/** A token of any kind; of a comment only its start, since comments may hold comments. */
const TOKEN = new RegExp(
  [
    String.raw`(?<comment>--[^\n]*|/\*|\s+)`,
    `(?<text>'(?:[^']|'')*'(?!'))`,
    String.raw`(?<other>[eE]'(?:[^'\\]|\\[^]|'')*'|"(?:[^"]|"")*"|\$(?<tag>\w*)\$[^]*?\$\k<tag>\$)`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_$]*)`,
    '(?<sign>[^])',
  ].join('|'),
  'uy',
);

function* tokensIn(sql: string): Generator<Token> {
  for (let start = 0; start < sql.length; start = TOKEN.lastIndex) {
    TOKEN.lastIndex = start;
    const { groups } = TOKEN.exec(sql)!;
    if (groups!['comment'] === '/*') TOKEN.lastIndex = endOfComment(sql, start);
    const kind = (['comment', 'text', 'word'] as const).find((each) => groups![each] !== undefined) ?? 'sign';
    const end = TOKEN.lastIndex;
    yield { kind, start, end };
    TOKEN.lastIndex = end; // another scan may have moved it
  }
}

function endOfComment(sql: string, start: number): number {
  let depth = 0;
  for (const { 0: mark, index } of sql.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1;
    if (depth === 0) return start + index + mark.length;
  }
  return sql.length;
}

/**
 * Returns the statements of a query, each with white space in the place of what is before it: the places that errors
 * name are then those of the query.
 */
export function statementsIn(query: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let isEmpty = true;
  const end = (at: number) => {
    if (!isEmpty) statements.push(query.slice(0, start).replace(/[^\n]/g, ' ') + query.slice(start, at));
    start = at + 1;
    isEmpty = true;
  };
  for (const token of tokensIn(query)) {
    if (query[token.start] === ';' && token.kind === 'sign') end(token.start);
    else if (token.kind !== 'comment') isEmpty = false;
  }
  end(query.length);
  return statements;
}

/** Returns the texts in quotes but for the target of COPY, any of which may name a file. */
function namesIn(statement: string): string[] {
  if (/^\s*(?:ATTACH|EXPORT)\b/i.test(statement)) return []; // DuckDB writes these itself
  const target = copyTargetIn(statement);
  const isTarget = ({ start }: Token) => typeof target === 'object' && target.start === start;
  return Array.from(tokensIn(statement)).flatMap((token) => {
    const text = statement.slice(token.start, token.end);
    const [, quotes, quoted] = /^[eE]?(['"]|\$\w*\$)(.*)\1$/s.exec(text) ?? [];
    if (quotes === undefined || isTarget(token)) return [];
    return [quoted!.replaceAll(quotes + quotes, quotes)];
  });
}

/** Whether a file begins as those that functions of ours read. */
function isOurs(path: string): boolean {
  const start = new Uint8Array(6);
  const file = openSync(path, 'r');
  try {
    return readWhole(file, start) === start.length && asciiText(start) === 'urlsum';
  } finally {
    closeSync(file);
  }
}

/** The target of a COPY statement. */
interface CopyTarget {
  readonly path: string;
  /** The place of the quoted name in the statement. */
  readonly start: number;
  readonly end: number;
}

/** A COPY whose target is not a name in quotes. */
export const UNNAMED = 'unnamed';

/** Returns the target of a statement that copies rows to one file; undefined for any other. */
export function copyTargetIn(statement: string): CopyTarget | typeof UNNAMED | undefined {
  const words: string[] = [];
  let target: CopyTarget | typeof UNNAMED | undefined;
  let depth = 0;
  for (const token of tokensIn(statement)) {
    if (token.kind === 'comment') continue;
    const text = statement.slice(token.start, token.end);
    const isAfterTarget = target !== undefined && words.at(-1) === TARGET;
    if (isAfterTarget && token.kind !== 'word' && text !== '(') target = UNNAMED; // it is the first part of a name
    if (depth === 0 && words.at(-1) === 'TO' && target === undefined) {
      target = token.kind === 'text' ? { ...token, path: text.slice(1, -1).replaceAll("''", "'") } : UNNAMED;
      words.push(TARGET);
      continue;
    }
    if (text === '(') depth++;
    else if (text === ')') depth--;
    words.push(depth === 0 || target !== undefined ? text.toUpperCase() : '');
  }
  const copies = words[0] === 'COPY' && words[1] !== 'FROM';
  const isHidden = (words[0] === 'PREPARE' || words[0] === 'EXPLAIN') && words.includes('COPY') && target !== undefined;
  if (isHidden) return UNNAMED;
  return copies && !words.some((word) => FOLDER_OPTIONS.has(word)) ? target : undefined;
}

/** Stands for the target among words. */
const TARGET = "'";

/** Options by which COPY writes many files. */
const FOLDER_OPTIONS: ReadonlySet<string> = new Set(['PARTITION_BY', 'PER_THREAD_OUTPUT', 'FILE_SIZE_BYTES']);

/** Returns a text as SQL writes it. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns a name as SQL writes it. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
