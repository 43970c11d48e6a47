// Thrift's compact protocol, as far as headers of pages need it, integers, booleans, bytes and structs, and a footer's
// check.

/** The fields of a struct by number. Bytes are passed over. */
export type Struct = ReadonlyMap<number, Field>;
type Field = number | boolean | undefined | Struct;

/** Bytes of a number: more of them are damage. */
const VARINT_BYTES = 10;
/** Structs in structs: a header has two levels, and its statistics bytes and numbers alone. */
const DEPTH_LIMIT = 4;

const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/** The bytes end before the struct does. */
export class ThriftEndError extends Error {}

/** What is said of bytes that end too early, and of a number with more than VARINT_BYTES. */
interface Messages {
  readonly end: string;
  readonly long: string;
}

const OF_HEADER: Messages = { end: 'it has no end', long: 'a number is too long' };
const OF_FOOTER: Messages = { end: 'its footer has no end', long: 'a number of its footer is too long' };

/** Reads bytes and numbers, one after another. */
class CompactReader {
  /** Where the next is. */
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #messages: Messages;

  constructor(bytes: Uint8Array, messages: Messages) {
    this.#bytes = bytes;
    this.#messages = messages;
  }

  /** Bytes that were not read. */
  get rest(): number {
    return this.#bytes.length - this.at;
  }

  byte(): number {
    if (this.rest <= 0) throw new ThriftEndError(this.#messages.end);
    return this.#bytes[this.at++]!;
  }

  varint(): number {
    let [value, factor] = [0, 1];
    for (let count = 0; count < VARINT_BYTES; count++, factor *= 128) {
      const next = this.byte();
      value += (next & 127) * factor;
      if (next < 128) return value;
    }
    throw new Error(this.#messages.long);
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

/** Reads a struct at the beginning of `bytes`. @throws {ThriftEndError}, or another error where it is none */
export function readStruct(bytes: Uint8Array): { readonly struct: Struct; readonly byteLength: number } {
  const reader = new CompactReader(bytes, OF_HEADER);
  const field = (type: number, depth: number): Field => {
    if (type === TRUE || type === FALSE) return type === TRUE;
    if (type === BYTE) return reader.byte();
    if (type > BYTE && type <= I64) return reader.signed();
    if (type === STRUCT && depth < DEPTH_LIMIT) return structIn(depth + 1);
    if (type !== DOUBLE && type !== BINARY) throw new Error(`a field has the type ${type}`);
    const byteLength = type === DOUBLE ? 8 : reader.varint();
    reader.at += byteLength;
    return undefined;
  };
  const structIn = (depth: number): Struct => {
    const fields = new Map<number, Field>();
    for (let id = 0, head = reader.byte(); head !== 0; head = reader.byte()) {
      id = head >> 4 === 0 ? reader.signed() : id + (head >> 4);
      fields.set(id, field(head & 15, depth));
    }
    return fields;
  };
  return { struct: structIn(0), byteLength: reader.at };
}

/** @throws where the field is not an unsigned integer of 31 bits */
export function numberIn(struct: Struct, id: number): number {
  const value = struct.get(id);
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 31) return value;
  throw new Error('the header of a page lacks a number');
}

export function structAt(struct: Struct, id: number): Struct {
  const value = struct.get(id);
  if (typeof value === 'object') return value;
  throw new Error('the header of a page is of another kind than the page');
}

/** Structs and lists in each other: a footer has eight levels. */
const FOOTER_DEPTH_LIMIT = 32;

/**
 * Checks that a struct is at the beginning of a footer, before hyparquet reads it: that takes the square of the time for
 * a number of many bytes, and calls itself for each struct in another.
 *
 * @throws where it is none
 */
export function mustBeStruct(footer: Uint8Array): void {
  const reader = new CompactReader(footer, OF_FOOTER);
  const passBytes = (count: number) => {
    if (count > reader.rest) throw new ThriftEndError('a part of its footer is longer than it');
    reader.at += count;
  };
  const passList = (depth: number) => {
    const head = reader.byte();
    const count = head >> 4 === 15 ? reader.varint() : head >> 4;
    const type = head & 15;
    if (type === TRUE || type === FALSE) return passBytes(count);
    for (let index = 0; index < count; index++) pass(type, depth);
  };
  const pass = (type: number, depth: number): void => {
    if (depth > FOOTER_DEPTH_LIMIT) throw new Error('its footer is too deep');
    if (type === BYTE) passBytes(1);
    else if (type > BYTE && type <= I64) reader.varint();
    else if (type === DOUBLE) passBytes(8);
    else if (type === BINARY) passBytes(reader.varint());
    else if (type === LIST) passList(depth + 1);
    else if (type === STRUCT) passStruct(depth + 1);
    else if (type !== TRUE && type !== FALSE) throw new Error(`a field of its footer has the type ${type}`);
  };
  const passStruct = (depth: number) => {
    for (let head = reader.byte(); head !== 0; head = reader.byte()) {
      if (head >> 4 === 0) reader.varint();
      pass(head & 15, depth);
    }
  };
  passStruct(0);
}
