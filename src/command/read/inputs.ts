import { existsSync, fstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { withoutByteOrderMark } from '../../core/bytes/text.ts';
import { canonicalForm } from '../../core/url/canonicalize.ts';
import { isClosedStream, readToEnd } from '../../store/files.ts';
import { Fault, isFault, reasonOf } from '../fault.ts';
import { certainKindOf } from './file-kind.ts';

const STANDARD_INPUT = 0;

/**
 * Bytes read at a time. Each read and write wakes a thread, which on a virtual machine costs more than a larger chunk
 * loses in cache. JSON lines take 1.4 µs with 256 KiB and 1.0 µs with this; twice as much gains nothing.
 */
const CHUNK_BYTES = 1 << 20;

/** Bytes that are enough to tell the kind of a file. */
const START_BYTES = 1 << 16;

/**
 * A file, a URL, or standard input under the name '-'. A file is opened once, whoever looks into it first: a moment
 * later, its name may lead to another, and the output would be of two.
 */
export class Input {
  readonly name: string;
  /** The bytes as they are, each chunk valid until the next is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Bytes that were read until now, packed if they are. */
  readBytes = 0;
  #start: Uint8Array | undefined;
  #file: Promise<FileHandle> | undefined;

  /** @param start the first bytes, as another thread has seen them */
  constructor(name: string, start?: Uint8Array) {
    this.name = name;
    this.#start = start;
    this.chunks = this.#counted();
  }

  /** The first bytes, if somebody has looked at them. */
  get start(): Uint8Array | undefined {
    return this.#start;
  }

  /** Returns up to `byteLength` first bytes, none of what is not a plain file: a pipe would wait for its writer. */
  async startOf(byteLength: number): Promise<Uint8Array> {
    if (this.#start !== undefined) return this.#start;
    if (!(await stat(this.name)).isFile()) return new Uint8Array(0);
    return (this.#start = await startIn(await this.opened(), byteLength));
  }

  /** The file, open from the first call on, until it is read to its end or closed. */
  opened(): Promise<FileHandle> {
    return (this.#file ??= open(this.name));
  }

  async close(): Promise<void> {
    await (await this.#file?.catch(() => undefined))?.close(); // what opening it threw was thrown where it is read
  }

  async *#counted(): AsyncGenerator<Uint8Array> {
    const { name } = this;
    const chunks = isUrlOperand(name) ? [Buffer.from(name)] : fileChunks(name, () => this.opened());
    for await (const chunk of chunks) {
      this.readBytes += chunk.length;
      yield chunk;
    }
  }
}

async function startIn(file: FileHandle, byteLength: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(byteLength), 0, byteLength, 0);
  return buffer.subarray(0, bytesRead);
}

/** Reads a file, or standard input under the name '-', but never a URL in the place of a file. */
export function fileChunks(path: string, opened = () => open(path)): AsyncIterable<Uint8Array> {
  return path === '-' ? standardInput() : chunksOf(opened);
}

function standardInput(): AsyncIterable<Uint8Array> {
  if (isClosedStream(STANDARD_INPUT)) return closedInput();
  const found = fstatSync(STANDARD_INPUT);
  return found.isFile() || found.isDirectory() ? redirectedChunks(found) : process.stdin;
}

// biome-ignore lint/correctness/useYield: what is closed has nothing, which is not the same as being empty
async function* closedInput(): AsyncGenerator<Uint8Array> {
  throw new Error('it is closed, or /dev/null opened for writing as well');
}

/** Reads what the shell has opened: a file may have been read in part, and a folder is an empty stream to Node. */
async function* redirectedChunks(found: Stats): AsyncGenerator<Uint8Array> {
  if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  let total = 0;
  for await (const chunk of process.stdin) {
    total += (chunk as Uint8Array).length;
    yield chunk as Uint8Array;
  }
  mustBeWhole(total, found.size, fstatSync(STANDARD_INPUT).size);
}

/** Files under /sys have fewer bytes than their size, which stays the same. @throws where a file became shorter */
function mustBeWhole(readBytes: number, firstSize: number, lastSize: number): void {
  if (readBytes < firstSize && lastSize < firstSize) throw new Error('it became shorter while it was read');
}

/** Opens the file when the first chunk is asked for. Each chunk is valid until the next is asked for. */
async function* chunksOf(opened: () => Promise<FileHandle>): AsyncGenerator<Uint8Array> {
  const file = await opened();
  try {
    const found = await file.stat();
    yield* found.isFile() ? chunksAhead(file, found.size) : chunksInTurn(file);
  } finally {
    await file.close();
  }
}

/** A pipe may be silent for long, so nothing is read ahead. */
async function* chunksInTurn(file: FileHandle): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (let read; (read = (await file.read(chunk)).bytesRead) > 0; ) yield chunk.subarray(0, read);
}

/**
 * Reads a chunk while the one before is hashed, which saves one thread a seventh of its time. Whole chunks for each of
 * many small files took three quarters of a run, to clear and collect their memory.
 */
async function* chunksAhead(file: FileHandle, byteLength: number): AsyncGenerator<Uint8Array> {
  const chunkBytes = Math.min(CHUNK_BYTES, Math.max(START_BYTES, byteLength)); // of /proc, the length is 0
  let [chunk, other] = [new Uint8Array(chunkBytes), new Uint8Array(chunkBytes)];
  let total = 0;
  let reading = file.read(chunk);
  try {
    for (let read; (read = (await reading).bytesRead) > 0; [chunk, other] = [other, chunk]) {
      total += read;
      reading = file.read(other);
      reading.catch(() => undefined); // it is awaited above, after the chunk that is hashed now
      yield chunk.subarray(0, read);
    }
    mustBeWhole(total, byteLength, (await file.stat()).size);
  } finally {
    await reading.catch(() => undefined); // the file must not be closed during a read
  }
}

/** An input cannot be read, or not to its end. Some errors name the input already. */
export function inputFault({ name }: Pick<Input, 'name'>, error: unknown): Fault {
  if (isFault(error, 'input')) return error;
  return new Fault('input', `${name}: ${reasonFor(name, error)}`, { cause: error });
}

function reasonFor(name: string, cause: unknown): string {
  const isMissing = (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
  return isMissing ? `no such file${aboutUrl(name)}` : reasonOf(cause);
}

/** Returns the byte length of all files together; undefined if one is not a plain file. */
export async function totalOf(inputs: readonly Input[]): Promise<number | undefined> {
  let byteLength = 0;
  for (const { name } of inputs) {
    // reading the file throws the reason
    const found = name === '-' ? undefined : await stat(name).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    byteLength += found.size;
  }
  return byteLength;
}

/** A plain file that is to be read as it is. */
export interface PlainText {
  readonly descriptor: number;
  readonly byteLength: number;
  /** Its first bytes, after a byte order mark. */
  readonly start: Uint8Array;
}

/** Opens an input of text in UTF-8. Returns undefined for anything but a plain file that is not packed. */
export async function plainText(input: Input): Promise<PlainText | undefined> {
  const file = await input.opened();
  const found = await file.stat();
  if (!found.isFile()) return undefined;
  const start = await startIn(file, START_BYTES);
  if (certainKindOf(start) !== undefined) return undefined;
  return { descriptor: file.fd, byteLength: found.size, start: withoutByteOrderMark(start) };
}

/** Returns all bytes of a file, or of standard input under the name '-'. @throws as reading does */
export function wholeInput(path: string): Uint8Array {
  return path === '-' ? readToEnd(STANDARD_INPUT) : readFileSync(path);
}

/** The bytes of files that options name, by path: the threads of -j get what the main thread has read. */
export type ReadFiles = Map<string, Uint8Array>;

/** A file that an option names, read when its bytes are first asked for. */
export class OptionFile {
  readonly path: string;
  readonly #read: ReadFiles;

  constructor(path: string, read: ReadFiles = new Map()) {
    this.path = path;
    this.#read = read;
  }

  /** Returns all bytes of the file, or of standard input under the name '-'. @throws as reading does */
  bytes(): Uint8Array {
    const bytes = this.#read.get(this.path) ?? wholeInput(this.path);
    this.#read.set(this.path, bytes);
    return bytes;
  }

  /** Returns the same of a plain file; undefined for anything else. @throws as reading does */
  plainBytes(): Uint8Array | undefined {
    return this.#read.has(this.path) || statSync(this.path).isFile() ? this.bytes() : undefined;
  }
}

/** A scheme has at least two letters: with one, C:\x on Windows would be a URL. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** Whether an operand is one line with an absolute URL, not the name of a file. */
export function isUrl(operand: string): boolean {
  return SCHEME.test(operand) && !/[\n\r\0]/.test(operand) && typeof canonicalForm(operand) === 'string';
}

/** Whether an operand is an absolute URL, and no file has that name. */
export function isUrlOperand(operand: string): boolean {
  return isUrl(operand) && !existsSync(operand);
}

/** Completes "no such file" if a URL was probably meant. */
function aboutUrl(operand: string): string {
  if (isUrl(operand)) return ', and a URL is not fetched';
  const form = operand.includes('://') ? canonicalForm(operand) : '';
  return typeof form === 'string' ? '' : `, and not a URL: ${form.sentence}`;
}
