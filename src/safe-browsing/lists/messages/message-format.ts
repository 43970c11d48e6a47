import { mustBeBytes } from '../../../argument.ts';
import { ListError } from '../error.ts';
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
  /** @throws {ListError} where the fields cannot be what their sender meant */
  read(fields: Fields): T;
  write(value: T): object;
  /** What is to be done to JSON before the library reads it. */
  prepareJson?(json: unknown): unknown;
}

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
   * @throws {ListError} where it is not such a message, or cannot be what its sender meant
   */
  decode(bytes: Uint8Array): T {
    mustBeBytes('bytes', bytes);
    const { descriptor, read } = this.#reading;
    return read(this.#refused(() => fromBinary(descriptor(), bytes, { readUnknownFields: false })) as never);
  }

  /**
   * The message in protobuf.
   *
   * @param value what it says
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
    const { descriptor, read, prepareJson = (same) => same } = this.#reading;
    const prepared = prepareJson(json) as JsonValue;
    return read(this.#refused(() => fromJson(descriptor(), prepared, { ignoreUnknownFields: true })) as never);
  }

  /**
   * The message as what `JSON.stringify` takes.
   *
   * @param value what it says
   * @throws {ListError} where the message cannot say that
   */
  toJson(value: T): unknown {
    return toJson(this.#reading.descriptor(), this.#messageOf(value));
  }

  #messageOf(value: T): Message {
    const { descriptor, write } = this.#reading;
    return create(descriptor(), write(value) as Record<string, unknown>);
  }

  /** The library has errors of several classes. */
  #refused<R>(work: () => R): R {
    try {
      return work();
    } catch (error) {
      throw new ListError('message', 'message', `not a ${this.#reading.name}: ${(error as Error).message}`);
    }
  }
}
