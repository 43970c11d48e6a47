import { crc32 } from 'node:zlib';
import type { ColumnMetaData } from 'hyparquet';
import type { Codec } from './codecs.ts';
import { dataHeaderIn, dataParts, type PagePlace, type Part } from './data-page.ts';
import type { ParquetFile } from './file.ts';
import { type Cells, isPlain, PlainCells } from './page-cells.ts';
import { PageWindow } from './page-window.ts';
import type { LeafForm } from './schema.ts';
import { tooLarge } from './sentence.ts';
import { numberIn, readStruct, structAt, ThriftEndError } from './thrift.ts';

/** Bytes of a page, unpacked: a larger one would take more memory than a run should. */
const PAGE_LIMIT = 1 << 27;

/** Bytes that a header may have: its statistics hold whole values. */
const HEADER_LIMIT = 1 << 24;

const DICTIONARY_PAGE = 2;

/** Whose pages are read, and how. */
export interface PageSource {
  readonly file: ParquetFile;
  readonly chunk: ColumnMetaData;
  readonly leaf: LeafForm;
  readonly codec: Codec;
}

/**
 * Yields what the pages of a column chunk hold, in order, until they have all its values.
 *
 * @throws where a page is damaged, or larger than PAGE_LIMIT
 */
export async function* pagesOf(source: PageSource): AsyncGenerator<Part> {
  const { chunk } = source;
  const offsets = [chunk.dictionary_page_offset, chunk.data_page_offset].map((offset) => Number(offset ?? 0n));
  const start = Math.min(...offsets.filter((offset) => offset > 0));
  const end = start + Number(chunk.total_compressed_size);
  const valueCount = Number(chunk.num_values);
  const window = new PageWindow(source.file, end);
  let dictionary: Cells | undefined;
  for (let at = start, seen = 0; seen < valueCount; ) {
    if (at >= end) throw new Error('a column has fewer values than the file says');
    const { struct: header, byteLength } = await headerAt(window, at, end);
    const place = {
      start: at + byteLength,
      packedBytes: numberIn(header, 3),
      unpackedBytes: numberIn(header, 2),
      header,
    };
    at = place.start + place.packedBytes;
    if (at > end) throw new Error('a page is longer than its column');
    const data = dataHeaderIn(header, source.leaf);
    seen += data?.valueCount ?? 0;
    if (seen > valueCount) throw new Error('a column has more values than the file says');
    await mustBeReadable(window, place);
    if (data !== undefined) yield* dataParts(window, place, data, { ...source, dictionary });
    else if (header.get(1) === DICTIONARY_PAGE) dictionary = await dictionaryAt(window, place, source);
  }
}

/** @throws where the page is too large, or has not its checksum */
async function mustBeReadable(
  window: PageWindow,
  { start, packedBytes, unpackedBytes, header }: PagePlace,
): Promise<void> {
  const most = Math.max(packedBytes, unpackedBytes);
  if (most > PAGE_LIMIT) throw tooLarge(`it has a page of ${Math.ceil(most / 2 ** 20)} MiB`);
  const expected = header.get(4);
  if (typeof expected !== 'number') return;
  let crc = 0;
  for await (const piece of window.pieces(start, packedBytes)) crc = crc32(piece, crc);
  if (crc !== expected >>> 0) throw new Error('the checksum of a page is another');
}

/** Reads the header of a page; most have a few dozen bytes. */
async function headerAt(window: PageWindow, at: number, end: number): Promise<ReturnType<typeof readStruct>> {
  for (let length = 256; ; length *= 4) {
    const bytes = await window.bytes(at, Math.min(length, end - at));
    try {
      return readStruct(bytes);
    } catch (error) {
      if (!(error instanceof ThriftEndError) || bytes.length === end - at || length > HEADER_LIMIT)
        throw new Error(`a page has no header: ${(error as Error).message}`);
    }
  }
}

/** Returns the values of a dictionary: plain ones, without levels. */
async function dictionaryAt(
  window: PageWindow,
  { start, packedBytes, unpackedBytes, header }: PagePlace,
  { leaf, codec }: PageSource,
): Promise<Cells> {
  const valueCount = numberIn(structAt(header, 7), 1);
  const bytes = codec.unpack(await window.bytes(start, packedBytes), unpackedBytes);
  if (valueCount > bytes.length || !isPlain(leaf)) throw new Error('a dictionary has more values than bytes');
  const cells = new PlainCells(leaf, bytes, valueCount);
  if (cells.length !== valueCount) throw new Error('a dictionary has fewer values than it says');
  return cells;
}
