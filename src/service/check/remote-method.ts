import { ownProperties } from '../../core/argument.ts';
import { base64OfBytes } from '../../core/bytes/base64.ts';
import { concatBytes } from '../../core/bytes/growing-bytes.ts';
import { asciiText } from '../../core/bytes/text.ts';
import { type AbortSource, type HostAbortSignal, timeLimit, untilAborted } from '../../core/lifetime.ts';
import { CheckFailure, kindOfError } from './answer.ts';
import { LAST_DATE, type SteadyClock } from './steady-clock.ts';

const SECOND = 1000;
export const MINUTE = 60 * SECOND;
/** The longest time that anything waits, or is valid, on a server's word. */
export const DAY = 24 * 60 * MINUTE;

/** Writes a time for a message: a clock may say anything. */
export function dateText(time: number): string {
  return Math.abs(time) <= LAST_DATE ? new Date(time).toISOString() : `${time} milliseconds after 1970`;
}

/**
 * The `fetch` of the platform, or what stands for it.
 *
 * @param url of a method, with its query
 * @param init the headers of the option `headers`; no redirection, so that no prefix goes to another host; and a
 * signal that aborts after the option `timeoutMs`
 * @returns what is used of a response: its status, the header `Retry-After`, and its body, which is read to its end
 */
export type Fetch = (
  url: string,
  init: {
    /** The headers of the option `headers`. */
    readonly headers: Record<string, string>;
    /** Redirects are not followed, so that no prefix goes to another host. */
    readonly redirect: 'manual';
    /** Aborts after the option `timeoutMs`. */
    readonly signal: HostAbortSignal;
  },
) => Promise<{
  /** The HTTP status code. */
  readonly status: number;
  /** The headers, of which `Retry-After` is read. */
  readonly headers: {
    /**
     * The value of a header; null where there is none.
     *
     * @param name in any case
     */
    get(name: string): string | null;
  };
  /** The body, which is read to its end. */
  readonly body: ReadableStream<Uint8Array> | null;
}>;

/** The address of the server and the settings of requests. */
export interface Connection {
  /** The server's URL, which ends with a slash. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly clock: SteadyClock;
  /** The time for a request and its whole answer. */
  readonly timeoutMs: number;
}

/** A request of one method. */
interface Request<Message> {
  readonly query: string;
  /** The most bytes of its answer, unpacked. */
  readonly maxBytes: number;
  /** Throws on bytes that are not such an answer. */
  readonly decode: (bytes: Uint8Array) => Message;
  /** Whether a status 404 is not a failure of the server: it lacks what this request names. */
  readonly mayBeAbsent?: boolean;
}

/** One method of the v5 service: sends requests, except during back-off, and reads their answers. */
export class RemoteMethod {
  readonly connection: Connection;
  readonly #path: string;
  readonly #backOff: BackOff;

  /** @param path `hashes:search` or `hashLists:batchGet` */
  constructor(connection: Connection, path: string, backOff: BackOff) {
    this.connection = connection;
    this.#path = path;
    this.#backOff = backOff;
  }

  get #hasKey(): boolean {
    return Object.keys(this.connection.headers).some((name) => name.toLowerCase() === 'x-goog-api-key');
  }

  /** When the server may be asked again, by the clock of the connection. */
  get openAt(): number {
    return this.#backOff.openAt;
  }

  /** @param stop aborts the request, which says nothing of the server */
  async call<Message>(request: Request<Message>, stop?: AbortSource): Promise<Message | CheckFailure> {
    const { clock } = this.connection;
    const { failureCount, openAt } = this.#backOff;
    if (clock.now() < openAt) {
      return new CheckFailure('back-off', `the server is left alone until ${dateText(clock.wallOf(openAt))}`);
    }
    const { answer, retryAfter } = await this.#answer(request, stop);
    if (answer === STOPPED) return answer;
    if (!(answer instanceof CheckFailure)) this.#backOff.succeeded();
    else if (answer.status === 404 && request.mayBeAbsent === true) return answer;
    else
      this.#backOff.failed(answer.cause === 'status' ? 'refused' : 'unanswered', failureCount, clock.now(), retryAfter);
    return answer;
  }

  async #answer<Message>(
    { query, maxBytes, decode }: Request<Message>,
    stop: AbortSource | undefined,
  ): Promise<{ answer: Message | CheckFailure; retryAfter?: number | undefined }> {
    const { base, clock, timeoutMs } = this.connection;
    const { signal, end } = timeLimit(timeoutMs, stop);
    try {
      const response = await this.#response(`${base}${this.#path}?${query}`, signal);
      if (response.status !== 200) {
        const retryAfter = retryAfterOf(response.headers, clock.wallOf(clock.now()));
        return { answer: await refusalOf(response, this.#hasKey, signal), retryAfter };
      }
      const body = await untilAborted(bodyOf(response.body, maxBytes), signal);
      return { answer: body instanceof CheckFailure ? body : this.#decoded(body, decode) };
    } catch (error) {
      if (stop?.aborted === true) return { answer: STOPPED };
      return { answer: signal.aborted ? timeOut(timeoutMs) : connectionFailure(error) };
    } finally {
      end();
    }
  }

  /** A `fetch` that is not the platform's may know nothing of signals: the wait ends all the same. */
  async #response(url: string, signal: HostAbortSignal): ReturnType<Fetch> {
    const { fetch, headers } = this.connection;
    const response = fetch(url, ownProperties({ headers, redirect: 'manual', signal }));
    try {
      return await untilAborted(response, signal);
    } catch (error) {
      response.then(({ body }) => body?.cancel()).catch(() => undefined);
      throw error;
    }
  }

  #decoded<Message>(bytes: Uint8Array, decode: (bytes: Uint8Array) => Message): Message | CheckFailure {
    try {
      return decode(bytes);
    } catch (error) {
      return new CheckFailure('malformed', `the answer of ${this.#path} cannot be read: ${kindOfError(error)}`);
    }
  }
}

/** The option `backOff`, with its defaults. */
export interface BackOffTimes {
  readonly refusedMs: number;
  readonly unansweredMs: number;
  readonly maxDelayMs: number;
}

const DEFAULT_TIMES: BackOffTimes = { refusedMs: 15 * MINUTE, unansweredMs: 1000, maxDelayMs: DAY };

/**
 * When a server may be asked again. The wait after the n-th failure in a row is min(2^(n-1) × first × (1 + random),
 * maxDelayMs). If the server itself says when to come back (Retry-After), that replaces it.
 *
 * https://developers.google.com/safe-browsing/v4/request-frequency#back-off-mode
 */
export class BackOff {
  readonly #times: BackOffTimes;
  readonly #random: () => number;
  #failureCount = 0;
  #until = Number.NEGATIVE_INFINITY;

  constructor(times: Partial<BackOffTimes>, random: () => number) {
    this.#times = { ...DEFAULT_TIMES, ...times };
    this.#random = random;
  }

  /** The count that a request passes to `failed`: requests that were under way together fail as one. */
  get failureCount(): number {
    return this.#failureCount;
  }

  /** When the server may be asked, in milliseconds of the clock. */
  get openAt(): number {
    return this.#until;
  }

  succeeded(): void {
    this.#failureCount = 0;
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /**
   * @param countAtStart `failureCount` when the request began
   * @param retryAfter milliseconds that the server asked for
   */
  failed(kind: 'refused' | 'unanswered', countAtStart: number, now: number, retryAfter?: number): void {
    if (countAtStart !== this.#failureCount) return;
    const grown = 2 ** this.#failureCount * this.#times[`${kind}Ms`] * (1 + this.#random());
    this.#failureCount++;
    this.#until = now + Math.min(retryAfter ?? grown, this.#times.maxDelayMs);
  }
}

const STOPPED = new CheckFailure('network', 'the request was stopped');

function timeOut(milliseconds: number): CheckFailure {
  return new CheckFailure('time-out', `the server did not answer within ${milliseconds} ms`);
}

function connectionFailure(error: unknown): CheckFailure {
  return new CheckFailure('network', `the connection failed: ${kindOfError(error)}`);
}

/** Returns all bytes of an answer. If it has more than `maxBytes`, the rest is not read. */
async function bodyOf(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array | CheckFailure> {
  if (body === null) return new Uint8Array(0);
  const bytes = await startOf(body, maxBytes);
  if (bytes.length <= maxBytes) return bytes;
  await body.cancel();
  return new CheckFailure('malformed', `the answer has more than ${maxBytes} bytes`);
}

/** Returns all bytes, or the first ones: more than `maxBytes` then. The stream can be cancelled. */
async function startOf(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      chunks.push(read.value);
      byteLength += read.value.length;
      if (byteLength > maxBytes) break;
    }
  } finally {
    reader.releaseLock();
  }
  return concatBytes(chunks);
}

/** Returns the wait in milliseconds that an answer's Retry-After asks for (RFC 9110, 10.2.3): seconds, or a date. */
export function retryAfterOf(headers: { get(name: string): string | null }, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return 1000 * Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Encodes `bytes` for the query of a v5 method: base64url with padding (RFC 4648, section 5). */
export function base64Url(bytes: Uint8Array): string {
  const text = base64OfBytes(bytes);
  return text.padEnd(4 * Math.ceil(text.length / 4), '=');
}

/** The meaning of words of google.api.ErrorReason to whoever runs a client. */
const REASONS: Readonly<Record<string, string>> = {
  API_KEY_INVALID: 'the API key is not valid',
  API_KEY_SERVICE_BLOCKED: 'the API key is not for this API',
  API_KEY_IP_ADDRESS_BLOCKED: 'the API key is not for this IP address',
  API_KEY_HTTP_REFERRER_BLOCKED: 'the API key is for web pages alone',
  API_KEY_ANDROID_APP_BLOCKED: 'the API key is for an Android app alone',
  API_KEY_IOS_APP_BLOCKED: 'the API key is for an iOS app alone',
  SERVICE_DISABLED: 'the API is not enabled in the project of the API key',
  BILLING_DISABLED: 'the project of the API key has no billing account',
  CONSUMER_INVALID: 'the project of the API key does not exist',
  CONSUMER_SUSPENDED: 'the project of the API key is suspended',
  RATE_LIMIT_EXCEEDED: 'the quota is used up',
  RESOURCE_QUOTA_EXCEEDED: 'the quota is used up',
};
/** Finds the word in google.rpc.Status as JSON and as protobuf: no byte beside it is a letter, a digit or `_`. */
const REASON = new RegExp(`\\b(?:${Object.keys(REASONS).join('|')})\\b`);

/** The bytes of a refusal that are read: more than Google's have, with their links. */
const MAX_REFUSAL_BYTES = 1 << 14;

/** An answer whose status is not 200. */
interface Refusal {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | null;
}

/**
 * Says why a server refused a request, in our own words: its message may quote the key.
 *
 * @param hasKey whether a key was sent
 */
async function refusalOf({ status, body }: Refusal, hasKey: boolean, signal: HostAbortSignal) {
  const isOurs = status >= 400 && status < 500;
  const reading = isOurs && body !== null ? startOf(body, MAX_REFUSAL_BYTES) : Promise.resolve(new Uint8Array(0));
  const start = await untilAborted(reading, signal).catch(() => new Uint8Array(0));
  body?.cancel().catch(() => undefined); // the status is known, whatever becomes of the rest
  const [word] = REASON.exec(asciiText(start.subarray(0, MAX_REFUSAL_BYTES))) ?? [];
  const why = word === undefined ? unnamedReason(status, hasKey) : `: ${REASONS[word]} (${word})`;
  return new CheckFailure('status', `the server answered with the status ${status}${why}`, status);
}

function unnamedReason(status: number, hasKey: boolean): string {
  if (status !== 401 && status !== 403) return '';
  return hasKey ? ': it refuses the API key' : ': no API key was sent';
}
