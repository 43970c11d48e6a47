import type { ParquetType } from 'hyparquet';
import { type LeafForm, viewOf } from './page-check.ts';
import { NO_INDEX } from './runs.ts';

// Cells of a page, decoded one by one as they are asked for: an object for each of them would take more memory than it.

/** Cells of rows in sequence: values as they are stored, null where there is none. Arrays are such cells, too. */
export interface Cells {
  readonly length: number;
  at(row: number): unknown;
}

type ReadValue = (view: DataView, start: number, end: number) => unknown;

/** How plain values are read. Others have bits of their own, or are converted. */
const READERS: Partial<Record<ParquetType, ReadValue>> = {
  BYTE_ARRAY: bytesAt,
  FIXED_LEN_BYTE_ARRAY: bytesAt,
  INT32: (view, start) => view.getInt32(start, true),
  INT64: (view, start) => view.getBigInt64(start, true),
  FLOAT: (view, start) => view.getFloat32(start, true),
  DOUBLE: (view, start) => view.getFloat64(start, true),
};

/** Whether PlainCells reads the values of a leaf. */
export function isPlain({ type, valueBytes }: LeafForm): boolean {
  return READERS[type] !== undefined && (type === 'BYTE_ARRAY' || valueBytes > 0);
}

function bytesAt({ buffer, byteOffset }: DataView, start: number, end: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset + start, end - start);
}

/** Bytes before a text that say how many it has. */
const LENGTH_BYTES = 4;

/** Cells of which the values follow one another: texts after their lengths, and numbers. */
export class PlainCells implements Cells {
  readonly length: number;
  /** Of the values. */
  readonly byteLength: number;
  readonly #view: DataView;
  /** Where the value of each row ends, after that of the row before it; a row without one ends where that does. */
  readonly #ends: Uint32Array;
  readonly #headBytes: number;
  readonly #read: ReadValue;

  /** Takes `rowLimit` rows, or as many of them as are whole in `bytes`. */
  constructor({ type, valueBytes, maxDefinition }: LeafForm, bytes: Uint8Array, rowLimit: number, levels?: Uint8Array) {
    const ends = new Uint32Array(rowLimit);
    const view = viewOf(bytes);
    const isText = type === 'BYTE_ARRAY';
    let [row, end] = [0, 0];
    for (; row < rowLimit; row++) {
      if (levels === undefined || levels[row] === maxDefinition) {
        const next = end + (isText ? textBytesAt(view, end) : valueBytes);
        if (next > bytes.length) break;
        end = next;
      }
      ends[row] = end;
    }
    this.length = row;
    this.byteLength = end;
    this.#view = view;
    this.#ends = ends;
    this.#headBytes = isText ? LENGTH_BYTES : 0;
    this.#read = READERS[type]!;
  }

  at(row: number): unknown {
    const [start, end] = [row === 0 ? 0 : this.#ends[row - 1]!, this.#ends[row]!];
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

/** Cells whose values are in a dictionary. */
export class IndexedCells implements Cells {
  readonly length: number;
  readonly #indices: Uint32Array;
  readonly #dictionary: Cells;

  constructor(dictionary: Cells, indices: Uint32Array) {
    this.length = indices.length;
    this.#indices = indices;
    this.#dictionary = dictionary;
  }

  at(row: number): unknown {
    const index = this.#indices[row]!;
    if (index === NO_INDEX) return null;
    return index < this.#dictionary.length ? this.#dictionary.at(index) : undefined;
  }
}

/** Cells of a leaf, each in the structs around it. */
export class NestedCells implements Cells {
  readonly length: number;
  readonly #cells: Cells;
  readonly #levels: Uint8Array | undefined;
  readonly #path: readonly string[];
  readonly #areOptional: readonly boolean[];

  /** @param areOptional whether each node of the path may be null: a level for each that is not */
  constructor(cells: Cells, levels: Uint8Array | undefined, path: readonly string[], areOptional: readonly boolean[]) {
    this.length = cells.length;
    this.#cells = cells;
    this.#levels = levels;
    this.#path = path;
    this.#areOptional = areOptional;
  }

  at(row: number): unknown {
    return this.#nodeAt(row, 0, this.#levels?.[row] ?? 0);
  }

  #nodeAt(row: number, depth: number, level: number): unknown {
    const isOptional = this.#areOptional[depth]!;
    if (isOptional && level === 0) return null;
    if (depth === this.#path.length - 1) return this.#cells.at(row);
    return { [this.#path[depth + 1]!]: this.#nodeAt(row, depth + 1, level - (isOptional ? 1 : 0)) };
  }
}
