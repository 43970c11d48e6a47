import { crc32 } from 'node:zlib';
import type { ColumnMetaData, Encoding } from 'hyparquet';
import type { Unpack } from './codecs.ts';
import type { ParquetFile } from './file.ts';
import { checkedLayout, type DataPage, type LeafForm } from './page-check.ts';
import { lengthBytes, partsOf } from './page-parts.ts';
import { tooLarge } from './sentence.ts';
import { type Fields, readStruct, type Struct, structBytes, ThriftEndError } from './thrift.ts';

/** Bytes of a page, unpacked, and its values: a larger one would take more memory than a run should. */
const PAGE_LIMIT = 1 << 27;
const VALUE_LIMIT = 1 << 22;

/** Bytes read at a time, and those that a header may have: its statistics hold whole values. */
const WINDOW_BYTES = 1 << 20;
const HEADER_LIMIT = 1 << 24;

const DATA_PAGE = 0;
const DICTIONARY_PAGE = 2;
const DATA_PAGE_V2 = 3;

/** In the order of the format's `Encoding`. */
const ENCODINGS: readonly Encoding[] = [
  'PLAIN',
  'GROUP_VAR_INT',
  'PLAIN_DICTIONARY',
  'RLE',
  'BIT_PACKED',
  'DELTA_BINARY_PACKED',
  'DELTA_LENGTH_BYTE_ARRAY',
  'DELTA_BYTE_ARRAY',
  'RLE_DICTIONARY',
  'BYTE_STREAM_SPLIT',
];
const RLE = 3;

/** A page that was unpacked and checked. */
export interface Page {
  readonly isDictionary: boolean;
  /** Values and nulls; entries of a dictionary. */
  readonly valueCount: number;
  /** The header of the same page without packing, and its bytes. */
  readonly header: Uint8Array;
  readonly bytes: Uint8Array;
}

/**
 * Yields the pages of a column chunk, in order, until they have all its values.
 *
 * @throws where a page is damaged, or larger than PAGE_LIMIT
 */
export async function* pagesOf(
  file: ParquetFile,
  chunk: ColumnMetaData,
  leaf: LeafForm,
  unpack: Unpack,
): AsyncGenerator<Page> {
  const offsets = [chunk.dictionary_page_offset, chunk.data_page_offset].map((offset) => Number(offset ?? 0n));
  const start = Math.min(...offsets.filter((offset) => offset > 0));
  const end = start + Number(chunk.total_compressed_size);
  const valueCount = Number(chunk.num_values);
  const window = new Window(file, end);
  for (let at = start, seen = 0; seen < valueCount; ) {
    if (at >= end) throw new Error('a column has fewer values than the file says');
    const { struct, byteLength } = await headerAt(window, at, end);
    const packedBytes = numberIn(struct, 3);
    at += byteLength;
    if (at + packedBytes > end) throw new Error('a page is longer than its column');
    for (const page of await pagesAt(window, at, struct, leaf, unpack)) {
      if (!page.isDictionary) seen += page.valueCount;
      if (seen > valueCount) throw new Error('a column has more values than the file says');
      yield page;
    }
    at += packedBytes;
  }
}

/** Reads the page with this header. Its packed bytes are not kept, as those that are yielded are. */
async function pagesAt(
  window: Window,
  at: number,
  header: Struct,
  leaf: LeafForm,
  unpack: Unpack,
): Promise<Iterable<Page>> {
  const [packedBytes, unpackedBytes] = [numberIn(header, 3), numberIn(header, 2)];
  const most = Math.max(packedBytes, unpackedBytes);
  if (most > PAGE_LIMIT) throw tooLarge(`it has a page of ${Math.ceil(most / 2 ** 20)} MiB`);
  const body = await window.bytes(at, packedBytes);
  const crc = header.get(4);
  if (typeof crc === 'number' && crc >>> 0 !== crc32(body)) throw new Error('the checksum of a page is another');
  return pagesIn(header, body, unpackedBytes, leaf, unpack);
}

/** Reads the header of a page; most have a few dozen bytes. */
async function headerAt(window: Window, at: number, end: number): Promise<ReturnType<typeof readStruct>> {
  for (let length = 256; ; length *= 4) {
    const bytes = await window.bytes(at, Math.min(length, end - at));
    try {
      return readStruct(bytes);
    } catch (error) {
      if (!(error instanceof ThriftEndError) || bytes.length === end - at || length > HEADER_LIMIT)
        throw new Error(`a page has no header: ${(error as Error).message || 'it has no end'}`);
    }
  }
}

/** Returns a page, in parts if it is large; none for pages of another kind, such as indexes. */
function pagesIn(
  header: Struct,
  body: Uint8Array,
  unpackedBytes: number,
  leaf: LeafForm,
  unpack: Unpack,
): Iterable<Page> {
  const type = header.get(1);
  if (type === DICTIONARY_PAGE) return [dictionaryOf(structAt(header, 7), unpack(body, unpackedBytes))];
  if (type === DATA_PAGE) return dataPages(structAt(header, 5), unpack(body, unpackedBytes), leaf);
  if (type !== DATA_PAGE_V2) return [];
  const second = structAt(header, 8);
  const bytes = asFirstVersion(second, body, unpackedBytes, leaf, unpack);
  return dataPages(new Map([...second, [2, second.get(4)], [3, RLE], [4, RLE]]), bytes, leaf);
}

function dictionaryOf(header: Struct, bytes: Uint8Array): Page {
  const [valueCount, encoding] = [numberIn(header, 1), numberIn(header, 2)];
  if (valueCount > bytes.length) throw new Error('a dictionary has more values than bytes');
  const fields: Fields = [
    [1, valueCount],
    [2, encoding],
  ];
  return { isDictionary: true, valueCount, bytes, header: headerOf(DICTIONARY_PAGE, bytes, [7, fields]) };
}

function dataPages(header: Struct, bytes: Uint8Array, leaf: LeafForm): Iterable<Page> {
  const [valueCount, encoding] = [numberIn(header, 1), numberIn(header, 2)];
  if (valueCount > VALUE_LIMIT) throw tooLarge(`it has a page of ${valueCount} values`);
  const isOld = (leaf.maxDefinition > 0 && header.get(3) !== RLE) || (leaf.maxRepetition > 0 && header.get(4) !== RLE);
  if (isOld) throw new Error('levels of a page are packed in a way that was given up');
  const page = { valueCount, encoding: ENCODINGS[encoding], bytes };
  const parts = partsOf(page, checkedLayout(page, leaf), leaf);
  return mapped(parts, (part) => ({ isDictionary: false, ...part, header: dataHeader(part, encoding) }));
}

function* mapped<T, U>(values: Iterable<T>, of: (value: T) => U): Generator<U> {
  for (const value of values) yield of(value);
}

/** Lays out a page of version 2 as one of version 1: its levels are not packed, and their lengths are in the header. */
function asFirstVersion(
  header: Struct,
  body: Uint8Array,
  unpackedBytes: number,
  leaf: LeafForm,
  unpack: Unpack,
): Uint8Array {
  const [definition, repetition] = [numberIn(header, 5), numberIn(header, 6)];
  const levels = definition + repetition;
  if (levels > Math.min(body.length, unpackedBytes)) throw new Error('the levels of a page are longer than the page');
  const [packed, valueBytes] = [body.subarray(levels), unpackedBytes - levels];
  const isPacked = header.get(7) !== false && valueBytes > 0;
  return Buffer.concat([
    ...(leaf.maxRepetition > 0 ? [lengthBytes(repetition), body.subarray(0, repetition)] : []),
    ...(leaf.maxDefinition > 0 ? [lengthBytes(definition), body.subarray(repetition, levels)] : []),
    isPacked ? unpack(packed, valueBytes) : packed,
  ]);
}

function dataHeader({ valueCount, bytes }: DataPage, encoding: number): Uint8Array {
  return headerOf(DATA_PAGE, bytes, [
    5,
    [
      [1, valueCount],
      [2, encoding],
      [3, RLE],
      [4, RLE],
    ],
  ]);
}

function headerOf(type: number, { length }: Uint8Array, fields: readonly [id: number, value: Fields]): Uint8Array {
  return Uint8Array.from(structBytes([[1, type], [2, length], [3, length], fields]));
}

function numberIn(struct: Struct, id: number): number {
  const value = struct.get(id);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31) return value;
  throw new Error('the header of a page lacks a number');
}

function structAt(struct: Struct, id: number): Struct {
  const value = struct.get(id);
  if (typeof value === 'object') return value;
  throw new Error('the header of a page is of another kind than the page');
}

/** Bytes of a file that were read last, ahead of those that are asked for. */
class Window {
  readonly #file: ParquetFile;
  readonly #end: number;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(file: ParquetFile, end: number) {
    this.#file = file;
    this.#end = end;
  }

  /** Returns bytes [start, start + byteLength), which stay as they are. */
  async bytes(start: number, byteLength: number): Promise<Uint8Array> {
    const end = start + byteLength;
    if (byteLength > WINDOW_BYTES) return this.#file.bytes(start, end);
    if (start < this.#start || end > this.#start + this.#bytes.length) {
      this.#bytes = await this.#file.bytes(start, Math.min(this.#end, start + WINDOW_BYTES));
      this.#start = start;
    }
    return this.#bytes.subarray(start - this.#start, end - this.#start);
  }
}
