import type { RowGroup, SchemaElement } from 'hyparquet';
import { concatBytes } from '../../../bytes/concat.ts';
import { openCodec } from './codecs.ts';
import type { DataPart, Page } from './data-page.ts';
import type { ParquetFile } from './file.ts';
import { type Cells, IndexedCells, isPlain, NestedCells, PlainCells } from './page-cells.ts';
import { dataHeader, PLAIN } from './page-header.ts';
import { pagesOf } from './pages.ts';
import { type Column, chunkOf, type Leaf } from './schema.ts';
import { tooLarge } from './sentence.ts';

export type Package = typeof import('hyparquet');

/** Bytes of a nested column in a row group: all its pages are decoded together, as rows may begin anywhere in them. */
const NESTED_LIMIT = 1 << 25;

/** Bytes and rows of pages that the package decodes together, about. */
const RUN_BYTES = 1 << 18;
const RUN_ROWS = 1 << 14;

/** The pages of a leaf that are decoded together. */
interface Run {
  readonly leaf: Leaf;
  readonly pages: readonly Page[];
}

/**
 * Yields the cells of a column in a row group, those of a page or of a few at a time, each valid until the next are
 * asked for. Plain values and those of dictionaries are decoded one by one. The package, which would decode all of the
 * row group at once, has other pages as a file of their own.
 *
 * @throws where a page is damaged or too large
 */
export async function* cellsOf(
  parquet: Package,
  file: ParquetFile,
  group: RowGroup,
  column: Column,
): AsyncGenerator<Cells> {
  const rowCount = Number(group.num_rows);
  let seen = 0;
  const found = column.isPaged
    ? pagedCells(parquet, file, group, column)
    : await decoded(parquet, column.bareSchema, await wholeRun(file, group, column), rowCount);
  for await (const cells of found) {
    seen += cells.length;
    yield cells;
  }
  if (seen !== rowCount) throw new Error(OTHER_ROWS);
}

const OTHER_ROWS = 'a column has another number of rows than the file says';

/** Yields the cells of a leaf with one value in each row. */
async function* pagedCells(
  parquet: Package,
  file: ParquetFile,
  group: RowGroup,
  { leaves: [leaf], bareSchema }: Column,
): AsyncGenerator<Cells> {
  const { path, areOptional } = leaf!;
  const placed = (cells: Cells, levels: Uint8Array | undefined) =>
    path.length === 1 ? cells : new NestedCells(cells, levels, path, areOptional);
  let dictionary: Cells | undefined;
  for await (const part of inRuns(await pagesIn(file, group, leaf!, false))) {
    if ('cells' in part) {
      yield placed(part.cells, part.levels);
    } else if ('indices' in part) {
      if (dictionary === undefined) throw new Error('a column has no dictionary');
      yield placed(new IndexedCells(dictionary, part.indices), part.levels);
    } else if (part[0]!.isDictionary) {
      dictionary = await dictionaryIn(parquet, part[0]!, leaf!);
    } else {
      yield* await decoded(parquet, bareSchema, [{ leaf: leaf!, pages: part }], valueCountOf(part));
    }
  }
}

/** Puts pages together that the package decodes, but not a dictionary with others. */
async function* inRuns(parts: AsyncIterable<DataPart>): AsyncGenerator<Exclude<DataPart, Page> | readonly Page[]> {
  let pages: Page[] = [];
  for await (const part of parts) {
    const isPage = 'bytes' in part && !part.isDictionary;
    if (isPage && part.valueCount > 0) pages.push(part);
    const isFull = byteLengthOf(pages) >= RUN_BYTES || valueCountOf(pages) >= RUN_ROWS;
    if (pages.length > 0 && (isFull || !isPage)) {
      yield pages;
      pages = [];
    }
    if (!isPage) yield 'bytes' in part ? [part] : part;
  }
  if (pages.length > 0) yield pages;
}

/** Returns the values of a dictionary: plain ones, without levels. */
async function dictionaryIn(parquet: Package, { valueCount, bytes }: Page, leaf: Leaf): Promise<Cells> {
  const required = { ...leaf, path: [VALUE], maxDefinition: 0 };
  let cells: Cells;
  if (isPlain(leaf)) {
    cells = new PlainCells(required, bytes, valueCount);
  } else {
    const schema: SchemaElement[] = [
      { name: 'root', num_children: 1 },
      { name: VALUE, type: leaf.type, repetition_type: 'REQUIRED' },
    ];
    const page = { isDictionary: false, valueCount, bytes, header: dataHeader(valueCount, PLAIN, bytes) };
    cells = (await decoded(parquet, schema, [{ leaf: required, pages: [page] }], valueCount))[0] ?? [];
  }
  if (cells.length !== valueCount) throw new Error('a dictionary has fewer values than it says');
  return cells;
}

const VALUE = 'value';

async function wholeRun(file: ParquetFile, group: RowGroup, { node, leaves }: Column): Promise<Run[]> {
  const runs: Run[] = [];
  let byteLength = 0;
  for (const leaf of leaves) {
    const pages: Page[] = [];
    for await (const page of await pagesIn(file, group, leaf, true)) {
      if (!('bytes' in page)) continue; // there is none where they stay whole
      byteLength += page.bytes.length;
      if (byteLength > NESTED_LIMIT)
        throw tooLarge(
          `its nested column ${JSON.stringify(node.element.name)} has more than ${NESTED_LIMIT / 2 ** 20} MiB in a row group`,
        );
      pages.push(page);
    }
    runs.push({ leaf, pages });
  }
  return runs;
}

async function pagesIn(file: ParquetFile, group: RowGroup, leaf: Leaf, isWhole: boolean) {
  const chunk = chunkOf(group, leaf);
  return pagesOf({ file, chunk, leaf, codec: await openCodec(chunk.codec), isWhole });
}

function byteLengthOf(pages: readonly Page[]): number {
  return pages.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Counts values and nulls, without those of dictionaries. */
function valueCountOf(pages: readonly Page[]): number {
  return pages.reduce((sum, { isDictionary, valueCount }) => sum + (isDictionary ? 0 : valueCount), 0);
}

/** Has the package decode pages, as a file with one row group of `rowCount` rows. */
async function decoded(
  parquet: Package,
  bareSchema: readonly SchemaElement[],
  runs: readonly Run[],
  rowCount: number,
): Promise<Cells[]> {
  const chunks = runs.map(({ leaf, pages }) => ({ leaf, pages, byteLength: headedLengthOf(pages) }));
  const parts = runs.flatMap(({ pages }) => pages.flatMap((page) => [page.header, page.bytes]));
  const bytes = concatBytes([new Uint8Array(FIRST_BYTE), ...parts]);
  let start = FIRST_BYTE;
  const columns = chunks.map(({ leaf, pages, byteLength }) => {
    const chunk = {
      type: leaf.type,
      encodings: [],
      path_in_schema: [...leaf.path],
      codec: 'UNCOMPRESSED' as const,
      num_values: BigInt(valueCountOf(pages)),
      total_uncompressed_size: BigInt(byteLength),
      total_compressed_size: BigInt(byteLength),
      data_page_offset: BigInt(start),
    };
    start += byteLength;
    return { file_offset: 0n, meta_data: chunk };
  });
  const cells: Cells[] = [];
  await parquet.parquetRead({
    file: { byteLength: bytes.length, slice: (from, to) => bytes.buffer.slice(from, to) },
    metadata: {
      version: 2,
      schema: [...bareSchema],
      num_rows: BigInt(rowCount),
      row_groups: [{ columns, total_byte_size: BigInt(bytes.length), num_rows: BigInt(rowCount) }],
      metadata_length: 0,
    },
    utf8: false,
    parsers: { timestampFromNanoseconds: (time) => time },
    onChunk: ({ columnData }) => cells.push(columnData),
  });
  if (cells.reduce((sum, { length }) => sum + length, 0) !== rowCount) throw new Error(OTHER_ROWS);
  return cells;
}

/** The package takes the place 0 for none. */
const FIRST_BYTE = 4;

function headedLengthOf(pages: readonly Page[]): number {
  return pages.reduce((sum, { header, bytes }) => sum + header.length + bytes.length, 0);
}
