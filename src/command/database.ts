import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBPreparedStatement,
  DuckDBResult,
} from '@duckdb/node-api';
import type { DuckDB } from '../tables/functions.ts';
import { type DuckDBPackage, openDuckDB } from '../tables/register.ts';
import { type Bindings, StringVector } from '../tables/vectors.ts';

export interface DatabaseOptions {
  /** The file of the database; by default it is in memory. */
  readonly path?: string | undefined;
  /** What DuckDB may take, about. */
  readonly memoryBytes: number;
  readonly threadCount: number;
  /** Where results go that do not fit in memory; by default they fail. */
  readonly spillFolder?: string | undefined;
}

/** How often an interrupt is repeated: of those that come before a query has begun, DuckDB loses three in four. */
const INTERRUPT_MS = 5;

/** A database of DuckDB with one connection, on which one query runs at a time. */
export class Database {
  readonly connection: DuckDBConnection;
  readonly #api: DuckDB;
  readonly #bindings: Bindings;
  readonly #instance: DuckDBInstance;
  #running: Promise<unknown> = Promise.resolve();
  /** Rows that are being read: a chunk that nothing refers to is freed, whatever points into it. */
  #chunk: DuckDBDataChunk | null = null;

  constructor({ api, bindings }: DuckDBPackage, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#api = api;
    this.#bindings = bindings;
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
        yield new StringVector(this.#bindings, this.#bindings.data_chunk_get_vector(chunk, 0), rowCount);
      }
    } finally {
      if (!isEnded) await this.#interrupted(result.fetchAllChunks());
    }
    if (await this.#isAborted()) {
      await this.run('ROLLBACK');
      await this.run(`SELECT max(hash(result)) FROM (${query}\n) AS result`);
      throw new Error('the query ended before its last row');
    }
    if (isOwn) await this.run('COMMIT');
  }

  /** Whether statements are transactions of their own, with numbers of their own. */
  async #isOutsideTransactions(): Promise<boolean> {
    const numbers = [];
    for (let count = 0; count < 2; count++)
      numbers.push(...(await (await this.run('SELECT txid_current()')).getRows()).flat());
    return numbers[0] !== numbers[1];
  }

  #isAborted(): Promise<boolean> {
    return this.run('SELECT 1').then(
      () => false,
      () => true,
    );
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
    if (prepared.statementType !== this.#api.StatementType.SELECT) return undefined;
    // PRAGMA is a SELECT to DuckDB, but cannot be in another one
    const canBeWithin = await this.connection.prepare(`FROM (${statement}\n)`).then(
      () => true,
      () => false,
    );
    return canBeWithin ? prepared : undefined;
  }

  /** Whether a statement has results, not only a count of rows. */
  hasRows({ returnType }: DuckDBResult): boolean {
    return returnType === this.#api.ResultReturnType.QUERY_RESULT;
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

/** Whether DuckDB says it: its errors are plain, and begin with their kind. */
export function isDuckDBError(error: unknown): error is Error {
  return error instanceof Error && /^[A-Z][\w ]* Error: /.test(error.message);
}

/** Puts an error of DuckDB's on one line, with the place in the query that its picture of it shows. */
export function placeOfError(error: unknown): unknown {
  if (!isDuckDBError(error)) return error;
  const [said = '', picture = ''] = error.message.split(/\n+(?=LINE \d+: )/);
  const found = /^(LINE (\d+): )(.*)\n( *)\^/.exec(picture);
  const place = found === null ? '' : ` (${placeIn(found[2]!, found[1]!, found[3]!, found[4]!)})`;
  return new Error(said.trim().replaceAll(/\s*\n\s*/g, '; ') + place, { cause: error });
}

/** A long line is shown in part, from `...` on: the caret then tells no column. */
function placeIn(line: string, label: string, shown: string, indent: string): string {
  return shown.startsWith('...') ? `line ${line}` : `line ${line}, column ${indent.length - label.length + 1}`;
}

/** Returns an error of DuckDB's without the place in the query. */
export function withoutPlace(error: unknown): unknown {
  return isDuckDBError(error) ? new Error(error.message.split(/\n+LINE \d+: /)[0], { cause: error }) : error;
}
