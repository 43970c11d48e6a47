import { asciiBytes, decodeLine } from '../../core/bytes/text.ts';
import { type Column, validityOf } from '../../core/digest/column.ts';
import { fill, type ReadSome } from '../../store/files.ts';
import { BYTE_LIMIT, OUTPUTS, type Output, type Rows } from '../../tables/outputs.ts';
import { requestFault } from '../fault.ts';

// docs/serve.md draws the protocol.

/** Opens the output that options choose, which are written as on a command line, without `--format`. */
export type OpenOutput = (args: readonly string[]) => Output;

const MAGIC = 'urlsum';
const PROTOCOL_VERSION = 1;

const HEADER_WORDS = 2;
const ROW_LIMIT = 1 << 20;
/** The row count of a request whose data is not rows but the options of the requests after it. */
const OPTIONS = 0xffff_ffff;
const OPTIONS_BYTE_LIMIT = 1 << 20;
/** The outputs that are kept for requests that choose them again. */
const KEPT_OUTPUTS = 64;
const FIRST_BYTES = 1 << 16;
/** The memory for requests that is kept: a larger request's is given back. */
const KEPT_BYTES = 1 << 24;

/**
 * Sends the greeting, then answers requests until the input ends. `open` gives the output that other options choose.
 *
 * @throws {Fault} on a request that cannot be answered
 */
export function serveFrames(read: ReadSome, write: (bytes: Uint8Array) => void, first: Output, open: OpenOutput): void {
  const requests = new FrameRequests(read);
  const opened = new Map<string, Output>();
  let served = first;
  write(greeting(served));
  for (let asked = requests.next(); asked !== undefined; asked = requests.next()) {
    if (typeof asked === 'string') {
      served = opened.get(asked) ?? open(asked === '' ? [] : asked.split('\0'));
      if (opened.size === KEPT_OUTPUTS) opened.clear();
      opened.set(asked, served);
      write(greeting(served));
    } else {
      for (const piece of frameAnswer(served.column(asked))) write(piece);
    }
  }
}

function greeting({ name, width, profile }: Output): Uint8Array {
  const bytes = new Uint8Array(12 + profile.length);
  const view = new DataView(bytes.buffer);
  bytes.set(asciiBytes(MAGIC));
  view.setUint16(6, PROTOCOL_VERSION, true);
  view.setUint8(8, Object.keys(OUTPUTS).indexOf(name));
  view.setUint8(9, width);
  view.setUint16(10, profile.length, true);
  bytes.set(asciiBytes(profile), 12);
  return bytes;
}

/**
 * Reads requests: row count, byte count, offsets, data. Typed arrays of memory are little-endian, as the protocol is.
 */
class FrameRequests {
  readonly #readSome: ReadSome;
  readonly #header = new Uint32Array(HEADER_WORDS);
  #body = new Uint8Array(FIRST_BYTES);

  constructor(read: ReadSome) {
    this.#readSome = read;
  }

  /**
   * Returns the rows of the next request, valid until the one after it; or the options that it chooses, with NUL between
   * them; or undefined if the input has ended.
   *
   * @throws {Fault} on a request that is truncated, too large or inconsistent
   */
  next(): Rows | string | undefined {
    const header = new Uint8Array(this.#header.buffer);
    const read = fill(header, this.#readSome);
    if (read === 0) return undefined;
    mustBeWhole(read, header.length, 'header');
    const [rowCount, byteLength] = [this.#header[0]!, this.#header[1]!];
    const hasOptions = rowCount === OPTIONS && byteLength <= OPTIONS_BYTE_LIMIT;
    return hasOptions ? decodeLine(this.#read(byteLength)) : this.#rows(rowCount, byteLength);
  }

  #rows(rowCount: number, byteLength: number): Rows {
    mustBeInLimits(rowCount, byteLength);
    const dataStart = 4 * (rowCount + 1);
    const body = this.#read(dataStart + byteLength);
    const offsets = new Uint32Array(body.buffer, 0, rowCount + 1);
    startAtZero(offsets, byteLength);
    return { bytes: body.subarray(dataStart), offsets };
  }

  #read(byteLength: number): Uint8Array<ArrayBuffer> {
    const body = this.#room(byteLength);
    mustBeWhole(fill(body, this.#readSome), byteLength, 'body');
    return body;
  }

  #room(byteLength: number): Uint8Array<ArrayBuffer> {
    if (byteLength > this.#body.length || this.#body.length > KEPT_BYTES)
      this.#body = new Uint8Array(Math.max(byteLength, FIRST_BYTES));
    return this.#body.subarray(0, byteLength);
  }
}

function mustBeWhole(read: number, byteLength: number, part: string): void {
  if (read === byteLength) return;
  throw requestFault(`the input ended inside a request, after ${read} of the ${byteLength} bytes of its ${part}`);
}

function mustBeInLimits(rowCount: number, byteLength: number): void {
  if (rowCount > ROW_LIMIT) throw requestFault(`a request has ${rowCount} rows, more than ${ROW_LIMIT}`);
  if (byteLength > BYTE_LIMIT) throw requestFault(`a request has ${byteLength} bytes of data, more than ${BYTE_LIMIT}`);
}

/** Makes offsets begin at 0: those of a slice of an Arrow array begin anywhere. */
function startAtZero(offsets: Uint32Array, byteLength: number): void {
  const first = offsets[0]!;
  const span = offsets[offsets.length - 1]! - first;
  if (span !== byteLength)
    throw requestFault(`the offsets of a request span ${span} bytes, its data has ${byteLength}`);
  offsets[0] = 0;
  for (let row = 1; row < offsets.length; row++) {
    const offset = offsets[row]! - first;
    if (offset < offsets[row - 1]!) throw requestFault(`the offsets of a request descend in row ${row - 1}`);
    offsets[row] = offset;
  }
}

/** Returns the answer to a request, in pieces: row count and byte count, offsets if rows vary; values; validity. */
function frameAnswer(column: Column): readonly Uint8Array[] {
  const { length, bytes, offsets } = column;
  const head = new Uint32Array(HEADER_WORDS + (offsets?.length ?? 0));
  head[0] = length;
  head[1] = bytes.length;
  if (offsets !== undefined) head.set(offsets, HEADER_WORDS);
  return [new Uint8Array(head.buffer), bytes, validityOf(column)];
}
