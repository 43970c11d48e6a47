// The protocol of every program that bench/rivals.ts times, whatever it is written in. It is given the path of a file
// of lines, and writes one line for each that it reads:
//
//   at its start    {"name":"Go","version":"1.26.8","ways":["net/url + crypto/sha256"]}
//   digests WAY     the SHA-256 of every line in hexadecimal, one after another, zeros for what is not a URL
//   round WAY       {"elapsed":561.2,"processor":560.8}, nanoseconds per line of the lines hashed once; without
//                   the processor's where they are not known
//
// A slow way may take a share of the lines. The program ends when its requests do: a process its standard input, a page
// its events.

import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** What can be started on a file of lines. */
export interface Start {
  /** For messages, until it has introduced itself. */
  readonly name: string;
  /** How it was built, where it is built in several ways. */
  readonly build?: string | undefined;
  /** For the shell, before a file: writes the 32 bytes of each line to standard output. */
  readonly bytesCommand?: string;
  connect(path: string): Promise<Connection>;
}

export interface Connection {
  readonly requests: Writable;
  readonly answers: Readable;
}

export interface Introduction {
  readonly name: string;
  readonly version: string;
  readonly ways: readonly string[];
}

/** Nanoseconds per line: as they passed, and of all the processors that the program used. */
export interface Round {
  readonly elapsed: number;
  readonly processor?: number | undefined;
}

/** A running program. */
export class Program {
  readonly introduction: Introduction;
  readonly start: Start;
  readonly #requests: Writable;
  readonly #answers: AsyncIterator<string>;

  private constructor(start: Start, introduction: Introduction, requests: Writable, answers: AsyncIterator<string>) {
    this.start = start;
    this.introduction = introduction;
    this.#requests = requests;
    this.#answers = answers;
  }

  static async start(start: Start, path: string): Promise<Program> {
    const connection = await start.connect(path);
    const answers = createInterface({ input: connection.answers })[Symbol.asyncIterator]();
    const introduction = JSON.parse(await next(answers, start.name)) as Introduction;
    return new Program(start, introduction, connection.requests, answers);
  }

  /** `Node 26.10.0`; of a program of several libraries, `Rust`, or `Rust, target-cpu=native`. */
  get title(): string {
    const { name, version } = this.introduction;
    const title = version.includes(' ') ? name : `${name} ${version}`;
    return this.start.build === undefined ? title : `${title}, ${this.start.build}`;
  }

  async digests(way: string): Promise<Buffer> {
    return Buffer.from(await this.#ask(`digests ${way}`), 'hex');
  }

  async round(way: string): Promise<Round> {
    return JSON.parse(await this.#ask(`round ${way}`)) as Round;
  }

  stop(): void {
    this.#requests.end();
  }

  #ask(request: string): Promise<string> {
    this.#requests.write(`${request}\n`);
    return next(this.#answers, `${this.title}, ${request}`);
  }
}

async function next(answers: AsyncIterator<string>, request: string): Promise<string> {
  const { value, done } = await answers.next();
  if (done) throw new Error(`${request}: the program ended without an answer`);
  return value;
}
