// The protocol of every program that bench/rivals.ts times, whatever it is written in. It is given the path of a file
// of lines, and writes one line for each that it reads:
//
//   at its start    {"name":"Go","version":"1.26.8","ways":["net/url + crypto/sha256"]}
//   digests WAY     the SHA-256 of every line in hexadecimal, one after another, zeros for what is not a URL
//   round WAY       {"elapsed":561.2,"processor":560.8}, nanoseconds per line of all the lines hashed once
//
// It ends when its standard input does.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How a program is started, before the path of the lines. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Introduction {
  readonly name: string;
  readonly version: string;
  readonly ways: readonly string[];
}

/** Nanoseconds per line: as they passed, and of all the processors that the program used. */
export interface Round {
  readonly elapsed: number;
  readonly processor: number;
}

/** A running program. */
export class Program {
  readonly introduction: Introduction;
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  private constructor(introduction: Introduction, child: ChildProcess, answers: AsyncIterator<string>) {
    this.introduction = introduction;
    this.#child = child;
    this.#answers = answers;
  }

  static async start({ command, args }: Start, path: string): Promise<Program> {
    const child = spawn(command, [...args, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    const started = new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    await started;
    const answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const introduction = JSON.parse(await next(answers, command)) as Introduction;
    return new Program(introduction, child, answers);
  }

  /** `Node 26.10.0`; of a program of several crates, `Rust`. */
  get title(): string {
    const { name, version } = this.introduction;
    return version.includes(' ') ? name : `${name} ${version}`;
  }

  async digests(way: string): Promise<Buffer> {
    return Buffer.from(await this.#ask(`digests ${way}`), 'hex');
  }

  async round(way: string): Promise<Round> {
    return JSON.parse(await this.#ask(`round ${way}`)) as Round;
  }

  stop(): void {
    this.#child.stdin!.end();
  }

  #ask(request: string): Promise<string> {
    this.#child.stdin!.write(`${request}\n`);
    return next(this.#answers, `${this.title}, ${request}`);
  }
}

async function next(answers: AsyncIterator<string>, request: string): Promise<string> {
  const { value, done } = await answers.next();
  if (done) throw new Error(`${request}: the program ended without an answer`);
  return value;
}
