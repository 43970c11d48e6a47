import { existsSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DuckDBArrayType, DuckDBListType, DuckDBType } from '@duckdb/node-api';
import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import { BATCH_BYTES } from '../../core/bulk/hash-rows.ts';
import { LINE_FEED, TAB } from '../../core/bytes/code-points.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { cutterAfter } from '../../core/bytes/lines.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { quote } from '../../core/quote.ts';
import { isSameState, stateOf } from '../../store/files.ts';
import { type Database, isDuckDBError, openDatabase, sqlText } from '../database.ts';
import { copiedRows, NULL, OMITTED, plainBatch, VALUE } from './batch.ts';
import { type Block, type Framing, type NamedFile, quotedNames } from './framing.ts';

/** Rows and bytes of a block, about. */
const BLOCK_ROWS = 1 << 15;
const BLOCK_BYTES = 1 << 20;

/** The ends of the values of a block; a line feed comes after each. */
interface BlockState {
  readonly ends: Uint32Array;
  /** The kinds of rows; undefined if each has a value. */
  readonly kinds: Uint8Array | undefined;
}

interface ParquetRowsOptions {
  readonly kernel: Kernel;
  /** The name, path or number of the column of URLs. */
  readonly column: string;
  readonly skipsBlank: boolean;
  /** The memory that DuckDB may take. */
  readonly memoryBytes: number;
}

/**
 * The values of a column of Parquet files, read by DuckDB in the order of the rows. A null is a row without a value. A
 * line feed in a value becomes a tab, which changes no key.
 */
export function parquetRows(options: ParquetRowsOptions): Framing {
  const starts = new Uint32Array(ROW_CAPACITY);
  return {
    cutter: () => cutterAfter(LINE_FEED),
    blocksOf: (input, count) => blocksIn(input, count, options),
    *batches(block, state) {
      const { ends, kinds } = state as BlockState;
      for (let first = 0, next = first; first < ends.length; first = next) {
        next = endOfBatch(ends, first);
        for (let row = first; row < next; row++) starts[row - first] = row === 0 ? 0 : ends[row - 1]! + 1;
        const length = next - first;
        const values = { bytes: block, starts, ends: ends.subarray(first, next) };
        const rows = copiedRows(options.kernel, values, length);
        yield plainBatch(first, length, rows, kinds?.subarray(first, next));
      }
    },
  };
}

/** @throws where the file is not Parquet, is damaged, lacks the column or has a page that is too large */
async function* blocksIn(
  input: NamedFile,
  count: (byteLength: number) => void,
  { column, skipsBlank, memoryBytes }: ParquetRowsOptions,
): AsyncGenerator<Block> {
  if (input.name === '-') throw new Error('Parquet is read from its end: name the file, not standard input');
  const file = await openOnce(input);
  const { path } = file;
  const database = await openDatabase({ memoryBytes, threadCount: 1 });
  const builder = new BlockBuilder(skipsBlank ? OMITTED : NULL);
  try {
    for await (const texts of database.texts(await queryOf(database, path, column)))
      for (const { first, bytes, offsets } of texts.pieces(0, texts.length))
        for (let row = 1; row < offsets.length; row++) {
          if (texts.isNull(first + row - 1)) builder.addNull();
          else builder.add(bytes, offsets[row - 1]!, offsets[row]!);
          if (builder.isFull) yield builder.take();
        }
    await file.mustBeAsItWas();
    if (builder.length > 0) yield builder.take();
    count(file.byteLength);
  } catch (error) {
    throw sentenceFor(error, path, input.name, memoryBytes);
  } finally {
    await database.close();
    await file.close();
  }
}

/** Returns the end of the rows from `first` on that fit in a batch: one at least. */
function endOfBatch(ends: Uint32Array, first: number): number {
  const start = first === 0 ? 0 : ends[first - 1]! + 1;
  const limit = Math.min(ends.length, first + ROW_CAPACITY);
  let next = first + 1;
  while (next < limit && ends[next]! - start < BATCH_BYTES) next++;
  return next;
}

/** Collects the values of a block. */
class BlockBuilder {
  readonly #nullKind: number;
  readonly #values = new GrowingBytes(2 * BLOCK_BYTES);
  readonly #ends = new Uint32Array(BLOCK_ROWS);
  readonly #kinds = new Uint8Array(BLOCK_ROWS);
  #hasNulls = false;
  length = 0;

  constructor(nullKind: number) {
    this.#nullKind = nullKind;
  }

  get isFull(): boolean {
    return this.length === BLOCK_ROWS || this.#values.length >= BLOCK_BYTES;
  }

  addNull(): void {
    this.#hasNulls = true;
    this.#end(this.#nullKind);
  }

  /** Adds a value with a tab for each line feed: parsers of URLs leave out both. */
  add(bytes: Uint8Array, start: number, end: number): void {
    this.#values.fewBytes(bytes, start, end);
    const { written } = this.#values;
    for (let at = written.length - (end - start); at < written.length; at++)
      if (written[at] === LINE_FEED) written[at] = TAB;
    this.#end(VALUE);
  }

  #end(kind: number): void {
    this.#kinds[this.length] = kind;
    this.#ends[this.length++] = this.#values.length;
    this.#values.byte(LINE_FEED);
  }

  /** Returns the values since the last take, valid until the next is added. */
  take(): Block {
    const { length } = this;
    const state: BlockState = {
      ends: this.#ends.slice(0, length),
      kinds: this.#hasNulls ? this.#kinds.slice(0, length) : undefined,
    };
    this.length = 0;
    this.#hasNulls = false;
    return { block: this.#values.take(), state };
  }
}

/**
 * Opens a file that DuckDB opens several times, by a path that leads to one file, whatever its name leads to meanwhile:
 * that of the descriptor, where the system has such paths.
 *
 * @throws where it is not a plain file
 */
async function openOnce(input: NamedFile) {
  mustBePlain(await stat(input.name)); // opening a pipe would wait for its writer
  const file = await input.opened();
  const before = await file.stat({ bigint: true });
  const descriptor = `/proc/self/fd/${file.fd}`;
  const hasPath = existsSync(descriptor);
  const path = hasPath ? descriptor : resolve(input.name);
  return {
    path,
    byteLength: Number(before.size),
    /** @throws where it was written to, or its name may have led to another file */
    async mustBeAsItWas() {
      const found = await file.stat({ bigint: true });
      const isChanged = found.size !== before.size || found.mtimeNs !== before.mtimeNs;
      if (isChanged || (!hasPath && !isSameState(stateOf(path), before)))
        throw new Error('it was changed while it was read');
    },
    close: () => file.close(),
  };
}

function mustBePlain(found: Stats): void {
  if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  if (!found.isFile()) throw new Error('Parquet is read from its end: name a file, not a pipe');
}

/** A column of the file, or a field of a struct. */
interface Field {
  readonly name: string;
  /** The number among its neighbours, from 1. */
  readonly number: number;
  readonly type: DuckDBType;
}

/**
 * Returns the query of a column's values as BLOB, in the order of the rows. The column is found by its name, its dotted
 * path, or its number from 1. A list has a row for each element.
 *
 * @throws where there is no such column, or it holds no texts
 */
async function queryOf(database: Database, path: string, column: string): Promise<string> {
  const fields = await columnsOf(database, path);
  const quoted = quote(column);
  const found = fieldsAt(fields, column.split('.')) ?? fieldsAt(fields, [column]) ?? numbered(fields, column);
  if (found === undefined) throw new Error(`it has no column ${quoted} but ${namesOf(fields)}`);
  if (fields.filter(({ name }) => name === found[0]!.name).length > 1)
    throw new Error(`it has two columns ${quote(found[0]!.name)}`);
  const type = elementOf(found.at(-1)!.type);
  const inner = fieldsIn(type);
  if (inner.length > 0)
    throw new Error(`its column ${quoted} is not text but has columns: ${namesOf(inner, `${column}.`)}`);
  const name = String(type);
  if (!TEXTS.includes(name)) throw new Error(`its column ${quoted} is not text but ${name}`);
  let source = sourceOf(path);
  let value = '';
  for (const { number, type: outer } of found) {
    value = value === '' ? `#${number}` : `struct_extract_at(${value}, ${number})`;
    for (let list = outer; isList(list); list = list.valueType) {
      source = `(SELECT unnest(${value}) AS value FROM ${source})`;
      value = 'value';
    }
  }
  return `SELECT ${name === 'BLOB' ? value : `encode(${value}::VARCHAR)`} FROM ${source}`;
}

const TEXTS = ['VARCHAR', 'JSON', 'BLOB'];

/** Returns the columns of a file by the names in it: of `URL` and `url`, which are one to it, DuckDB renames the second. */
async function columnsOf(database: Database, path: string): Promise<Field[]> {
  const { connection } = database;
  const result = await connection.run(`SELECT * FROM ${sourceOf(path)} LIMIT 0`);
  const schema = `SELECT name, coalesce(num_children, 0) FROM parquet_schema(${patternOf(path)})`;
  const elements = (await (await connection.run(schema)).getRows()) as [name: string, childCount: bigint][];
  const names: string[] = [];
  for (let at = 1; at < elements.length; at = endOfElement(elements, at)) names.push(elements[at]![0]);
  return result.columnTypes().map((type, index) => ({ name: names[index]!, number: index + 1, type }));
}

/** The elements of a schema come depth first. Returns the place after one and those in it. */
function endOfElement(elements: readonly (readonly [name: string, childCount: bigint])[], at: number): number {
  let next = at + 1;
  for (let children = elements[at]?.[1] ?? 0n; children > 0; children--) next = endOfElement(elements, next);
  return next;
}

/** Names of folders such as `year=2026` add no columns. The alias keeps a struct named as the file from being it. */
function sourceOf(path: string): string {
  return `read_parquet(${patternOf(path)}, hive_partitioning = false) AS urlsum_file`;
}

/** DuckDB takes names of files for patterns, and some that begin with a scheme for addresses. */
function patternOf(path: string): string {
  return sqlText(path.replace(/[[*?]/g, '[$&]'));
}

function fieldsAt(fields: readonly Field[], [name, ...rest]: readonly string[]): Field[] | undefined {
  const field = fields.find((each) => each.name === name);
  if (field === undefined || rest.length === 0) return field && [field];
  const inner = fieldsAt(fieldsIn(elementOf(field.type)), rest);
  return inner && [field, ...inner];
}

function numbered(fields: readonly Field[], column: string): Field[] | undefined {
  const field = /^[1-9][0-9]*$/.test(column) ? fields[Number(column) - 1] : undefined;
  return field && [field];
}

function fieldsIn(type: DuckDBType): Field[] {
  if (!('entryNames' in type && 'entryTypes' in type)) return [];
  return type.entryNames.map((name, index) => ({ name, number: index + 1, type: type.entryTypes[index]! }));
}

function isList(type: DuckDBType): type is DuckDBListType | DuckDBArrayType {
  return 'valueType' in type && !('keyType' in type);
}

function elementOf(type: DuckDBType): DuckDBType {
  return isList(type) ? elementOf(type.valueType) : type;
}

function namesOf(fields: readonly Field[], prefix = ''): string {
  return quotedNames(fields.map(({ name }) => prefix + name));
}

/** Says in a sentence what is wrong with a file that DuckDB does not read. */
function sentenceFor(error: unknown, path: string, name: string, memoryBytes: number): unknown {
  if (!isDuckDBError(error)) return error;
  const message = error.message.split('\n')[0]!.replaceAll(path, name);
  const limit = `${Math.round(memoryBytes / 2 ** 20)}M`;
  if (message.startsWith('Out of Memory Error'))
    return new Error(`its pages need more memory than ${limit}: give more by --memory, such as --memory 2G`);
  return new Error(`it is damaged, or has what DuckDB does not read: ${message}`, { cause: error });
}
