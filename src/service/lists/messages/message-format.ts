import { mustBeBytes } from '../../../core/argument.ts';
import { parseJson } from '../../../core/bytes/json.ts';
import { HASH_BYTES } from '../../../specs/safe-browsing/hash-prefix.ts';
import { ListError } from '../sorted-prefixes.ts';
import { MAX_DURATION_MS } from '../update.ts';
import {
  BinaryReader,
  create,
  type DescEnum,
  type DescField,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  ScalarType,
  toBinary,
  toJson,
  WireType,
} from './protobuf.ts';

/** Converts a message from and to its fields. */
interface Format<T, Fields> extends Reading<T, Fields> {
  /**
   * Checks what callers of the package write. @throws {TypeError} where `value`, an argument of that name, is not a T
   */
  check?(name: string, value: T): void;
  write(value: T): object;
}

/**
 * A message of the protocols, in protobuf and in JSON: fields that are not known are skipped, as new ones may come.
 *
 * @typeParam T what it is in the program
 * @see https://protobuf.dev/programming-guides/json/
 * @example
 * const update = HASH_LIST.fromJson({ name: 'mw-4b', additionsFourBytes: { firstValue: 256 } });
 * update.additions[0]!.prefixes; //=> Uint8Array(4) [0, 0, 1, 0]
 * HASH_LIST.encode(update).length; //=> 12
 */
export class MessageFormat<T> {
  /** @internal */
  static readonly name = 'MessageFormat';
  readonly #format: Format<T, never>;

  /** @internal */
  constructor(format: Format<T, never>) {
    this.#format = format;
  }

  /**
   * Reads a message in protobuf.
   *
   * @param bytes all of the message
   * @throws {TypeError} on anything but a Uint8Array
   * @throws {ListError} where it is not such a message, cannot be what its sender meant, or has more lists than any
   * server sends
   */
  decode(bytes: Uint8Array): T {
    return decodeMessage(this.#format, this.#format.maxLists, bytes);
  }

  /**
   * The message in protobuf.
   *
   * @param value what the message says, of the type that `decode` gives
   * @throws {TypeError} where a part of it is of the wrong kind
   * @throws {ListError} where the message cannot say that
   */
  encode(value: T): Uint8Array<ArrayBuffer> {
    return toBinary(this.#format.descriptor(), this.#messageOf(value));
  }

  /**
   * Reads a message in JSON, by the JSON mapping of proto3: bytes are Base64, 64-bit numbers strings.
   *
   * @param json the text of the message, as `response.text()` gives it; or what `JSON.parse` gives, which keeps the last
   *   value of a name that occurs twice in an object: a text with such a name is refused
   * @throws {ListError} where it is not such a message, or cannot be what its sender meant
   */
  fromJson(json: unknown): T {
    const { descriptor, read } = this.#format;
    const fields = refused(descriptor, () => {
      const value = typeof json === 'string' ? parseJson(json) : json;
      const known = knownJson(descriptor(), value) as JsonValue;
      return fromJson(descriptor(), known, { ignoreUnknownFields: true });
    });
    return read(fields as never);
  }

  /**
   * The message as what `JSON.stringify` takes.
   *
   * @param value what the message says, of the type that `decode` gives
   * @throws {TypeError} where a part of it is of the wrong kind
   * @throws {ListError} where the message cannot say that
   */
  toJson(value: T): unknown {
    return toJson(this.#format.descriptor(), this.#messageOf(value));
  }

  #messageOf(value: T): Message {
    const { check, descriptor, write } = this.#format;
    check?.('value', value);
    return create(descriptor(), write(value) as Record<string, unknown>);
  }
}

/** 2^64 has 20 digits; `BigInt` takes more than linear time for a million of them. */
const MAX_DIGITS = 40;

const WIDE = [ScalarType.INT64, ScalarType.UINT64, ScalarType.FIXED64];

/**
 * Returns the fields of a message in JSON that its descriptor knows, as the library is to read them. The library drops
 * unknown names from a list of enums, so that a threat would lose a new attribute: such a name becomes 0 here. Unknown
 * fields are left out unread: they may be deep, or contain themselves. The library takes a field by either of its names,
 * and the last of both.
 *
 * @throws {ListError} on a number of too many digits, and on a field that is there by both its names
 */
function knownJson(descriptor: DescMessage, json: unknown): unknown {
  if (!isRecord(json) || descriptor.typeName.startsWith('google.protobuf.')) return json;
  const known: Record<string, unknown> = {};
  for (const field of descriptor.fields) {
    const [name, other] = [field.jsonName, field.name].filter((each) => Object.hasOwn(json, each));
    if (name === undefined) continue;
    if (other !== undefined && other !== name)
      throw new ListError('message', 'message', `it has both ${name} and ${other}, which are one field`);
    known[name] = knownValue(field, json[name]);
  }
  return known;
}

function isRecord(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function knownValue(field: DescField, value: unknown): unknown {
  if (field.fieldKind === 'message') return knownJson(field.message, value);
  if (field.fieldKind === 'scalar') return WIDE.includes(field.scalar) ? wideNumber(field, value) : value;
  if (field.fieldKind !== 'list' || !Array.isArray(value)) return value;
  if (field.listKind === 'message') return value.map((each) => knownJson(field.message, each));
  return field.listKind === 'enum' ? value.map((each) => knownName(field.enum, each)) : value;
}

function wideNumber({ jsonName }: DescField, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_DIGITS) return value;
  throw new ListError(
    'message',
    'message',
    `${jsonName} must be a number of at most ${MAX_DIGITS} characters, but has ${value.length}`,
  );
}

function knownName({ values }: DescEnum, value: unknown): unknown {
  return typeof value === 'string' && !values.some(({ name }) => name === value) ? 0 : value;
}

// The part of messages that a client needs. It is apart from MessageFormat, so that a bundle that only decodes leaves
// out the library's JSON and its writer: a fifth of it.

/** Reads a message from its fields. */
export interface Reading<T, Fields> {
  /** Called at first use. */
  descriptor(): DescMessage;
  /** The most lists, its field 1, that are decoded. Default: any number. */
  readonly maxLists?: number;
  /** @throws {ListError} where the fields cannot be what their sender meant */
  read(fields: Fields): T;
  /** Replaces the library and `read` for bytes. @throws {ListError} as `read` does */
  readBytes?(bytes: Uint8Array): T;
}

/** Longer messages are cut: the library quotes values of any length. */
const MAX_MESSAGE_LENGTH = 200;

/**
 * Decodes a message in protobuf of at most `maxLists` lists.
 *
 * @throws {TypeError} on anything but a Uint8Array
 * @throws {ListError} where it is not such a message, or cannot be what its sender meant
 */
export function decodeMessage<T>(reading: Reading<T, never>, maxLists: number | undefined, bytes: Uint8Array): T {
  mustBeBytes('bytes', bytes);
  const { descriptor, read, readBytes } = reading;
  if (readBytes !== undefined) return refused(descriptor, () => readBytes(bytes), bytesProblem);
  const fields = refused(
    descriptor,
    () => {
      if (maxLists !== undefined) mustHaveAtMost(maxLists, bytes);
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
function refused<R>(descriptor: () => DescMessage, work: () => R, problemOf = jsonProblem): R {
  try {
    return work();
  } catch (error) {
    if (error instanceof ListError) throw error;
    throw new ListError('message', 'message', `not a ${descriptor().name}: ${problemOf(error)}`);
  }
}

/** The field that holds the lists, in each message that has several. */
const LISTS_FIELD = 1;

/**
 * Counts lists before objects are made of them: an empty one takes two bytes in the message, and some 600 in memory.
 *
 * @throws {ListError} where there are more
 */
function mustHaveAtMost(maxLists: number, bytes: Uint8Array): void {
  const reader = new BinaryReader(bytes);
  for (let count = 0; reader.pos < bytes.length; ) {
    const [number, wireType] = reader.tag();
    if (number !== LISTS_FIELD) reader.skip(wireType, number);
    else if (++count > maxLists) throw new ListError('message', 'message', `it has more than ${maxLists} lists`);
    else reader.pos = endOfBytes(reader, wireType);
  }
}

/** Returns the end of the bytes that come next. @throws {ListError} where they are of another type, or cut */
function endOfBytes(reader: BinaryReader, wireType: WireType): number {
  if (wireType !== WireType.LengthDelimited)
    throw new ListError('message', 'message', `an inner message has the wire type ${wireType}`);
  const length = reader.uint32();
  if (length <= reader.len - reader.pos) return reader.pos + length;
  throw new ListError('message', 'message', 'an inner message is cut');
}

/** Returns a copy of a SHA-256, or undefined if the message has none. @throws {ListError} on other lengths */
export function checksumIn(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes.length === HASH_BYTES) return Uint8Array.from(bytes);
  throw new ListError('checksum', 'wrong-size', `the checksum has ${bytes.length} bytes, not ${HASH_BYTES}`);
}

/** "Clients MUST NOT send more than 1000 hash prefixes" (SearchHashesRequest). */
export const MAX_PREFIXES = 1000;

/** google.protobuf.Duration, as the library reads it. */
export interface SecondsAndNanos {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** The most nanoseconds of a second, which rounding must not exceed. */
const MAX_NANOS = 999_999_999;

/** Returns milliseconds; 0 if there is no duration. @throws {ListError} where it is negative */
export function millisecondsIn(duration: SecondsAndNanos | undefined): number {
  if (duration === undefined) return 0;
  const milliseconds = Number(duration.seconds) * 1e3 + duration.nanos / 1e6;
  if (milliseconds >= 0) return milliseconds;
  throw new ListError('message', 'message', `a duration must not be negative, but is ${milliseconds} ms`);
}

/** Returns undefined for 0. @throws {ListError} where the duration cannot be written */
export function durationOf(milliseconds: number): SecondsAndNanos | undefined {
  if (milliseconds === 0) return undefined;
  if (!(milliseconds > 0 && milliseconds <= MAX_DURATION_MS))
    throw new ListError('message', 'message', `a duration has 0 to ${MAX_DURATION_MS} ms, not ${milliseconds}`);
  const seconds = Math.floor(milliseconds / 1e3);
  const nanos = Math.round((milliseconds - 1e3 * seconds) * 1e6);
  return { seconds: BigInt(seconds), nanos: Math.min(nanos, MAX_NANOS) };
}
