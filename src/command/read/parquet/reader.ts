import type { RowGroup, SchemaTree } from 'hyparquet';
import type { GrowingBytes } from '../../../core/bytes/growing-bytes.ts';
import type { RecordField } from '../record-field.ts';
import { cellWriter, fieldOf } from './cells.ts';
import { openCodec } from './codecs.ts';
import { footerOf, openParquetFile, type ParquetFile } from './file.ts';
import { LeafCursor } from './leaf-cursor.ts';
import { pagesOf } from './pages.ts';
import { chunkOf, leafAt, leavesOf, textColumnAt } from './schema.ts';
import { missingPackage, Sentence } from './sentence.ts';

export interface ParquetColumns {
  readonly column: string;
  readonly hasRecords: boolean;
}

/** Rows that were decoded together, one after another. */
export interface RowReader {
  readonly fields: readonly RecordField[];
  /** Goes to the next row, the first at first. */
  next(): boolean;
  /** The URL of the row, or null. Valid until the next rows are asked for. */
  readonly value: Uint8Array | null;
  /** Writes the row as record-field.ts says, once. */
  writeRecord(out: GrowingBytes): void;
}

/**
 * Reads the rows of a file, as many at a time as have been decoded in all columns that are read.
 *
 * @throws where it is not such a file, is damaged, lacks the column or has too much in a page
 */
export async function* readParquet(
  path: string,
  { column, hasRecords }: ParquetColumns,
  count: (byteLength: number) => void,
): AsyncGenerator<RowReader> {
  if (path === '-') throw new Error('Parquet is read from its end: name the file, not standard input');
  const parquet = await openPackage();
  const file = await openParquetFile(path, count);
  try {
    const { groups, leaves, rows } = await readable(() => openRows(parquet, file, column, hasRecords));
    yield rows; // none yet: a file without rows has columns, too
    for (const group of groups) yield* rowsIn(file, group, leaves, rows);
  } finally {
    await file.close();
  }
}

async function openPackage() {
  try {
    return await import('hyparquet');
  } catch (error) {
    throw missingPackage(error, 'Parquet', 'hyparquet');
  }
}

type Package = Awaited<ReturnType<typeof openPackage>>;

/** Reads the footer, and says which leaves are read: that of URLs, or all if rows are records. */
async function openRows(parquet: Package, file: ParquetFile, column: string, hasRecords: boolean) {
  const { groups, children } = metadataIn(parquet, await footerOf(file));
  const found = textColumnAt(children, column);
  const fields = (hasRecords ? children : []).map((node) => ({
    node,
    leaves: leavesOf(node).map((leaf) => new LeafCursor(leaf)),
  }));
  const leaves = fields.flatMap((field) => field.leaves);
  const urls = leaves.find(({ leaf }) => leaf.node === found.at(-1)) ?? new LeafCursor(leafAt(found));
  return { groups, leaves: leaves.length > 0 ? leaves : [urls], rows: new DecodedRows(urls, fields) };
}

/** hyparquet trusts the types of fields: where one is of another, JavaScript says that something is not a function. */
function metadataIn(parquet: Package, footer: ArrayBuffer) {
  try {
    const metadata = parquet.parquetMetadata(footer, { geoparquet: false });
    const { num_rows: total, row_groups: groups } = metadata;
    const isNegative = groups.some(({ num_rows: rows }) => rows < 0n);
    if (isNegative || groups.reduce((sum, { num_rows: rows }) => sum + rows, 0n) !== total)
      throw new Error('its row groups have other rows than it says');
    return { groups, children: parquet.parquetSchema(metadata).children };
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new Error('a field of its footer is missing, or of another type', { cause: error });
  }
}

/** What is not a sentence of its own, or the system's, is damage: the package says what it met in words of its own. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Sentence || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new Error(`it is damaged, or has what urlsum does not read: ${(error as Error).message}`, { cause: error });
  }
}

async function* rowsIn(
  file: ParquetFile,
  group: RowGroup,
  leaves: readonly LeafCursor[],
  rows: DecodedRows,
): AsyncGenerator<DecodedRows> {
  const rowCount = Number(group.num_rows);
  try {
    for (const cursor of leaves) await readable(() => openLeaf(file, group, cursor));
    for (let row = 0, length = 0; row < rowCount; row += length) {
      for (const cursor of leaves) if (cursor.rows === 0) await readable(() => cursor.load());
      length = Math.min(rowCount - row, ...leaves.map((cursor) => cursor.rows));
      rows.begin(length);
      yield rows;
      for (const cursor of leaves) cursor.rows -= length;
    }
    for (const cursor of leaves) await readable(() => cursor.end());
  } finally {
    for (const cursor of leaves) await cursor.close();
  }
}

async function openLeaf(file: ParquetFile, group: RowGroup, cursor: LeafCursor): Promise<void> {
  const { leaf } = cursor;
  const chunk = chunkOf(group, leaf);
  cursor.open(pagesOf({ file, chunk, leaf, codec: await openCodec(chunk.codec) }));
}

interface Field {
  readonly node: SchemaTree;
  readonly leaves: readonly LeafCursor[];
}

class DecodedRows implements RowReader {
  readonly fields: readonly RecordField[];
  readonly #urls: LeafCursor;
  readonly #writers: readonly { readonly head: string; readonly write: (out: GrowingBytes) => void }[];
  #length = 0;
  #row = -1;

  constructor(urls: LeafCursor, fields: readonly Field[]) {
    this.fields = fields.map(({ node }) => fieldOf(node));
    this.#urls = urls;
    this.#writers = fields.map(({ node, leaves }, index) => ({
      head: `${index === 0 ? '{' : ','}${JSON.stringify(node.element.name)}:`,
      write: cellWriter(node, leaves),
    }));
  }

  begin(length: number): void {
    this.#length = length;
    this.#row = -1;
  }

  next(): boolean {
    if (this.#row >= 0 && this.#writers.length === 0) this.#urls.pass(); // a record that is written moves all leaves
    return ++this.#row < this.#length;
  }

  get value(): Uint8Array | null {
    return this.#urls.value as Uint8Array | null;
  }

  writeRecord(out: GrowingBytes): void {
    for (const { head, write } of this.#writers) {
      out.text(head);
      write(out);
    }
    out.byte(RIGHT_BRACE);
  }
}

const RIGHT_BRACE = 0x7d;
