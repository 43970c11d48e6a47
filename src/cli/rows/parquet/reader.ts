import type { RowGroup, SchemaTree } from 'hyparquet';
import type { GrowingBytes } from '../../../bytes/growing-bytes.ts';
import type { RecordField } from '../record-field.ts';
import { cellWriter, fieldOf, NO_ENTRY, type WriteCell } from './cells.ts';
import { cellsOf, type Package } from './column-reader.ts';
import { footerOf, openParquetFile, type ParquetFile } from './file.ts';
import type { Cells } from './page-cells.ts';
import { type Column, columnOf, textColumnAt } from './schema.ts';
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
  /** Writes the row as record-field.ts says. */
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
    const { groups, columns, rows } = await readable(() => openRows(parquet, file, column, hasRecords));
    yield rows; // none yet: a file without rows has columns, too
    for (const group of groups) yield* rowsIn({ parquet, file, group, columns, rows });
  } finally {
    await file.close();
  }
}

async function openPackage(): Promise<Package> {
  try {
    return await import('hyparquet');
  } catch (error) {
    throw missingPackage(error, 'Parquet', 'hyparquet');
  }
}

/** Reads the footer, and says which columns are read: that of URLs, and all if rows are records, each of them once. */
async function openRows(parquet: Package, file: ParquetFile, column: string, hasRecords: boolean) {
  const metadata = parquet.parquetMetadata(await footerOf(file), { geoparquet: false });
  const { num_rows: total, row_groups: groups } = metadata;
  const isNegative = groups.some(({ num_rows: rows }) => rows < 0n);
  if (isNegative || groups.reduce((sum, { num_rows: rows }) => sum + rows, 0n) !== total)
    throw new Error('its row groups have other rows than it says');
  const { children } = parquet.parquetSchema(metadata);
  const found = textColumnAt(children, column);
  const fields = hasRecords ? children : [];
  const field = found.length === 1 ? fields.indexOf(found[0]!) : -1;
  const own = field === -1 ? [columnOf(found[0]!, found)] : [];
  const columns = [...own, ...fields.map((child) => columnOf(child))];
  return { groups, columns, rows: new DecodedRows(found, fields, own.length, Math.max(field, 0)) };
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

interface GroupReading {
  readonly parquet: Package;
  readonly file: ParquetFile;
  readonly group: RowGroup;
  readonly columns: readonly Column[];
  readonly rows: DecodedRows;
}

async function* rowsIn({ parquet, file, group, columns, rows }: GroupReading): AsyncGenerator<DecodedRows> {
  const rowCount = Number(group.num_rows);
  const sources = columns.map((column) => cellsOf(parquet, file, group, column));
  const cells: { run: Cells; at: number }[] = columns.map(() => ({ run: [], at: 0 }));
  try {
    for (let row = 0; row < rowCount; ) {
      for (const [index, source] of sources.entries()) {
        const own = cells[index]!;
        for (; own.at === own.run.length; own.at = 0) {
          const next = await readable(() => source.next());
          if (next.done === true) throw new Error('it is damaged: a column has fewer rows than the file');
          own.run = next.value;
        }
      }
      const length = Math.min(rowCount - row, ...cells.map(({ run, at }) => run.length - at));
      rows.begin(cells, length);
      yield rows;
      for (const own of cells) own.at += length;
      row += length;
    }
    for (const source of sources) await readable(() => source.next()); // its rows are counted at its end
  } finally {
    for (const source of sources) await source.return(undefined);
  }
}

class DecodedRows implements RowReader {
  readonly fields: readonly RecordField[];
  readonly #path: readonly string[];
  readonly #firstField: number;
  readonly #urlColumn: number;
  readonly #writers: readonly { readonly head: string; readonly write: WriteCell }[];
  #cells: readonly { readonly run: Cells; readonly at: number }[] = [];
  #length = 0;
  #row = -1;

  /**
   * @param found the nodes from the top to the column of URLs
   * @param nodes of the fields of records
   * @param firstField which of the columns of `begin` is the first field
   * @param urlColumn which of them has the URLs
   */
  constructor(found: readonly SchemaTree[], nodes: readonly SchemaTree[], firstField: number, urlColumn: number) {
    this.fields = nodes.map(fieldOf);
    this.#firstField = firstField;
    this.#urlColumn = urlColumn;
    this.#path = found.slice(1).map(({ element }) => element.name);
    this.#writers = nodes.map((node, index) => ({
      head: `${index === 0 ? '{' : ','}${JSON.stringify(node.element.name)}:`,
      write: cellWriter(node),
    }));
  }

  begin(cells: readonly { readonly run: Cells; readonly at: number }[], length: number): void {
    this.#cells = cells;
    this.#length = length;
    this.#row = -1;
  }

  next(): boolean {
    return ++this.#row < this.#length;
  }

  get value(): Uint8Array | null {
    const { run, at } = this.#cells[this.#urlColumn]!;
    let cell: unknown = run.at(at + this.#row);
    for (const name of this.#path) {
      if (cell === null || cell === undefined) return null;
      cell = (cell as Readonly<Record<string, unknown>>)[name];
    }
    if (cell === undefined) throw new Error(NO_ENTRY);
    return cell as Uint8Array | null;
  }

  writeRecord(out: GrowingBytes): void {
    for (const [index, { head, write }] of this.#writers.entries()) {
      const { run, at } = this.#cells[this.#firstField + index]!;
      out.text(head);
      write(out, run.at(at + this.#row));
    }
    out.byte(RIGHT_BRACE);
  }
}

const RIGHT_BRACE = 0x7d;
