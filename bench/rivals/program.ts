// The protocol of every program that is timed, whatever it is written in. It is given the path of a file of lines, and
// writes one line for each that it reads:
//
//   at its start    {"name":"Go","version":"1.26.8","ways":{"hash":["net/url + crypto/sha256"],"message":[…]}}: ways to
//                   hash a URL, to bring it to a form, to hash a line as it is, and to hash the expressions of a URL;
//                   without a version where each way names those of what it is made of
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
import { textOf } from '../corpus.ts';
import type { Round } from '../measure.ts';

/** A program that can be started on a file of lines. */
export interface Start {
  /** The name in messages, until it has introduced itself. */
  readonly name: string;
  /** The words for the shell, before a file: they write the 32 bytes of each line to standard output. */
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
  readonly ways: Readonly<Partial<Record<'hash' | 'form' | 'single' | 'message' | 'expressions', readonly string[]>>>;
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
  readonly #requests: Writable;
  readonly #answers: AsyncIterator<string>;

  private constructor(introduction: Introduction, requests: Writable, answers: AsyncIterator<string>) {
    this.introduction = introduction;
    this.#requests = requests;
    this.#answers = answers;
  }

  static async start(start: Start, path: string): Promise<Program> {
    const connection = await start.connect(path);
    const answers = createInterface({ input: connection.answers })[Symbol.asyncIterator]();
    const introduction = JSON.parse(await next(answers, start.name)) as Introduction;
    return new Program(introduction, connection.requests, answers);
  }

  /** `Node 26.10.0`; of a program of several libraries, `Rust`. */
  get title(): string {
    const { name, version } = this.introduction;
    return `${name} ${version}`.trimEnd();
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

/** Starts each on a file of these lines. */
export function startAll(starts: readonly Start[], lines: readonly string[]): Promise<Program[]> {
  const path = temporaryFile(textOf(lines));
  return Promise.all(starts.map((start) => Program.start(start, path)));
}

/** Lines on which all ways of all programs agree, so that all do the same work, and notes on those that differ. */
export async function agreedLines(
  starts: readonly Start[],
  lines: readonly string[],
  waysOf: (program: Program) => readonly string[],
): Promise<{ readonly agreed: string[]; readonly notes: string[] }> {
  const programs = await startAll(starts, lines);
  const opinions: Opinion[] = [];
  for (const program of programs)
    for (const way of waysOf(program))
      opinions.push({ name: `${program.title}, ${way}`, digests: await program.digests(way) });
  for (const program of programs) program.stop();
  const { rows, differing } = agreementOf(opinions[0]!.digests, opinions);
  return {
    agreed: rows.map((row) => lines[row]!),
    notes: Array.from(differing, ([name, count]) => `${name}: ${count} of ${lines.length} digests differ`),
  };
}

const DIGEST_BYTES = 32;

/** The results that one way of one program makes of the lines. */
export interface Opinion {
  readonly name: string;
  /** 32 bytes per line, zeros for what it does not hash. */
  readonly digests: Uint8Array;
}

export interface Agreement {
  /** Rows on which all agree with the reference, in order. */
  readonly rows: readonly number[];
  /** How many rows each that differs has of its own. */
  readonly differing: ReadonlyMap<string, number>;
}

/** A way that agrees on no row hashes something else: it is named, and narrows nothing. */
export function agreementOf(reference: Uint8Array, opinions: readonly Opinion[]): Agreement {
  const rowCount = reference.length / DIGEST_BYTES;
  const isAgreed = new Uint8Array(rowCount).fill(1);
  const differing = new Map<string, number>();
  for (const { name, digests } of opinions) {
    const rows = differingRows(reference, digests);
    if (rows.length > 0) differing.set(name, rows.length);
    if (rows.length < rowCount) for (const row of rows) isAgreed[row] = 0;
  }
  return { rows: [...isAgreed.keys()].filter((row) => isAgreed[row] === 1), differing };
}

function differingRows(reference: Uint8Array, digests: Uint8Array): number[] {
  if (digests.length !== reference.length)
    throw new RangeError(`${digests.length} bytes of digests, expected ${reference.length}`);
  const rows: number[] = [];
  for (let row = 0; row < reference.length / DIGEST_BYTES; row++) {
    const [from, to] = [DIGEST_BYTES * row, DIGEST_BYTES * (row + 1)];
    if (Buffer.compare(reference.subarray(from, to), digests.subarray(from, to)) !== 0) rows.push(row);
  }
  return rows;
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
