import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { keepLooking } from '../../store/watched-file.ts';
import { FORMAT, type HttpAnswer, type HttpRequest, type Query, queryIn, RpcError } from './rpc.ts';

// The bounds of a request, which are the same for all servers.

const MAX_BODY_BYTES = 1 << 20;
/** The bytes that are read of a body that is too long; one with more is not read to its end. */
const MAX_DISCARDED_BYTES = 1 << 24;
/** 1000 prefixes make a request line of 22 KB. */
const MAX_HEADER_BYTES = 1 << 16;
const MAX_CONNECTIONS = 1000;

/** The time that a request may take, in milliseconds. */
const TIMES = {
  headerMs: 10_000,
  /** Header and body; with the looks and the grace the connection is gone within 30 seconds. */
  requestMs: 25_000,
  answerMs: 30_000,
  /** The interval between looks at the times of requests. */
  checkMs: 1000,
  /** A client that does not read its answer, or asks nothing more. */
  idleMs: 60_000,
  /** A client that was told why it is refused, and does not close its side. */
  graceMs: 1000,
  /** The time that a closing server waits for the requests that are under way. */
  closeMs: 10_000,
};

export interface HttpServerOptions {
  /** @throws {RpcError} which is answered; anything else is a fault of the server */
  answer(request: HttpRequest): Promise<HttpAnswer> | HttpAnswer;
  /** The names that `Host` may have besides those of loopback. */
  readonly hosts: readonly string[];
  /** The browser extensions that may ask, by their origins. */
  readonly origins?: readonly string[];
  /** The lists whose files it looks at while it listens. */
  readonly lists: readonly { look(): Promise<void> }[];
  /** Called after each answer, with the seconds that it took. */
  onAnswer?(path: string, status: number, seconds: number): void;
  /** Called with an error that must not occur. */
  onFault(error: unknown): void;
  /** The times that tests replace. */
  readonly times?: Partial<typeof TIMES>;
}

/** Answers GET, HEAD and POST on one address. No web page can ask it, nor a browser extension that is not named. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #times: typeof TIMES;
  /** The connections with a request under way, each with the functions that begin the requests after it. */
  readonly #waiting = new Map<Socket, (() => void)[]>();
  #stopLooking = (): void => {};

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: this.#times.headerMs,
        requestTimeout: this.#times.requestMs,
        connectionsCheckingInterval: this.#times.checkMs,
      },
      (request, response) => this.#inTurn(request, response),
    );
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.timeout = this.#times.idleMs;
    this.#server.keepAliveTimeout = this.#times.idleMs; // Node's 5 s end connections that slow clients use again
    this.#server.on('clientError', (error, socket) => refuse(error, socket, this.#times.graceMs));
  }

  /** Settles with the server's URL. @throws where the address cannot be listened on */
  listen({ host, port }: { readonly host: string; readonly port: number }): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#stopLooking = keepLooking(async () => {
          for (const list of this.#options.lists) await list.look();
        });
        const { address, family, port: bound } = this.#server.address() as AddressInfo;
        resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/`);
      });
    });
  }

  /** Takes no new connection and settles when what runs is answered, or has run for ten seconds. */
  close(): Promise<void> {
    this.#stopLooking();
    const timer = setTimeout(() => this.#server.closeAllConnections(), this.#times.closeMs);
    return new Promise((resolve) => {
      this.#server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      this.#server.closeIdleConnections();
    });
  }

  /**
   * Answers one request of a connection after another: Node hands over all that a client has sent, and their answers
   * would wait in memory for a client that does not read them. While one waits, nothing more is read.
   */
  #inTurn(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const begin = () => {
      response.once('close', () => this.#next(socket)); // the answer is with the system, or the client went away
      void this.#handle(request, response);
    };
    const waiting = this.#waiting.get(socket);
    if (waiting === undefined) {
      this.#waiting.set(socket, []);
      begin();
    } else {
      waiting.push(begin);
      socket.pause();
    }
  }

  #next(socket: Socket): void {
    const begin = socket.destroyed ? undefined : this.#waiting.get(socket)!.shift();
    if (begin === undefined) {
      this.#waiting.delete(socket);
    } else {
      socket.resume();
      begin();
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined); // a client that went away
    const path = /^[^?#]*/.exec(request.url!)![0];
    const startMs = performance.now();
    let answer: HttpAnswer;
    try {
      mustBeAllowed(request, this.#options);
      const given = this.#options.answer(await requestOf(request, path));
      answer = given instanceof Promise ? await inTime(given, this.#times.answerMs) : given;
    } catch (error) {
      answer = this.#failure(error);
    }
    const { status = 200, type, body } = answer;
    this.#options.onAnswer?.(path, status, (performance.now() - startMs) / 1000);
    if (!this.#server.listening) response.setHeader('connection', 'close');
    const { origin } = request.headers;
    if (origin !== undefined && this.#options.origins?.includes(origin) === true)
      response.setHeader('access-control-allow-origin', origin); // its answers are no-store: no `Vary` is needed
    const headers = {
      'content-type': type,
      'content-length': Buffer.byteLength(body), // otherwise the body is sent in chunks, and not with the header
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    };
    response.writeHead(status, { ...headers, ...answer.headers }).end(body); // Node leaves out the body of HEAD's
    discardRest(request);
  }

  #failure(error: unknown): HttpAnswer {
    if (!(error instanceof RpcError)) this.#options.onFault(error);
    const rpc = error instanceof RpcError ? error : new RpcError('INTERNAL', 'the server failed; its log says why');
    return { status: rpc.status, type: 'application/json', body: rpc.body, headers: WANTED[rpc.status] ?? {} };
  }
}

/** Says what would be taken instead, by the status of a refusal (RFC 9110 sections 15.5.6 and 12.5.3). */
const WANTED: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  405: { allow: 'GET, HEAD, POST' },
  415: { 'accept-encoding': 'gzip, identity' },
};

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * A page in a browser of this machine, or one whose name was rebound to it, must learn nothing: not from the answer, and
 * not by its time.
 *
 * @throws {RpcError}
 */
function mustBeAllowed(
  { headers, rawHeaders }: IncomingMessage,
  { hosts, origins = [] }: Pick<HttpServerOptions, 'hosts' | 'origins'>,
): void {
  const { host = '', origin, referer } = headers;
  let hostCount = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.toLowerCase() === 'host') hostCount++;
  if (hostCount > 1) throw new RpcError('INVALID_ARGUMENT', 'the request has two Hosts'); // a proxy may go by the other
  const name = host.replace(/:\d*$/, '');
  if (!LOOPBACK.test(name) && !hosts.includes(name.toLowerCase()))
    throw new RpcError('PERMISSION_DENIED', 'the Host of the request is not a loopback name; --host NAME allows one');
  if (origin !== undefined && origins.includes(origin)) return;
  const site = headers['sec-fetch-site'] ?? 'none';
  const isOwn =
    referer === undefined || /^https?:\/\/([^/?#]*)/i.exec(referer)?.[1]?.toLowerCase() === host.toLowerCase();
  if (origin !== undefined || !isOwn || !['none', 'same-origin'].includes(String(site)))
    throw new RpcError(
      'PERMISSION_DENIED',
      'requests of web pages are refused; --allow-origin ORIGIN allows a browser extension',
    );
}

const FORM = 'application/x-www-form-urlencoded';

// Content codings (RFC 9110 section 8.4.1). Google's client in Java packs bodies by default.
const IDENTITY = 'identity';
const GZIP = ['gzip', 'x-gzip'];

/**
 * Returns the parameters of a request. Clients that are generated from Google's descriptions of its APIs read JSON, the
 * default there, and those in Java and JavaScript do not say so: the latter would take protobuf for an empty answer.
 *
 * @throws {RpcError}
 */
function queryOf(headers: IncomingMessage['headers'], text: string): Query {
  const query = queryIn(text);
  const isGenerated = /\bgdcl\//.test(String(headers['x-goog-api-client']));
  return isGenerated && !query.some(([name]) => FORMAT.includes(name)) ? [...query, ['alt', 'json']] : query;
}

/** @throws {RpcError} */
async function requestOf(request: IncomingMessage, path: string): Promise<HttpRequest> {
  const { method, headers } = request;
  const url = request.url!;
  if (!/^\/[!-~]*$/.test(url)) throw new RpcError('INVALID_ARGUMENT', 'the target is not a path');
  const search = url.slice(path.length + 1);
  if (method === 'GET' || method === 'HEAD')
    return { method: 'GET', path, query: queryOf(headers, search), body: new Uint8Array(0) };
  if (method !== 'POST') throw RpcError.refused(405, `the method ${method} is not supported`);
  const override = headers['x-http-method-override'];
  if (override !== undefined && override !== 'GET') throw RpcError.refused(405, 'a POST can only be overridden as GET');
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  const expected = override === undefined ? 'application/json' : FORM;
  if (type !== expected) throw RpcError.refused(415, `the body must be ${expected}`);
  const coding = headers['content-encoding']?.toLowerCase() ?? IDENTITY;
  if (coding !== IDENTITY && !GZIP.includes(coding))
    throw RpcError.refused(415, 'the body may be packed by gzip alone');
  const given = await bodyOf(request);
  const body = coding === IDENTITY ? given : await unpacked(given);
  if (override === undefined) return { method, path, query: queryIn(search), body };
  const form = Buffer.from(body).toString('latin1');
  return { method: 'GET', path, query: queryOf(headers, `${search}&${form}`), body: new Uint8Array(0) };
}

/** @throws {RpcError} where it is too long, and nothing of it is kept */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) throw tooLong();
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Uint8Array) => {
      byteLength += chunk.length;
      if (byteLength > MAX_BODY_BYTES) reject(tooLong());
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', () => reject(RpcError.refused(408, 'the request ended early')));
  });
}

const tooLong = (): RpcError => RpcError.refused(413, `the body has more than ${MAX_BODY_BYTES} bytes`);

const gunzipped = promisify(gunzip);

/** Unpacks a body: no more of it than a body may have. @throws {RpcError} */
async function unpacked(body: Uint8Array): Promise<Uint8Array> {
  try {
    return await gunzipped(body, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLong ? tooLong() : new RpcError('INVALID_ARGUMENT', 'the body is not a whole gzip stream');
  }
}

/** Lets a client that is still sending read its answer: one that does not stop is cut off. */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  let byteLength = 0;
  request.removeAllListeners('data').on('data', (chunk: Uint8Array) => {
    byteLength += chunk.length;
    if (byteLength > MAX_DISCARDED_BYTES) request.destroy();
  });
}

/** @throws {RpcError} where there is no answer in time */
async function inTime(answer: Promise<HttpAnswer>, answerMs: number): Promise<HttpAnswer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RpcError('DEADLINE_EXCEEDED', 'no answer came in time')), answerMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/**
 * Input that is not HTTP, too long or too slow never becomes a request.
 *
 * @param graceMs how long a client may take to read that and to close its side: a connection that is half open counts
 */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, graceMs: number): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const rpc =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? RpcError.refused(431, `the header has more than ${MAX_HEADER_BYTES} bytes`)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? RpcError.refused(408, 'the request did not come in time')
        : new RpcError('INVALID_ARGUMENT', 'this is not an HTTP request');
  const head = `HTTP/1.1 ${rpc.status} ${rpc.code}\r\nconnection: close\r\ncontent-type: application/json\r\n`;
  socket.end(`${head}content-length: ${Buffer.byteLength(rpc.body)}\r\n\r\n${rpc.body}`);
  setTimeout(() => socket.destroy(), graceMs).unref();
}
