import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The faults that the proxy puts into an answer. */
export const FAULTS = [
  'connection dropped',
  'connection dropped within the body',
  'no answer',
  'status 500',
  'status 503 with Retry-After',
  'body cut',
  'redirect',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Between checker and server, over HTTP on loopback: passes on what the server answers, or spoils it. */
export class FaultyProxy {
  /** Chosen anew for each request. */
  fault: (path: string) => Fault | undefined = () => undefined;
  /** Rewrites the lists that the server sent. */
  rewriteLists: (body: Buffer) => Buffer = (body) => body;
  /** How often each fault was done. */
  readonly faultCounts = new Map<Fault, number>();
  requestCount = 0;
  readonly #server: Server;
  readonly #target: string;
  /** The most prefixes that a request had, and the lengths that its prefixes had, in bytes. */
  maxPrefixes = 0;
  readonly prefixLengths = new Set<number>();

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer(
      { maxHeaderSize: 1 << 16 },
      (request, response) => void this.#answer(request, response),
    );
  }

  /** @param target ends with /v5/ */
  static async start(target: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v5/`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    this.#note(path);
    const fault = this.fault(path);
    if (fault !== undefined) this.faultCounts.set(fault, (this.faultCounts.get(fault) ?? 0) + 1);
    if (fault === 'connection dropped') return void request.socket.destroy();
    if (fault === 'no answer') return;
    if (fault === 'status 500') return void response.writeHead(500).end('no\n');
    if (fault === 'status 503 with Retry-After') return void response.writeHead(503, { 'retry-after': '1' }).end();
    if (fault === 'redirect') return void response.writeHead(302, { location: this.#target }).end();
    const answer = await fetch(new URL(path, this.#target));
    const sent = Buffer.from(await answer.arrayBuffer());
    const body = path.includes('batchGet') ? this.rewriteLists(sent) : sent;
    const half = body.subarray(0, body.length >> 1);
    if (fault === 'body cut') return void response.writeHead(answer.status).end(half);
    response.writeHead(answer.status, { 'content-length': body.length });
    if (fault !== 'connection dropped within the body') return void response.end(body);
    response.write(half, () => request.socket.destroy());
  }

  #note(path: string): void {
    this.requestCount++;
    const prefixes = new URL(path, this.#target).searchParams.getAll('hashPrefixes');
    this.maxPrefixes = Math.max(this.maxPrefixes, prefixes.length);
    for (const each of prefixes) this.prefixLengths.add(Buffer.from(each, 'base64url').length);
  }
}
