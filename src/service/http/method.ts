import type { MessageFormat } from '../lists/messages/message-format.ts';
import type { HttpAnswer } from './http-server.ts';
import { type Query, valuesOf } from './query.ts';
import { RpcError } from './rpc-error.ts';

// What all methods of Google's have in common: their parameters, and the two forms of their answers.

/**
 * Parameters that change nothing here. A client's key is for Google: it is neither used
 * nor passed on. `fields` and `callback` would change the answer, and are refused as unknown.
 */
const IGNORED = [
  'key',
  'access_token',
  'oauth_token',
  'quotaUser',
  'prettyPrint',
  '$.xgafv',
  'uploadType',
  'upload_protocol',
];
const FORMAT = ['alt', '$alt'];

/** A client would take an answer that ignores a parameter for one that does not. @throws {RpcError} */
export function mustKnow(query: Query, names: readonly string[]): void {
  const known = [...names, ...IGNORED, ...FORMAT];
  const unknown = query.find(([name]) => !known.includes(name));
  if (unknown !== undefined) throw RpcError.badField(JSON.stringify(unknown[0]), 'the parameter is not supported');
}

/** Whether the answer is to be JSON; otherwise it is protobuf, as Google's. @throws {RpcError} */
export function wantsJson(query: Query): boolean {
  const formats = new Set(FORMAT.flatMap((name) => valuesOf(query, name)));
  const [format = 'proto'] = formats;
  if (formats.size <= 1 && ['json', 'proto'].includes(format)) return format === 'json';
  throw RpcError.badField('alt', 'it is json or proto');
}

/** Answers with a message, in JSON or in protobuf. */
export function messageAnswer<T>(format: MessageFormat<T>, value: T, isJson: boolean): HttpAnswer {
  return isJson ? jsonAnswer(format.toJson(value)) : bytesAnswer(format.encode(value), false);
}

/** Answers with a message that is encoded already. */
export function bytesAnswer(body: Uint8Array, isJson: boolean): HttpAnswer {
  return { type: isJson ? 'application/json' : 'application/x-protobuf', body };
}

export function jsonAnswer(value: unknown, status = 200): HttpAnswer {
  return { status, type: 'application/json', body: JSON.stringify(value) };
}
