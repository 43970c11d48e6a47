import { mustBeBytes } from '../../../argument.ts';
import { ListError } from '../error.ts';
import { type FieldLimits, mustBeWithin } from './field-limits.ts';
import { knownJson } from './known-json.ts';
import {
  create,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from './protobuf.ts';

/** How a message reads in the program: from and to its fields. */
interface Reading<T, Fields> {
  readonly name: string;
  /** Asked for at first use. */
  descriptor(): DescMessage;
  /** What is counted before anything is decoded. Default: nothing. */
  readonly limits?: FieldLimits;
  /** @throws {ListError} where the fields cannot be what their sender meant */
  read(fields: Fields): T;
  /** Takes the place of the library and of `read`, for bytes. @throws {ListError} as `read` does */
  readBytes?(bytes: Uint8Array): T;
  /** @throws {TypeError} where `value`, an argument of that name, is not what `read` gives */
  check(name: string, value: T): void;
  write(value: T): object;
}

/** The library quotes values of any length. */
const MAX_MESSAGE_LENGTH = 200;

/**
 * A message of the protocols, in protobuf and in JSON: fields that are not known are passed over, as new ones may come.
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
  readonly #reading: Reading<T, never>;

  /** @internal */
  constructor(reading: Reading<T, never>) {
    this.#reading = reading;
  }

  /**
   * What a message in protobuf says.
   *
   * @param bytes all of the message
   * @throws {TypeError} on what is not a Uint8Array
   * @throws {ListError} where it is not such a message, cannot be what its sender meant, or has more lists or sets of
   * entries than any server sends
   */
  decode(bytes: Uint8Array): T {
    return this.decodeWithin(this.#reading.limits ?? {}, bytes);
  }

  /** @internal The same with limits of its caller's. */
  decodeWithin(limits: FieldLimits, bytes: Uint8Array): T {
    mustBeBytes('bytes', bytes);
    const { descriptor, read, readBytes } = this.#reading;
    if (readBytes !== undefined) return this.#refused(() => readBytes(bytes));
    const fields = this.#refused(() => {
      mustBeWithin(limits, bytes);
      return fromBinary(descriptor(), bytes, { readUnknownFields: false });
    });
    return read(fields as never);
  }

  /**
   * The message in protobuf.
   *
   * @param value what it says
   * @throws {TypeError} where a part of it is of the wrong kind
   * @throws {ListError} where the message cannot say that
   */
  encode(value: T): Uint8Array<ArrayBuffer> {
    return toBinary(this.#reading.descriptor(), this.#messageOf(value));
  }

  /**
   * What a message in JSON says, by the JSON mapping of proto3: bytes are Base64, 64-bit numbers strings.
   *
   * @param json what `JSON.parse` or `response.json()` gives
   * @throws {ListError} where it is not such a message, or cannot be what its sender meant
   */
  fromJson(json: unknown): T {
    const { descriptor, read } = this.#reading;
    const fields = this.#refused(() => {
      const known = knownJson(descriptor(), json) as JsonValue;
      return fromJson(descriptor(), known, { ignoreUnknownFields: true });
    });
    return read(fields as never);
  }

  /**
   * The message as what `JSON.stringify` takes.
   *
   * @param value what it says
   * @throws {TypeError} where a part of it is of the wrong kind
   * @throws {ListError} where the message cannot say that
   */
  toJson(value: T): unknown {
    return toJson(this.#reading.descriptor(), this.#messageOf(value));
  }

  #messageOf(value: T): Message {
    const { check, descriptor, write } = this.#reading;
    check('value', value);
    return create(descriptor(), write(value) as Record<string, unknown>);
  }

  /** The library has errors of several classes. */
  #refused<R>(work: () => R): R {
    try {
      return work();
    } catch (error) {
      if (error instanceof ListError) throw error;
      const message = String(Object(error).message).slice(0, MAX_MESSAGE_LENGTH);
      throw new ListError('message', 'message', `not a ${this.#reading.name}: ${message}`);
    }
  }
}
