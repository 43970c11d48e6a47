import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A reply: [1, the number of the request, the error or null, the result]. */
type Reply = readonly [number, number, { readonly error: string; readonly message: string } | null, unknown];

/**
 * Firefox's own protocol for WebDriver commands, which geckodriver speaks too: each message is JSON after its length in
 * bytes and a colon.
 *
 * @see https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
 */
export class Marionette {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #received = Buffer.alloc(0);
  #sent = 0;

  static async connect(port: number): Promise<Marionette> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Marionette(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', () => socket.destroy()); // the browser was stopped
  }

  /** @throws {Error} where the browser says so */
  async send(command: string, parameters: object = {}): Promise<unknown> {
    const message = Buffer.from(JSON.stringify([0, ++this.#sent, command, parameters]));
    const answered = new Promise<Reply>((resolve) => this.#waiting.set(this.#sent, resolve));
    this.#socket.write(`${message.length}:`);
    this.#socket.write(message);
    const [, , error, result] = await answered;
    if (error !== null) throw new Error(`${command}: ${error.error}: ${error.message}`);
    return result;
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const colon = this.#received.indexOf(':');
      const start = colon + 1;
      const end = start + Number(this.#received.subarray(0, Math.max(colon, 0)).toString());
      if (colon === -1 || this.#received.length < end) return;
      const message: unknown = JSON.parse(this.#received.subarray(start, end).toString());
      this.#received = this.#received.subarray(end);
      // the first message is a greeting
      if (Array.isArray(message)) this.#waiting.get(message[1])?.(message as unknown as Reply);
    }
  }
}
