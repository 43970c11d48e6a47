import { ListError } from '../error.ts';
import type { SecondsAndNanos } from './duration.ts';
import { BinaryReader, create, type Duration, DurationSchema, mergeFromBinary, WireType } from './protobuf.ts';

// SearchHashesResponse where it lies: a server decides how many hashes and details it has, and most of them may be of
// no use. Objects are made by who reads it, of what it wants.

/** Numbers of fields: SearchHashesResponse. */
const FULL_HASHES = 1;
const CACHE_DURATION = 2;
/** FullHash. */
const FULL_HASH = 1;
const FULL_HASH_DETAILS = 2;
/** FullHashDetail. */
const THREAT_TYPE = 1;
const ATTRIBUTES = 2;

/**
 * Shows each full hash and the message that it is in. Where a field is there twice the last one counts, as in the
 * library.
 *
 * @param visit is called with views of `bytes`
 * @returns the cache duration; undefined where there is none
 * @throws on what is not such a message
 */
export function eachFullHash(
  bytes: Uint8Array,
  visit: (hash: Uint8Array, message: Uint8Array) => void,
): SecondsAndNanos | undefined {
  let duration: Duration | undefined;
  eachField(bytes, (number, wireType, reader) => {
    if (number === FULL_HASHES) {
      const message = bytesNext(reader, wireType);
      visit(hashIn(message), message);
    } else if (number === CACHE_DURATION) {
      duration = mergeFromBinary(DurationSchema, duration ?? create(DurationSchema), bytesNext(reader, wireType));
    } else reader.skip(wireType, number);
  });
  return duration;
}

/** Shows the threat type and the attributes, by their numbers, of each detail of a FullHash. */
export function eachDetail(message: Uint8Array, visit: (threatType: number, attributes: number[]) => void): void {
  eachField(message, (number, wireType, reader) => {
    if (number !== FULL_HASH_DETAILS) {
      reader.skip(wireType, number);
      return;
    }
    let threatType = 0;
    const attributes: number[] = [];
    eachField(bytesNext(reader, wireType), (field, type, detail) => {
      if (field === THREAT_TYPE && type === WireType.Varint) threatType = detail.int32();
      else if (field === ATTRIBUTES) addNumbers(attributes, detail, type);
      else detail.skip(type, field);
    });
    visit(threatType, attributes);
  });
}

function hashIn(message: Uint8Array): Uint8Array {
  let hash: Uint8Array = new Uint8Array(0);
  eachField(message, (number, wireType, reader) => {
    if (number === FULL_HASH) hash = bytesNext(reader, wireType);
    else reader.skip(wireType, number);
  });
  return hash;
}

/** Packed or one by one: both occur (protobuf.dev/programming-guides/encoding#packed). */
function addNumbers(numbers: number[], reader: BinaryReader, wireType: WireType): void {
  if (wireType === WireType.Varint) numbers.push(reader.int32());
  else {
    const packed = new BinaryReader(bytesNext(reader, wireType));
    while (packed.pos < packed.len) numbers.push(packed.int32());
  }
}

function eachField(bytes: Uint8Array, visit: (number: number, wireType: WireType, reader: BinaryReader) => void): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    visit(number, wireType, reader);
  }
}

function bytesNext(reader: BinaryReader, wireType: WireType): Uint8Array {
  if (wireType === WireType.LengthDelimited) return reader.bytes();
  throw new ListError('message', 'message', `a field that holds bytes has the wire type ${wireType}`);
}
