import { quote } from '../../core/quote.ts';
import type { MessageFormat } from '../lists/messages/message-format.ts';

// What the methods of Google's APIs have in common: requests and their parameters, the two forms of answers, and errors.

/** A request that may be answered. */
export interface HttpRequest {
  /** The method: a POST that overrides its method, as Google's clients send a long GET, is a GET. */
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Query;
  /** The body of a POST; empty for a GET. */
  readonly body: Uint8Array;
}

export interface HttpAnswer {
  readonly status?: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The parameters of a request, decoded, in order. */
export type Query = readonly (readonly [name: string, value: string])[];

/**
 * Decodes application/x-www-form-urlencoded. Unlike a browser it refuses what is not UTF-8: another URL would be looked
 * up than the one that was meant.
 *
 * @throws {RpcError}
 */
export function queryIn(text: string): Query {
  return text
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [decoded(name), decoded(value)];
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RpcError('INVALID_ARGUMENT', 'the query is not percent-encoded UTF-8');
  }
}

export function valuesOf(query: Query, name: string): string[] {
  return query.flatMap(([each, value]) => (each === name ? [value] : []));
}

/**
 * Parameters that change nothing here. A client's key is meant for Google: it is neither used nor passed on. `fields`
 * and `callback` would change the answer, and are refused as unknown.
 */
const IGNORED = /^(?:key|access_token|oauth_token|quotaUser|prettyPrint|\$\.xgafv|uploadType|upload_protocol)$/;
/** The names of the parameter for the format of an answer. */
export const FORMAT = ['alt', '$alt'];

/** A client would take an answer that ignores a parameter for one that does not. @throws {RpcError} */
export function mustKnow(query: Query, names: readonly string[]): void {
  if (query.length === 0) return;
  const known = [...names, ...FORMAT];
  const unknown = query.find(([name]) => !known.includes(name) && !IGNORED.test(name));
  if (unknown !== undefined) throw RpcError.badField(quote(unknown[0]), 'the parameter is not supported');
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

/** The HTTP status of each code of google.rpc.Code that is answered here (google/rpc/code.proto). */
const HTTP_STATUS = {
  INVALID_ARGUMENT: 400,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  INTERNAL: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const;

type Code = keyof typeof HTTP_STATUS;

/** The codes that Google's servers give to what HTTP itself refuses. */
const REFUSED = {
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  431: 'INVALID_ARGUMENT',
} as const;

/** A request that is wrong or has no answer, as a google.rpc.Status. No message has a URL or a key. */
export class RpcError extends Error {
  readonly code: Code;
  readonly status: number;
  readonly #details: readonly object[];

  constructor(code: Code, message: string, details: readonly object[] = [], status: number = HTTP_STATUS[code]) {
    super(message);
    this.code = code;
    this.status = status;
    this.#details = details;
  }

  /** @param field the one that is wrong, such as `threatInfo.threatEntries[3].url` */
  static badField(field: string, description: string): RpcError {
    const violation = {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field, description }],
    };
    return new RpcError('INVALID_ARGUMENT', `${field}: ${description}`, [violation]);
  }

  static refused(status: keyof typeof REFUSED, message: string): RpcError {
    return new RpcError(REFUSED[status], message, [], status);
  }

  /** @param reason in capitals; metadata are strings */
  static unavailable(message: string, reason: string, metadata: Readonly<Record<string, string>>): RpcError {
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'urlsum', metadata };
    return new RpcError('UNAVAILABLE', message, [info]);
  }

  /** The error in JSON, as Google's servers write it. */
  get body(): string {
    const { status, message, code } = this;
    return `${JSON.stringify({ error: { code: status, message, status: code, details: this.#details } })}\n`;
  }
}
