import { type FileHandle, open } from 'node:fs/promises';
import zlib from 'node:zlib';
import type { AsyncBuffer, CompressionCodec, Compressors, FileMetaData, RowGroup, SchemaTree } from 'hyparquet';
import { quotedNames } from './names.ts';
import { parquetCellText, parquetParsers } from './parquet-cells.ts';

/** Bytes of text passed on at a time. */
const PASSED_BYTES = 1 << 20;

/**
 * A row group that has more bytes in the wanted columns, unpacked, is decoded in parts of about as many. The package
 * passes over pages of flat columns, but decodes all pages of nested ones for each part.
 */
const PART_BYTES = 1 << 24;
const NESTED_PART_BYTES = 1 << 28;
/** A row group that has more, packed, is refused: its columns are in memory as they are in the file. */
const PACKED_LIMIT = 1 << 29;

const MAGIC = 'PAR1';
/** Ends, and begins, a file whose footer is encrypted. */
const ENCRYPTED_MAGIC = 'PARE';
/** The magic numbers, and the length of the footer. */
const LEAST_BYTES = 12;

export interface ParquetColumns {
  /** The dotted path of the column of URLs. */
  readonly column: string;
  /** Whether the other columns come along. */
  readonly isWhole: boolean;
}

type Package = typeof import('hyparquet');

/**
 * Yields the rows of a Parquet file as JSON lines, a row group at a time. Integers of 64 bits keep all digits, doubles
 * have a point, times are in ISO 8601, and bytes that are not UTF-8 in hex.
 *
 * @param count is told of bytes that were read
 * @throws where it is not such a file, or lacks the column
 */
export async function* parquetLines(
  path: string,
  { column, isWhole }: ParquetColumns,
  count: (byteLength: number) => void,
): AsyncGenerator<Uint8Array> {
  if (path === '-') throw new Error('Parquet is read from its end: name the file, not standard input');
  const parquet = await openPackage();
  const handle = await open(path);
  try {
    const file = await bufferOf(handle, count);
    const metadata = await readable(parquet.parquetMetadataAsync(file, { parsers: parquetParsers }));
    const { children } = parquet.parquetSchema(metadata);
    const root = rootOf(children, column);
    const names = isWhole ? children.map(({ element }) => element.name) : [root];
    const columns = children.filter(({ element }) => names.includes(element.name));
    const compressors = await openCompressors(codecsOf(metadata, names));
    mustAgree(metadata, file.byteLength);
    let groupStart = 0;
    for (const [index, group] of metadata.row_groups.entries()) {
      const groupFile = remembering(file);
      for (const [rowStart, rowEnd] of partsOf(group, index, names, groupStart)) {
        const read = {
          file: groupFile,
          metadata,
          compressors,
          columns: names,
          rowStart,
          rowEnd,
          parsers: parquetParsers,
          utf8: false,
          useOffsetIndex: true,
        };
        yield* linesOf(columns, await cellsOf(parquet, read), rowEnd - rowStart);
      }
      groupStart += Number(group.num_rows);
    }
  } finally {
    await handle.close();
  }
}

async function openPackage(): Promise<Package> {
  try {
    return await import('hyparquet');
  } catch (error) {
    throw missing(error, 'Parquet', 'hyparquet');
  }
}

function missing(error: unknown, what: string, name: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') return error;
  return new Error(`reading ${what} needs the package ${name}: npm install ${name}, with --global if urlsum is`);
}

/** @throws where the file is not whole, or encrypted */
async function bufferOf(handle: FileHandle, count: (byteLength: number) => void): Promise<AsyncBuffer> {
  const found = await handle.stat();
  if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  if (!found.isFile()) throw new Error('Parquet is read from its end: name a file, not a pipe');
  const file = {
    byteLength: found.size,
    async slice(start: number, end = found.size): Promise<ArrayBuffer> {
      if (start < 0 || end < start || end > found.size) throw new Error('a column is outside of the file');
      const bytes = new Uint8Array(end - start);
      for (let read = 0; read < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, read, bytes.length - read, start + read);
        if (bytesRead === 0) throw new Error('it became shorter while it was read');
        read += bytesRead;
      }
      count(bytes.length);
      return bytes.buffer;
    },
  };
  await mustBeWhole(file);
  return file;
}

/** Reads each range once: the parts of a row group are in the same. */
function remembering({ byteLength, slice }: AsyncBuffer): AsyncBuffer {
  const ranges = new Map<string, ReturnType<AsyncBuffer['slice']>>();
  return {
    byteLength,
    slice(start, end) {
      const range = `${start}-${end}`;
      const bytes = ranges.get(range) ?? slice(start, end);
      ranges.set(range, bytes);
      return bytes;
    },
  };
}

async function mustBeWhole({ byteLength, slice }: AsyncBuffer): Promise<void> {
  const textOf = async (start: number) => Buffer.from(await slice(start, start + MAGIC.length)).toString('latin1');
  const first = byteLength < LEAST_BYTES ? '' : await textOf(0);
  if (first !== MAGIC && first !== ENCRYPTED_MAGIC) throw new Error('it is not Parquet: it does not begin with PAR1');
  const last = await textOf(byteLength - MAGIC.length);
  if (last === ENCRYPTED_MAGIC) throw new Error('it is encrypted, which urlsum does not read');
  if (last !== MAGIC) throw new Error('it is truncated: Parquet ends with PAR1');
}

/** Returns the name of the top column with the URLs. @throws where there is none, or it holds no texts */
function rootOf(children: readonly SchemaTree[], path: string): string {
  const found = nodesAt(children, path.split('.')) ?? nodesAt(children, [path]);
  if (found === undefined)
    throw new Error(`it has no column ${JSON.stringify(path)} but ${quotedNames(namesIn(children))}`);
  if (found.some(isRepeated)) throw new Error(`its column ${JSON.stringify(path)} is a list: ${EACH_REMEDY}`);
  const { element, children: inner } = found.at(-1)!;
  if (inner.length > 0)
    throw new Error(
      `its column ${JSON.stringify(path)} is not text but has columns: ${quotedNames(namesIn(inner, path))}`,
    );
  if (element.type !== 'BYTE_ARRAY')
    throw new Error(`its column ${JSON.stringify(path)} is not text but ${element.logical_type?.type ?? element.type}`);
  return found[0]!.element.name;
}

const EACH_REMEDY = `make a row of each element, by duckdb -c "COPY (SELECT unnest(…) …)" for example`;

function isRepeated({ element }: SchemaTree): boolean {
  const { repetition_type, converted_type, logical_type } = element;
  return repetition_type === 'REPEATED' || converted_type === 'LIST' || logical_type?.type === 'LIST';
}

function nodesAt(children: readonly SchemaTree[], names: readonly string[]): SchemaTree[] | undefined {
  const [name, ...rest] = names;
  const node = children.find(({ element }) => element.name === name);
  if (node === undefined || rest.length === 0) return node && [node];
  if (isRepeated(node)) return [node];
  const inner = nodesAt(node.children, rest);
  return inner && [node, ...inner];
}

function namesIn(children: readonly SchemaTree[], prefix = ''): string[] {
  return children.map(({ element }) => (prefix === '' ? element.name : `${prefix}.${element.name}`));
}

function chunksIn({ columns }: RowGroup, names: readonly string[]) {
  return columns
    .map((column) => {
      if (column.crypto_metadata !== undefined || column.meta_data === undefined)
        throw new Error('it has encrypted columns, which urlsum does not read');
      return column.meta_data;
    })
    .filter(({ path_in_schema: [root] }) => names.includes(root!));
}

function codecsOf({ row_groups: groups }: FileMetaData, names: readonly string[]): CompressionCodec[] {
  return [...new Set(groups.flatMap((group) => chunksIn(group, names).map(({ codec }) => codec)))];
}

/** Part of Node since 22.15; the types of Node 20 lack it. */
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array };

const BUILT_IN: Compressors = {
  GZIP: (bytes) => zlib.gunzipSync(bytes),
  BROTLI: (bytes) => zlib.brotliDecompressSync(bytes),
  ...(zstdDecompressSync && { ZSTD: (bytes) => zstdDecompressSync(bytes) }),
};
/** The package reads these itself. */
const OWN: readonly CompressionCodec[] = ['UNCOMPRESSED', 'SNAPPY'];

/** @throws where one of them needs a package that is not installed */
async function openCompressors(codecs: readonly CompressionCodec[]): Promise<Compressors> {
  const other = codecs.find((codec) => !OWN.includes(codec) && BUILT_IN[codec] === undefined);
  if (other === undefined) return BUILT_IN;
  try {
    return { ...(await import('hyparquet-compressors')).compressors, ...BUILT_IN };
  } catch (error) {
    throw missing(error, `Parquet packed with ${other} in Node ${process.version}`, 'hyparquet-compressors');
  }
}

/** Damage in the footer would have rows decoded that are not there. */
function mustAgree({ num_rows: total, row_groups: groups }: FileMetaData, byteLength: number): void {
  const rowCount = groups.reduce((sum, { num_rows: rows }) => sum + rows, 0n);
  const packed = groups.flatMap(({ columns }) =>
    columns.map(({ meta_data: chunk }) => chunk?.total_compressed_size ?? 0n),
  );
  if (rowCount === total && !packed.some((size) => size < 0n || size > byteLength)) return;
  throw new Error('it is damaged: its footer does not agree with itself');
}

/** Returns the ranges of rows that are decoded together. */
function partsOf(group: RowGroup, index: number, names: readonly string[], start: number): [number, number][] {
  const chunks = chunksIn(group, names);
  const packed = chunks.reduce((sum, chunk) => sum + Number(chunk.total_compressed_size), 0);
  const unpacked = chunks.reduce((sum, chunk) => sum + Number(chunk.total_uncompressed_size), 0);
  if (packed > PACKED_LIMIT)
    throw new Error(
      `its row group ${index + 1} has ${Math.ceil(packed / 2 ** 20)} MiB in the columns to read, more than ` +
        `${PACKED_LIMIT / 2 ** 20}: write it in smaller ones, by ` +
        `duckdb -c "COPY 'FILE' TO 'new.parquet' (ROW_GROUP_SIZE 100000)" for example`,
    );
  const rowCount = Number(group.num_rows);
  const isFlat = chunks.every(({ path_in_schema: path }) => path.length === 1);
  const partCount = Math.max(1, Math.ceil(unpacked / (isFlat ? PART_BYTES : NESTED_PART_BYTES)));
  const partRows = Math.max(1, Math.ceil(rowCount / partCount));
  const starts = Array.from({ length: Math.ceil(rowCount / partRows) }, (_, at) => at * partRows);
  return starts.map((from) => [start + from, start + Math.min(from + partRows, rowCount)]);
}

/** The cells of a column, from a row on. */
interface Run {
  readonly start: number;
  readonly cells: ArrayLike<unknown>;
}

type ReadOptions = Parameters<Package['parquetRead']>[0] & { readonly rowStart: number; readonly rowEnd: number };

/** Returns the cells of rows [rowStart, rowEnd) by column, in runs that begin where the rows do. */
async function cellsOf(parquet: Package, options: ReadOptions): Promise<Map<string, Run[]>> {
  const found = new Map<string, Run[]>();
  await readable(
    parquet.parquetRead({
      ...options,
      onChunk({ columnName, columnData, rowStart }) {
        const runs = found.get(columnName) ?? [];
        runs.push({ start: rowStart - options.rowStart, cells: columnData });
        found.set(columnName, runs);
      },
    }),
  );
  return found;
}

/** The package says what it met in words of its own. */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== undefined && !code.startsWith('Z') && !code.startsWith('ERR_')) throw error; // of the system
    throw new Error(`it is damaged, or uses what the package hyparquet does not read: ${message}`, { cause: error });
  }
}

function* linesOf(columns: readonly SchemaTree[], found: Map<string, Run[]>, rowCount: number): Generator<Uint8Array> {
  const writers = columns.map(({ element }, at) => {
    const head = `${at === 0 ? '{' : ','}${JSON.stringify(element.name)}:`;
    const cellAt = cellReader(found.get(element.name) ?? [], rowCount);
    const textOf = parquetCellText(element);
    return (row: number) => head + textOf(cellAt(row));
  });
  let text = '';
  for (let row = 0; row < rowCount; row++) {
    for (const write of writers) text += write(row);
    text += '}\n';
    if (text.length < PASSED_BYTES) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/** Returns the function that gives the cell of each row, called with ascending rows. */
function cellReader(runs: readonly Run[], rowCount: number): (row: number) => unknown {
  const last = runs.at(-1);
  if (last === undefined || runs[0]!.start > 0 || last.start + last.cells.length < rowCount)
    throw new Error('it is damaged: a column has fewer rows than the file');
  let at = 0;
  return (row) => {
    while (row >= runs[at]!.start + runs[at]!.cells.length) at++;
    return runs[at]!.cells[row - runs[at]!.start];
  };
}
