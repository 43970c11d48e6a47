import type { ParquetType } from 'hyparquet';
import type { LeafForm } from './schema.ts';

// Cells of a page, decoded one by one as they are asked for: an object for each of them would take more memory than it.

/**
 * The entries of a column in sequence, one for each row or for each element of a list: values as they are stored, null
 * where there is none, undefined where the file lacks it. Arrays are such cells, too.
 */
export interface Cells {
  readonly length: number;
  at(entry: number): unknown;
}

type ReadValue = (view: DataView, start: number, end: number) => unknown;

/** How plain values are read. Booleans are bits. */
const READERS: Partial<Record<ParquetType, ReadValue>> = {
  BYTE_ARRAY: bytesAt,
  FIXED_LEN_BYTE_ARRAY: bytesAt,
  INT32: (view, start) => view.getInt32(start, true),
  INT64: (view, start) => view.getBigInt64(start, true),
  FLOAT: (view, start) => view.getFloat32(start, true),
  DOUBLE: (view, start) => view.getFloat64(start, true),
  INT96: nanosecondsAt,
};

/** Whether PlainCells reads the values of a leaf. */
export function isPlain({ type, valueBytes }: LeafForm): boolean {
  return READERS[type] !== undefined && (type === 'BYTE_ARRAY' || valueBytes > 0);
}

function bytesAt({ buffer, byteOffset }: DataView, start: number, end: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset + start, end - start);
}

/** Reads a time: nanoseconds of a day, and the number of a Julian day. */
function nanosecondsAt(view: DataView, start: number): bigint {
  return view.getBigInt64(start, true) + DAY_NANOSECONDS * BigInt(view.getInt32(start + 8, true) - DAY_OF_1970);
}

const DAY_NANOSECONDS = 86_400_000_000_000n;
const DAY_OF_1970 = 2_440_588;

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Bytes before a text that say how many it has. */
const LENGTH_BYTES = 4;

/** Cells of which the values follow one another: texts after their lengths, and numbers. */
export class PlainCells implements Cells {
  readonly length: number;
  /** Of the values. */
  readonly byteLength: number;
  readonly #view: DataView;
  /** Where the value of each entry ends, after that of the one before it; without one, where that does. */
  readonly #ends: Uint32Array;
  readonly #headBytes: number;
  readonly #read: ReadValue;

  /** Takes `limit` entries, or as many of them as are whole in `bytes`. */
  constructor({ type, valueBytes, maxDefinition }: LeafForm, bytes: Uint8Array, limit: number, levels?: Uint8Array) {
    const ends = new Uint32Array(limit);
    const view = viewOf(bytes);
    const isText = type === 'BYTE_ARRAY';
    let [entry, end] = [0, 0];
    for (; entry < limit; entry++) {
      if (levels === undefined || levels[entry] === maxDefinition) {
        const next = end + (isText ? textBytesAt(view, end) : valueBytes);
        if (next > bytes.length) break;
        end = next;
      }
      ends[entry] = end;
    }
    this.length = entry;
    this.byteLength = end;
    this.#view = view;
    this.#ends = ends;
    this.#headBytes = isText ? LENGTH_BYTES : 0;
    this.#read = READERS[type]!;
  }

  at(entry: number): unknown {
    const [start, end] = [entry === 0 ? 0 : this.#ends[entry - 1]!, this.#ends[entry]!];
    return start === end ? null : this.#read(this.#view, start + this.#headBytes, end);
  }
}

/** Returns the bytes of a text and its length, or those that are needed to tell. */
function textBytesAt(view: DataView, start: number): number {
  return LENGTH_BYTES + (start + LENGTH_BYTES > view.byteLength ? 0 : view.getUint32(start, true));
}

/** Returns the bytes that the value at the beginning of `bytes` has, or those that are needed to tell. */
export function plainBytesAt({ type, valueBytes }: LeafForm, bytes: Uint8Array): number {
  return type === 'BYTE_ARRAY' ? textBytesAt(viewOf(bytes), 0) : valueBytes;
}

/** The place of an entry without a value. */
const NO_INDEX = 0xffffffff;

/** Cells whose values are elsewhere, in a dictionary for example. */
export class IndexedCells implements Cells {
  readonly length: number;
  readonly #indices: Uint32Array;
  readonly #values: Cells;

  constructor(values: Cells, indices: Uint32Array) {
    this.length = indices.length;
    this.#indices = indices;
    this.#values = values;
  }

  at(entry: number): unknown {
    const index = this.#indices[entry]!;
    if (index === NO_INDEX) return null;
    return index < this.#values.length ? this.#values.at(index) : undefined;
  }
}

/** Returns a place for each entry: NO_INDEX, or if it has a value, the next of those that `read` fills memory with. */
export function indicesOf(
  read: (indices: Uint32Array) => void,
  { maxDefinition }: LeafForm,
  entryCount: number,
  definitions: Uint8Array | undefined,
): Uint32Array {
  const indices = new Uint32Array(entryCount);
  const count = presentCount(entryCount, maxDefinition, definitions);
  read(indices.subarray(0, count));
  if (count === entryCount) return indices;
  for (let entry = entryCount - 1, next = count - 1; entry >= 0; entry--)
    indices[entry] = definitions![entry] === maxDefinition ? indices[next--]! : NO_INDEX;
  return indices;
}

/** Counts the entries with a value: those of the highest level. */
export function presentCount(entryCount: number, maxDefinition: number, definitions: Uint8Array | undefined): number {
  if (definitions === undefined) return entryCount;
  let count = 0;
  for (const level of definitions) if (level === maxDefinition) count++;
  return count;
}
