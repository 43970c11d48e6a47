import { Deltas, DeltaTexts } from './deltas.ts';
import { type Cells, IndexedCells, indicesOf, PlainCells } from './page-cells.ts';
import { NO_WIDTH, Runs } from './runs.ts';
import type { LeafForm } from './schema.ts';
import { tooLarge } from './sentence.ts';

/** Entries that are decoded at a time. */
export const PART_ENTRIES = 1 << 16;

/** Encodings. */
export const PLAIN = 0;
const PLAIN_DICTIONARY = 2;
export const RLE = 3;
const DELTA_BINARY_PACKED = 5;
const DELTA_LENGTH_BYTE_ARRAY = 6;
const DELTA_BYTE_ARRAY = 7;
const RLE_DICTIONARY = 8;
const BYTE_STREAM_SPLIT = 9;

interface PageForm {
  readonly encoding: number;
  /** Values and nulls. */
  readonly valueCount: number;
}

/** Values, and the places among them of those that come next. */
interface Values {
  readonly cells: Cells;
  next(indices: Uint32Array): void;
}

/** Returns the function that decodes the next entries of a page. Without values, there may be no bytes for them. */
export function decoderOf(bytes: Uint8Array, page: PageForm, leaf: LeafForm, dictionary: Cells | undefined) {
  let values: Values | undefined;
  const read = (indices: Uint32Array) => {
    if (indices.length === 0) return;
    values ??= valuesIn(bytes, page, leaf, dictionary);
    values.next(indices);
  };
  return (length: number, definitions: Uint8Array | undefined) => {
    const indices = indicesOf(read, leaf, length, definitions);
    return new IndexedCells(values?.cells ?? [], indices);
  };
}

/** @throws where the page is damaged, or encoded in another way */
function valuesIn(
  bytes: Uint8Array,
  { encoding, valueCount }: PageForm,
  leaf: LeafForm,
  dictionary: Cells | undefined,
): Values {
  const ofRuns = (cells: Cells, runs: Runs): Values => ({ cells, next: (indices) => void runs.read(indices) });
  if (encoding === PLAIN_DICTIONARY || encoding === RLE_DICTIONARY) {
    if (dictionary === undefined) throw new Error('a column has no dictionary');
    return ofRuns(dictionary, new Runs(bytes, 1, bytes[0] ?? NO_WIDTH, valueCount));
  }
  const { type, valueBytes } = leaf;
  if (type === 'BOOLEAN' && encoding === PLAIN) return ofRuns(BOOLEANS, Runs.packed(bytes, 1, valueCount));
  if (type === 'BOOLEAN' && encoding === RLE) return ofRuns(BOOLEANS, new Runs(bytes, 4, 1, valueCount));
  if (encoding === DELTA_BINARY_PACKED && (type === 'INT32' || type === 'INT64'))
    return integersIn(new Deltas(bytes, 0), new (type === 'INT32' ? Int32Array : BigInt64Array)(PART_ENTRIES));
  const hasPrefixes = encoding === DELTA_BYTE_ARRAY;
  if (type.endsWith('BYTE_ARRAY') && (hasPrefixes || encoding === DELTA_LENGTH_BYTE_ARRAY)) {
    if (valueCount > LENGTHS_LIMIT) throw tooLarge(`it has a page of ${valueCount} values`);
    return inSequence(new DeltaTexts(bytes, hasPrefixes, valueCount));
  }
  if (encoding === BYTE_STREAM_SPLIT && valueBytes > 0) return inSequence(joinedStreams(bytes, leaf));
  throw new Error(`a page has the encoding ${encoding}`);
}

const BOOLEANS: Cells = [false, true];

/** Texts of a page after their lengths, which are kept: more would take more memory than a run should. */
const LENGTHS_LIMIT = 1 << 22;

function inSequence(cells: Cells): Values {
  let place = 0;
  const next = (indices: Uint32Array) => {
    for (let index = 0; index < indices.length; index++) indices[index] = place++;
  };
  return { cells, next };
}

/** Decodes integers when they are asked for, always into the same memory. */
function integersIn(deltas: Deltas, memory: Int32Array | BigInt64Array): Values {
  const next = (indices: Uint32Array) => {
    deltas.read(memory.subarray(0, indices.length));
    inSequence(memory).next(indices);
  };
  return { cells: memory, next };
}

/** Puts values together of which the first bytes come first, then the second ones, and so on. */
function joinedStreams(bytes: Uint8Array, leaf: LeafForm): PlainCells {
  const { valueBytes } = leaf;
  const count = Math.floor(bytes.length / valueBytes);
  const plain = new Uint8Array(count * valueBytes);
  for (let stream = 0, from = 0; stream < valueBytes; stream++)
    for (let to = stream; to < plain.length; to += valueBytes) plain[to] = bytes[from++]!;
  return new PlainCells(leaf, plain, count);
}
