// The protocol of every program that is timed, whatever it is written in. It is given the path of a file of lines, and
// writes one line for each that it reads:
//
//   at its start    {"name":"Go","version":"1.26.8","ways":{"hash":["net/url + crypto/sha256"],"message":[…]}}: ways to
//                   hash a URL, to bring it to a form, and to hash a line as it is; without a version where each way
//                   names those of what it is made of
//   digests WAY     the SHA-256 of every line in hexadecimal, one after another, zeros for what is not a URL; of a way
//                   to a form, those of the form
//   round WAY       {"elapsed":561.2,"processor":560.8}, nanoseconds per line of the lines taken once; without the
//                   processor's where they are not known
//
// A slow way may take a share of the lines. The program ends when its requests do: a process its standard input, a page
// its events.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Round } from '../measure.ts';

/** What can be started on a file of lines. */
export interface Start {
  /** For messages, until it has introduced itself. */
  readonly name: string;
  /** How it was built, where it is built in several ways. */
  readonly build?: string | undefined;
  /** For the shell, before a file: writes the 32 bytes of each line to standard output. */
  readonly bytesCommand?: string | undefined;
  connect(path: string): Promise<Connection>;
}

export interface Connection {
  readonly requests: Writable;
  readonly answers: Readable;
}

export interface Introduction {
  readonly name: string;
  readonly version: string;
  readonly ways: Readonly<Partial<Record<'hash' | 'form' | 'message', readonly string[]>>>;
}

/** The programs that this machine can start, and a sentence for each that it cannot. */
export interface Found {
  readonly starts: readonly Start[];
  readonly absent: readonly string[];
}

export function joined(founds: readonly Found[]): Found {
  const sentences = new Set(founds.flatMap(({ absent }) => absent));
  return { starts: founds.flatMap(({ starts }) => starts), absent: [...sentences] };
}

export function absent(sentence: string): Found {
  return { starts: [], absent: [sentence] };
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
    const title = `${name} ${version}`.trimEnd();
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

/** A program that is a process: it is given the path of the lines after `args`. */
export function executable(command: string, args: readonly string[] = []): Start {
  return { name: command, connect: (path) => connect(command, [...args, path]) };
}

async function connect(command: string, args: readonly string[]): Promise<Connection> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  return { requests: child.stdin, answers: child.stdout };
}

let folder: string | undefined;
let fileCount = 0;

/** The path of a file that lives as long as this process. */
export function temporaryFile(content: string | Uint8Array = ''): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'urlsum-bench-'));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  const path = join(folder, `${fileCount++}`);
  writeFileSync(path, content);
  return path;
}
