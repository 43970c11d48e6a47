import { type Codec, NOT_PACKED } from './codecs.ts';
import { PageBytes } from './page-bytes.ts';
import { type Cells, isPlain, PlainCells, plainBytesAt, viewOf } from './page-cells.ts';
import { decoderOf, PART_ENTRIES, PLAIN, RLE } from './page-values.ts';
import type { PageWindow } from './page-window.ts';
import { Runs } from './runs.ts';
import type { LeafForm } from './schema.ts';
import { numberIn, type Struct, structAt } from './thrift.ts';

/** The kinds of pages of data. */
const DATA_PAGE = 0;
const DATA_PAGE_V2 = 3;

/** A larger page is unpacked in pieces, if it can be: DuckDB puts a whole row group in a page, up to 100 MB. */
const WHOLE_BYTES = 1 << 22;

/** Levels of entries, if the column has such. */
type Levels = Uint8Array | undefined;

/** Entries of a leaf that follow one another. */
export interface Part {
  readonly cells: Cells;
  /** Which nodes of the path to the leaf have a value: at `maxDefinition`, all of them. */
  readonly definitions: Levels;
  /** Which list an entry continues: at 0, none, and a row begins. */
  readonly repetitions: Levels;
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
  return type === DATA_PAGE ? firstHeader(structAt(header, 5), leaf) : secondHeader(structAt(header, 8), header);
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
  const isPacked = struct.get(7) !== false;
  return { valueCount: numberIn(struct, 1), encoding: numberIn(struct, 4), levelBytes, isPacked };
}

interface PageCoding {
  readonly leaf: LeafForm;
  readonly codec: Codec;
  readonly dictionary: Cells | undefined;
}

/** Yields what a page holds, each part valid until the next is asked for. */
export async function* dataParts(
  window: PageWindow,
  place: PagePlace,
  data: DataHeader,
  { leaf, codec, dictionary }: PageCoding,
): AsyncGenerator<Part> {
  const bytes = await valuesAt(window, place, data, codec);
  try {
    const runs = await levelsAt(window, place, data, leaf, bytes);
    const isPieced = data.encoding === PLAIN && isPlain(leaf);
    if (!isPieced) await bytes.waitForAll();
    const decode = isPieced ? undefined : decoderOf(bytes.bytes, data, leaf, dictionary);
    for (let seen = 0, length = 0; seen < data.valueCount; seen += length) {
      length = Math.min(data.valueCount - seen, PART_ENTRIES);
      const levels = {
        definitions: runs.definitions?.read(new Uint8Array(length)),
        repetitions: runs.repetitions?.read(new Uint8Array(length)),
      };
      if (decode === undefined) yield* plainParts(bytes, leaf, length, levels);
      else yield { cells: decode(length, levels.definitions), ...levels };
    }
    await bytes.end();
  } finally {
    await bytes.close();
  }
}

/** Finds the levels: each after its length, or in a page of version 2, where the header says. */
async function levelsAt(
  window: PageWindow,
  { start }: PagePlace,
  { levelBytes, valueCount }: DataHeader,
  { maxRepetition, maxDefinition }: LeafForm,
  bytes: PageBytes,
) {
  const runsOf = async (max: number, at: number, byteLength = 0) => {
    if (max === 0) return undefined;
    const levels =
      levelBytes === undefined
        ? await bytes.first(viewOf(await bytes.first(4)).getUint32(0, true))
        : await window.bytes(at, byteLength);
    return new Runs(Uint8Array.from(levels), 0, 32 - Math.clz32(max), valueCount);
  };
  const repetitions = await runsOf(maxRepetition, start, levelBytes?.repetition);
  const definitions = await runsOf(maxDefinition, start + (levelBytes?.repetition ?? 0), levelBytes?.definition);
  return { repetitions, definitions };
}

/** Returns the bytes from the levels on, or from the values on where the levels are not packed. */
async function valuesAt(window: PageWindow, place: PagePlace, data: DataHeader, codec: Codec): Promise<PageBytes> {
  const { repetition, definition } = data.levelBytes ?? { repetition: 0, definition: 0 };
  const levels = repetition + definition;
  const start = place.start + levels;
  const [packedBytes, unpackedBytes] = [place.packedBytes - levels, place.unpackedBytes - levels];
  const { unpack, unpackPieces } = data.isPacked ? codec : NOT_PACKED;
  if (Math.max(packedBytes, unpackedBytes) > WHOLE_BYTES && unpackPieces !== undefined)
    return new PageBytes(unpackPieces(window.pieces(start, packedBytes)), unpackedBytes);
  return new PageBytes(once(unpack(await window.bytes(start, packedBytes), unpackedBytes)), unpackedBytes);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

/** Yields `length` entries of plain values, as many at a time as have been unpacked. */
async function* plainParts(
  bytes: PageBytes,
  leaf: LeafForm,
  length: number,
  { definitions, repetitions }: Pick<Part, 'definitions' | 'repetitions'>,
): AsyncGenerator<Part> {
  for (let at = 0; at < length; ) {
    const own = definitions?.subarray(at);
    const cells = new PlainCells(leaf, bytes.bytes, length - at, own);
    bytes.pass(cells.byteLength);
    const end = at + cells.length;
    if (end > at)
      yield { cells, definitions: own?.subarray(0, cells.length), repetitions: repetitions?.subarray(at, end) };
    if (end < length) await bytes.wait(plainBytesAt(leaf, bytes.bytes));
    at = end;
  }
}
