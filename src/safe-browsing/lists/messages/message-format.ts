import { knownJson } from './known-json.ts';
import { decodeMessage, type Reading, refused } from './message-reading.ts';
import { create, fromJson, type JsonValue, type Message, toBinary, toJson } from './protobuf.ts';

/** How a message reads in the program: from and to its fields. */
interface Format<T, Fields> extends Reading<T, Fields> {
  /** @throws {TypeError} where `value`, an argument of that name, is not what `read` gives */
  check(name: string, value: T): void;
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
   * What a message in protobuf says.
   *
   * @param bytes all of the message
   * @throws {TypeError} on what is not a Uint8Array
   * @throws {ListError} where it is not such a message, cannot be what its sender meant, or has more lists or sets of
   * entries than any server sends
   */
  decode(bytes: Uint8Array): T {
    return decodeMessage(this.#format, this.#format.limits ?? {}, bytes);
  }

  /**
   * The message in protobuf.
   *
   * @param value what it says
   * @throws {TypeError} where a part of it is of the wrong kind
   * @throws {ListError} where the message cannot say that
   */
  encode(value: T): Uint8Array<ArrayBuffer> {
    return toBinary(this.#format.descriptor(), this.#messageOf(value));
  }

  /**
   * What a message in JSON says, by the JSON mapping of proto3: bytes are Base64, 64-bit numbers strings.
   *
   * @param json what `JSON.parse` or `response.json()` gives
   * @throws {ListError} where it is not such a message, or cannot be what its sender meant
   */
  fromJson(json: unknown): T {
    const { descriptor, name, read } = this.#format;
    const fields = refused(name, () => {
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
    return toJson(this.#format.descriptor(), this.#messageOf(value));
  }

  #messageOf(value: T): Message {
    const { check, descriptor, write } = this.#format;
    check('value', value);
    return create(descriptor(), write(value) as Record<string, unknown>);
  }
}
