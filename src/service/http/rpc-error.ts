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

/** What is refused by HTTP itself, with the code that Google's servers give it. */
const REFUSED = {
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  431: 'INVALID_ARGUMENT',
} as const;

/** What is wrong with a request, or why there is no answer: a google.rpc.Status. No message has a URL or a key. */
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

  /** As Google's servers write it in JSON. */
  get body(): string {
    const { status, message, code } = this;
    return `${JSON.stringify({ error: { code: status, message, status: code, details: this.#details } })}\n`;
  }
}
