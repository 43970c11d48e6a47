import { mustBeBytes } from '../../../argument.ts';
import { ListError } from '../error.ts';
import { type FieldLimits, mustBeWithin } from './field-limits.ts';
import { type DescMessage, fromBinary } from './protobuf.ts';

// What a client needs of a message. It is apart from MessageFormat, so that a bundle that only decodes leaves out the
// library's JSON and its writer: a fifth of it.

/** How a message reads in the program: from its fields. */
export interface Reading<T, Fields> {
  readonly name: string;
  /** Asked for at first use. */
  descriptor(): DescMessage;
  /** What is counted before anything is decoded. Default: nothing. */
  readonly limits?: FieldLimits;
  /** @throws {ListError} where the fields cannot be what their sender meant */
  read(fields: Fields): T;
  /** Takes the place of the library and of `read`, for bytes. @throws {ListError} as `read` does */
  readBytes?(bytes: Uint8Array): T;
}

/** The library quotes values of any length. */
const MAX_MESSAGE_LENGTH = 200;

/**
 * What a message in protobuf says, where it has no more than `limits` of anything.
 *
 * @throws {TypeError} on what is not a Uint8Array
 * @throws {ListError} where it is not such a message, or cannot be what its sender meant
 */
export function decodeMessage<T>(reading: Reading<T, never>, limits: FieldLimits, bytes: Uint8Array): T {
  mustBeBytes('bytes', bytes);
  const { descriptor, name, read, readBytes } = reading;
  if (readBytes !== undefined) return refused(name, () => readBytes(bytes));
  const fields = refused(name, () => {
    mustBeWithin(limits, bytes);
    return fromBinary(descriptor(), bytes, { readUnknownFields: false });
  });
  return read(fields as never);
}

/** The library has errors of several classes. */
export function refused<R>(name: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (error instanceof ListError) throw error;
    const message = String(Object(error).message).slice(0, MAX_MESSAGE_LENGTH);
    throw new ListError('message', 'message', `not a ${name}: ${message}`);
  }
}
