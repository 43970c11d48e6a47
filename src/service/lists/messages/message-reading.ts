import { mustBeBytes } from '../../../core/argument.ts';
import { ListError } from '../error.ts';
import { BinaryReader, type DescMessage, fromBinary, WireType } from './protobuf.ts';

// The part of messages that a client needs. It is apart from MessageFormat, so that a bundle that only decodes leaves
// out the library's JSON and its writer: a fifth of it.

/** Reads a message from its fields. */
export interface Reading<T, Fields> {
  /** Called at first use. */
  descriptor(): DescMessage;
  /** Limits that are checked before anything is decoded. Default: none. */
  readonly limits?: FieldLimits;
  /** @throws {ListError} where the fields cannot be what their sender meant */
  read(fields: Fields): T;
  /** Replaces the library and `read` for bytes. @throws {ListError} as `read` does */
  readBytes?(bytes: Uint8Array): T;
}

/** Longer messages are cut: the library quotes values of any length. */
const MAX_MESSAGE_LENGTH = 200;

/**
 * Decodes a message in protobuf that keeps to `limits`.
 *
 * @throws {TypeError} on anything but a Uint8Array
 * @throws {ListError} where it is not such a message, or cannot be what its sender meant
 */
export function decodeMessage<T>(reading: Reading<T, never>, limits: FieldLimits, bytes: Uint8Array): T {
  mustBeBytes('bytes', bytes);
  const { descriptor, read, readBytes } = reading;
  if (readBytes !== undefined) return refused(descriptor, () => readBytes(bytes), bytesProblem);
  const fields = refused(
    descriptor,
    () => {
      mustBeWithin(limits, bytes);
      return fromBinary(descriptor(), bytes, { readUnknownFields: false });
    },
    bytesProblem,
  );
  return read(fields as never);
}

/** The library's own words for bytes speak of its reader: "cant skip wire type 4". */
function bytesProblem(error: unknown): string {
  return error instanceof RangeError ? 'it ends inside a field' : 'its bytes are not fields of protobuf';
}

function jsonProblem(error: unknown): string {
  return String(Object(error).message).slice(0, MAX_MESSAGE_LENGTH);
}

/** Turns the library's errors, which have several classes, into one. */
export function refused<R>(descriptor: () => DescMessage, work: () => R, problemOf = jsonProblem): R {
  try {
    return work();
  } catch (error) {
    if (error instanceof ListError) throw error;
    throw new ListError('message', 'message', `not a ${descriptor().name}: ${problemOf(error)}`);
  }
}

/** The most occurrences of a field in a message, and the limits of the fields inside it. */
interface FieldLimit {
  /** The plural name in the error. */
  readonly what: string;
  readonly max: number;
  readonly fields?: FieldLimits;
}

/** Limits by field number. */
export type FieldLimits = Readonly<Record<number, FieldLimit>>;

/**
 * Counts messages inside a message before objects are made of them: an empty one takes two bytes there, and some 600 in
 * memory.
 *
 * @throws {ListError} where there are too many
 */
function mustBeWithin(limits: FieldLimits, bytes: Uint8Array): void {
  count(new BinaryReader(bytes), bytes.length, limits, new Map());
}

function count(reader: BinaryReader, end: number, limits: FieldLimits, counts: Map<FieldLimit, number>): void {
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const limit = limits[number];
    if (limit === undefined) {
      reader.skip(wireType, number);
      continue;
    }
    const found = (counts.get(limit) ?? 0) + 1;
    if (found > limit.max) throw new ListError('message', 'message', `it has more than ${limit.max} ${limit.what}`);
    counts.set(limit, found);
    const innerEnd = endOfBytes(reader, wireType);
    if (limit.fields !== undefined) count(reader, innerEnd, limit.fields, counts);
    reader.pos = innerEnd;
  }
}

/** Returns the end of the bytes that come next. @throws {ListError} where they are of another type, or cut */
function endOfBytes(reader: BinaryReader, wireType: WireType): number {
  if (wireType !== WireType.LengthDelimited)
    throw new ListError('message', 'message', `a message inside it has the wire type ${wireType}`);
  const length = reader.uint32();
  if (length <= reader.len - reader.pos) return reader.pos + length;
  throw new ListError('message', 'message', 'a message inside it is cut');
}
