import type { FileOptions } from '../state.ts';
import type { HashedBlock } from './hashed-block.ts';

const LINE_FEED = 0x0a;
const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const SPACES = encoded('  ');

/** Before the hash of a record, after it, and in place of all three where there is none. */
const FIELDS = {
  csv: { before: encoded(','), after: encoded(''), none: encoded(',') },
  json: { before: encoded(',"urlsum":"'), after: encoded('"'), none: encoded(',"urlsum":null') },
} as const;

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** What the command writes for the rows [first, end) of a block. */
export function rowOutput(
  block: HashedBlock,
  options: FileOptions,
  first = 0,
  end = block.column.length,
): Uint8Array<ArrayBuffer> {
  const { column } = block;
  if (block.places !== undefined) return withFields(block, options, first, end);
  if (options.format === 'bin') return column.bytes.subarray(first * column.width, end * column.width);
  const output = new Output(block, first, end);
  for (let row = first; row < end; row++) {
    if (output.hasHash(row)) output.hex(row);
    if (options.format === 'text') output.bytes(SPACES);
    if (options.format === 'text') output.bytes(block.bytes, block.starts[row]!, block.ends[row]!);
    output.byte(LINE_FEED);
  }
  return output.taken;
}

/** The header of a table, with the name of the column that it gains. */
export function headerOutput(header: Uint8Array): Uint8Array<ArrayBuffer> {
  const lineEnd = /\r?\n$/.exec(new TextDecoder('latin1').decode(header))?.[0] ?? '';
  const column = encoded(`,urlsum${lineEnd || '\n'}`);
  const output = new Uint8Array(header.length - lineEnd.length + column.length);
  output.set(header.subarray(0, header.length - lineEnd.length));
  output.set(column, header.length - lineEnd.length);
  return output;
}

/** Records as they are, each with its hash at its place. */
function withFields(block: HashedBlock, { rows }: FileOptions, first: number, end: number): Uint8Array<ArrayBuffer> {
  const { bytes, starts, places, malformed } = block;
  const { before, after, none } = FIELDS[rows as 'csv' | 'json'];
  const output = new Output(block, first, end);
  const bytesEnd = starts[end] ?? bytes.length;
  let copied = starts[first] ?? bytesEnd;
  for (let row = first; row < end; row++) {
    const hasHash = output.hasHash(row);
    if (rows === 'json' && malformed.has(row)) continue; // it has no place
    output.bytes(bytes, copied, places![row]!);
    copied = places![row]!;
    output.bytes(hasHash ? before : none);
    if (hasHash) output.hex(row);
    if (hasHash) output.bytes(after);
  }
  output.bytes(bytes, copied, bytesEnd);
  if (bytesEnd > 0 && bytes[bytesEnd - 1] !== LINE_FEED) output.byte(LINE_FEED);
  return output.taken;
}

/** More than a row gains beside the digits of its hash. */
const GAINED_BYTES = 16;

/** Room for the output of some rows, which fills from its start. */
class Output {
  readonly #block: HashedBlock;
  readonly #room: Uint8Array<ArrayBuffer>;
  #length = 0;
  #nextInvalid: number;

  constructor(block: HashedBlock, first: number, end: number) {
    const { bytes, starts, column } = block;
    const textLength = (starts[end] ?? bytes.length) - (starts[first] ?? bytes.length);
    this.#block = block;
    this.#room = new Uint8Array(textLength + (end - first) * (2 * column.width + GAINED_BYTES) + 1);
    this.#nextInvalid = column.invalid.findIndex((row) => row >= first);
  }

  get taken(): Uint8Array<ArrayBuffer> {
    return this.#room.subarray(0, this.#length);
  }

  /** Asked once of each row, in order. */
  hasHash(row: number): boolean {
    if (this.#block.column.invalid[this.#nextInvalid] !== row) return true;
    this.#nextInvalid++;
    return false;
  }

  byte(value: number): void {
    this.#room[this.#length++] = value;
  }

  bytes(source: Uint8Array, start = 0, end = source.length): void {
    const room = this.#room; // in locals: fields of the class are read anew in each round
    let to = this.#length;
    for (let at = start; at < end; at++) room[to++] = source[at]!;
    this.#length = to;
  }

  hex(row: number): void {
    const { bytes, width } = this.#block.column;
    for (let at = row * width; at < (row + 1) * width; at++) {
      this.byte(DIGITS[bytes[at]! >> 4]!);
      this.byte(DIGITS[bytes[at]! & 15]!);
    }
  }
}
