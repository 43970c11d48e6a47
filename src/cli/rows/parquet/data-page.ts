import type { Encoding } from 'hyparquet';
import { type Codec, NOT_PACKED } from './codecs.ts';
import { PageBytes } from './page-bytes.ts';
import { isPlain, PlainCells, plainBytesAt } from './page-cells.ts';
import { type LeafForm, mustBeDecodable, viewOf } from './page-check.ts';
import { DATA_PAGE, DATA_PAGE_V2, dataHeader, lengthBytes, PLAIN, RLE } from './page-header.ts';
import type { PageWindow } from './page-window.ts';
import { indicesIn, levelsIn } from './runs.ts';
import { tooLarge } from './sentence.ts';
import { numberIn, type Struct, structAt } from './thrift.ts';

/** Values of a page: more would take more memory than a run should. */
const VALUE_LIMIT = 1 << 22;

/** A larger page is unpacked in pieces, if it can be: DuckDB puts a whole row group in a page, up to 100 MB. */
const WHOLE_BYTES = 1 << 22;

/** Rows of plain cells at a time. */
const CELL_ROWS = 1 << 16;

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
const PLAIN_DICTIONARY = 2;
const RLE_DICTIONARY = 8;

/** Definition levels of rows, if they may have no value. */
type Levels = Uint8Array | undefined;

/** What a page of data holds, or a part of it. */
export type DataPart =
  | { readonly cells: PlainCells; readonly levels: Levels }
  /** The places of values in the dictionary. */
  | { readonly indices: Uint32Array; readonly levels: Levels }
  | Page;

/** A page for hyparquet to decode, which was unpacked and checked. */
export interface Page {
  readonly isDictionary: boolean;
  /** Values and nulls; entries of a dictionary. */
  readonly valueCount: number;
  /** The header of the same page without packing, and its bytes. */
  readonly header: Uint8Array;
  readonly bytes: Uint8Array;
}

/** Where the body of a page is, and its header. */
export interface PagePlace {
  readonly start: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly header: Struct;
}

/** What the header of a page of data says. */
interface DataHeader {
  /** Values and nulls. */
  readonly valueCount: number;
  readonly encoding: number;
  /** In a page of version 2, the bytes of levels, which come first and are not packed. */
  readonly levelBytes: { readonly repetition: number; readonly definition: number } | undefined;
  readonly isPacked: boolean;
}

/** Returns undefined for a page of another kind: a dictionary, an index. */
export function dataHeaderIn(header: Struct, leaf: LeafForm): DataHeader | undefined {
  const type = header.get(1);
  if (type !== DATA_PAGE && type !== DATA_PAGE_V2) return undefined;
  const data = type === DATA_PAGE ? firstHeader(structAt(header, 5), leaf) : secondHeader(structAt(header, 8), header);
  if (data.valueCount > VALUE_LIMIT) throw tooLarge(`it has a page of ${data.valueCount} values`);
  return data;
}

function firstHeader(struct: Struct, { maxDefinition, maxRepetition }: LeafForm): DataHeader {
  const isOld = (maxDefinition > 0 && struct.get(3) !== RLE) || (maxRepetition > 0 && struct.get(4) !== RLE);
  if (isOld) throw new Error('levels of a page are packed in a way that was given up');
  return { valueCount: numberIn(struct, 1), encoding: numberIn(struct, 2), levelBytes: undefined, isPacked: true };
}

function secondHeader(struct: Struct, header: Struct): DataHeader {
  const levelBytes = { definition: numberIn(struct, 5), repetition: numberIn(struct, 6) };
  const [unpackedBytes, levels] = [numberIn(header, 2), levelBytes.definition + levelBytes.repetition];
  if (levels > Math.min(unpackedBytes, numberIn(header, 3)))
    throw new Error('the levels of a page are longer than the page');
  const isPacked = struct.get(7) !== false && unpackedBytes > levels;
  return { valueCount: numberIn(struct, 1), encoding: numberIn(struct, 4), levelBytes, isPacked };
}

/** Yields what a page holds, each part valid until the next is asked for. */
export async function* dataParts(
  window: PageWindow,
  place: PagePlace,
  data: DataHeader,
  source: { readonly leaf: LeafForm; readonly codec: Codec; readonly isWhole: boolean },
): AsyncGenerator<DataPart> {
  const { leaf, codec, isWhole } = source;
  const isIndexed = data.encoding === PLAIN_DICTIONARY || data.encoding === RLE_DICTIONARY;
  if (isWhole || !(isIndexed || (data.encoding === PLAIN && isPlain(leaf))))
    return yield await pageAt(window, place, data, leaf, codec);
  const bytes = await valuesAt(window, place, data, codec);
  try {
    const levels = await levelsAt(window, place, data, leaf, bytes);
    if (isIndexed) yield { indices: await indicesOf(bytes, data, leaf, levels), levels };
    else yield* plainParts(bytes, data, leaf, levels);
    await bytes.end();
  } finally {
    await bytes.close();
  }
}

/** Returns the bytes from the levels on, or from the values on where the levels are not packed. */
async function valuesAt(window: PageWindow, place: PagePlace, data: DataHeader, codec: Codec): Promise<PageBytes> {
  const { repetition, definition } = data.levelBytes ?? { repetition: 0, definition: 0 };
  const levels = repetition + definition;
  const [start, packedBytes] = [place.start + levels, place.packedBytes - levels];
  const unpackedBytes = place.unpackedBytes - levels;
  const { unpack, unpackPieces } = data.isPacked ? codec : NOT_PACKED;
  if (Math.max(packedBytes, unpackedBytes) > WHOLE_BYTES && unpackPieces !== undefined)
    return new PageBytes(unpackPieces(window.pieces(start, packedBytes)), unpackedBytes);
  return new PageBytes(once(unpack(await window.bytes(start, packedBytes), unpackedBytes)), unpackedBytes);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function levelsAt(
  window: PageWindow,
  { start }: PagePlace,
  { levelBytes, valueCount }: DataHeader,
  { maxDefinition }: LeafForm,
  bytes: PageBytes,
): Promise<Levels> {
  if (maxDefinition === 0) return undefined;
  const levels =
    levelBytes === undefined
      ? await bytes.first(viewOf(await bytes.first(4)).getUint32(0, true))
      : await window.bytes(start + levelBytes.repetition, levelBytes.definition);
  return levelsIn(levels, maxDefinition, valueCount);
}

async function indicesOf(bytes: PageBytes, { valueCount }: DataHeader, { maxDefinition }: LeafForm, levels: Levels) {
  await bytes.waitForAll();
  return indicesIn(bytes.bytes, valueCount, maxDefinition, levels);
}

async function* plainParts(
  bytes: PageBytes,
  { valueCount }: DataHeader,
  leaf: LeafForm,
  levels: Levels,
): AsyncGenerator<DataPart> {
  for (let row = 0; row < valueCount; ) {
    const rowLimit = Math.min(valueCount - row, CELL_ROWS);
    const own = levels?.subarray(row, row + rowLimit);
    const cells = new PlainCells(leaf, bytes.bytes, rowLimit, own);
    bytes.pass(cells.byteLength);
    if (cells.length > 0) yield { cells, levels: own };
    if (cells.length < rowLimit) await bytes.wait(plainBytesAt(leaf, bytes.bytes));
    row += cells.length;
  }
}

/** Returns a page whole. One of version 2 is laid out as one of version 1. */
async function pageAt(
  window: PageWindow,
  { start, packedBytes, unpackedBytes }: PagePlace,
  { valueCount, encoding, levelBytes, isPacked }: DataHeader,
  leaf: LeafForm,
  codec: Codec,
): Promise<Page> {
  const body = await window.bytes(start, packedBytes);
  const { unpack } = isPacked ? codec : NOT_PACKED;
  const bytes =
    levelBytes === undefined
      ? unpack(body, unpackedBytes)
      : asFirstVersion(body, unpackedBytes, levelBytes, leaf, unpack);
  mustBeDecodable({ valueCount, encoding: ENCODINGS[encoding], bytes }, leaf);
  return { isDictionary: false, valueCount, bytes, header: dataHeader(valueCount, encoding, bytes) };
}

function asFirstVersion(
  body: Uint8Array,
  unpackedBytes: number,
  { repetition, definition }: NonNullable<DataHeader['levelBytes']>,
  leaf: LeafForm,
  unpack: Codec['unpack'],
): Uint8Array {
  const levels = repetition + definition;
  return Buffer.concat([
    ...(leaf.maxRepetition > 0 ? [lengthBytes(repetition), body.subarray(0, repetition)] : []),
    ...(leaf.maxDefinition > 0 ? [lengthBytes(definition), body.subarray(repetition, levels)] : []),
    unpack(body.subarray(levels), unpackedBytes - levels),
  ]);
}
