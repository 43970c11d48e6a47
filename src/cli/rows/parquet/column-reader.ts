import type { RowGroup } from 'hyparquet';
import { openCodec } from './codecs.ts';
import type { ParquetFile } from './file.ts';
import { RUN_BYTES, RUN_ROWS } from './page-parts.ts';
import { type Page, pagesOf } from './pages.ts';
import { type Column, chunkOf, type Leaf } from './schema.ts';
import { tooLarge } from './sentence.ts';

export type Package = typeof import('hyparquet');

/** Cells of rows in sequence: values as they are stored, null where there is none. */
export type Cells = ArrayLike<unknown>;

/** Bytes of a nested column in a row group: all its pages are decoded together, as rows may begin anywhere in them. */
const NESTED_LIMIT = 1 << 25;

/** The pages of a leaf that are decoded together. */
interface Run {
  readonly leaf: Leaf;
  readonly pages: readonly Page[];
}

/**
 * Yields the cells of a column in a row group, a few pages at a time: these are a file of their own to the package,
 * which would decode all of the row group at once.
 *
 * @param share in how many parts columns that are read side by side divide what is decoded together
 * @throws where a page is damaged or too large
 */
export async function* cellsOf(
  parquet: Package,
  file: ParquetFile,
  group: RowGroup,
  column: Column,
  share: number,
): AsyncGenerator<Cells> {
  const rowCount = Number(group.num_rows);
  let seen = 0;
  const runs = column.isPaged ? runsOf(file, group, column.leaves[0]!, share) : [wholeRun(file, group, column)];
  for await (const run of runs) {
    const expected = column.isPaged ? valueCountOf(run[0]!.pages) : rowCount;
    const found = await decoded(parquet, column, run, expected);
    if (found.reduce((sum, { length }) => sum + length, 0) !== expected)
      throw new Error('a column has another number of rows than the file says');
    seen += expected;
    yield* found;
  }
  if (seen !== rowCount) throw new Error('a column has another number of rows than the file says');
}

/** Yields the pages of a leaf with one value in each row, in runs. */
async function* runsOf(file: ParquetFile, group: RowGroup, leaf: Leaf, share: number): AsyncGenerator<[Run]> {
  let dictionary: Page[] = [];
  let pages: Page[] = [];
  for await (const page of await pagesIn(file, group, leaf)) {
    if (page.isDictionary) dictionary = [page];
    else if (page.valueCount > 0) pages.push(page);
    const rowLimit = Math.max(RUN_ROWS / share, dictionary[0]?.valueCount ?? 0);
    if (byteLengthOf(pages) < RUN_BYTES / share && valueCountOf(pages) < rowLimit) continue;
    yield [{ leaf, pages: [...dictionary, ...pages] }];
    pages = [];
  }
  if (pages.length > 0) yield [{ leaf, pages: [...dictionary, ...pages] }];
}

async function wholeRun(file: ParquetFile, group: RowGroup, { node, leaves }: Column): Promise<Run[]> {
  const runs: Run[] = [];
  let byteLength = 0;
  for (const leaf of leaves) {
    const pages: Page[] = [];
    for await (const page of await pagesIn(file, group, leaf)) {
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

async function pagesIn(file: ParquetFile, group: RowGroup, leaf: Leaf): Promise<AsyncGenerator<Page>> {
  const chunk = chunkOf(group, leaf);
  return pagesOf(file, chunk, leaf, await openCodec(chunk.codec));
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
  { bareSchema }: Column,
  runs: readonly Run[],
  rowCount: number,
): Promise<Cells[]> {
  const chunks = runs.map(({ leaf, pages }) => ({ leaf, pages, byteLength: headedLengthOf(pages) }));
  const bytes = concatenated(runs.flatMap(({ pages }) => pages.flatMap((page) => [page.header, page.bytes])));
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
  return cells;
}

/** The package takes the place 0 for none. */
const FIRST_BYTE = 4;

function headedLengthOf(pages: readonly Page[]): number {
  return pages.reduce((sum, { header, bytes }) => sum + header.length + bytes.length, 0);
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(FIRST_BYTE + parts.reduce((sum, { length }) => sum + length, 0));
  let at = FIRST_BYTE;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
