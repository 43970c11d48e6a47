import { type ByteInput, fill } from './byte-stream.ts';
import { ServeError } from './error.ts';
import { BYTE_LIMIT, type Rows } from './rows.ts';

const HEADER_WORDS = 2;
const ROW_LIMIT = 1 << 20;
const FIRST_BYTES = 1 << 16;
/** Memory for requests that is kept: a larger request's is given back. */
const KEPT_BYTES = 1 << 24;

/**
 * Reads requests: row count, byte count, offsets, data. Typed arrays of memory are little-endian, as the protocol is.
 */
export class FrameRequests {
  readonly #input: ByteInput;
  readonly #header = new Uint32Array(HEADER_WORDS);
  #body = new Uint8Array(FIRST_BYTES);

  constructor(input: ByteInput) {
    this.#input = input;
  }

  /**
   * The rows of the next request, good until the one after it; undefined where the input has ended.
   *
   * @throws {ServeError} on a request that is cut, too large or inconsistent
   */
  next(): Rows | undefined {
    const header = new Uint8Array(this.#header.buffer);
    const read = fill(this.#input, header);
    if (read === 0) return undefined;
    mustBeWhole(read, header.length, 'header');
    return this.#rows(this.#header[0]!, this.#header[1]!);
  }

  #rows(rowCount: number, byteLength: number): Rows {
    mustBeInLimits(rowCount, byteLength);
    const dataStart = 4 * (rowCount + 1);
    const body = this.#room(dataStart + byteLength);
    mustBeWhole(fill(this.#input, body), body.length, 'body');
    const offsets = new Uint32Array(body.buffer, 0, rowCount + 1);
    startAtZero(offsets, byteLength);
    return { bytes: body.subarray(dataStart), offsets };
  }

  #room(byteLength: number): Uint8Array<ArrayBuffer> {
    if (byteLength > this.#body.length || this.#body.length > KEPT_BYTES)
      this.#body = new Uint8Array(Math.max(byteLength, FIRST_BYTES));
    return this.#body.subarray(0, byteLength);
  }
}

function mustBeWhole(read: number, byteLength: number, part: string): void {
  if (read === byteLength) return;
  throw new ServeError(`the input ended inside a request, after ${read} of the ${byteLength} bytes of its ${part}`);
}

function mustBeInLimits(rowCount: number, byteLength: number): void {
  if (rowCount > ROW_LIMIT) throw new ServeError(`a request has ${rowCount} rows, more than ${ROW_LIMIT}`);
  if (byteLength > BYTE_LIMIT)
    throw new ServeError(`a request has ${byteLength} bytes of data, more than ${BYTE_LIMIT}`);
}

/** The offsets of a slice of an Arrow array begin anywhere. */
function startAtZero(offsets: Uint32Array, byteLength: number): void {
  const first = offsets[0]!;
  const span = offsets[offsets.length - 1]! - first;
  if (span !== byteLength)
    throw new ServeError(`the offsets of a request span ${span} bytes, its data has ${byteLength}`);
  offsets[0] = 0;
  for (let row = 1; row < offsets.length; row++) {
    const offset = offsets[row]! - first;
    if (offset < offsets[row - 1]!) throw new ServeError(`the offsets of a request descend in row ${row - 1}`);
    offsets[row] = offset;
  }
}
