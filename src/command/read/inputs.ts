import { existsSync, fstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { blocksOfRows } from '../../core/bytes/lines.ts';
import { withoutByteOrderMark } from '../../core/bytes/text.ts';
import { canonicalForm } from '../../core/url/canonicalize.ts';
import { isClosedStream, readToEnd } from '../../store/files.ts';
import { Fault, isFault, reasonOf } from '../fault.ts';
import { certainKindOf } from './file-kind.ts';
import type { Framing } from './framing.ts';
import { inputText, type Packing, UTF_8 } from './input-text.ts';

const STANDARD_INPUT = 0;

/**
 * Bytes read at a time. Each read and write wakes a thread, which on a virtual machine costs more than a larger chunk
 * loses in cache. JSON lines take 1.4 µs with 256 KiB and 1.0 µs with this; twice as much gains nothing.
 */
const CHUNK_BYTES = 1 << 20;

/** Bytes that are enough to tell the kind of a file. */
const START_BYTES = 1 << 16;

/** A file, or standard input under the name '-'. */
export interface Input {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The file, open from the first call on, until it is read to its end or closed. */
  opened(): Promise<FileHandle>;
  close(): Promise<void>;
  /** Bytes that were read until now, packed if they are. */
  readBytes: number;
  /** The encoding of a text without a byte order mark; default: UTF-8. */
  readonly encoding?: string;
  /** Whether markup is read, or refused. */
  readonly readsMarkup?: boolean;
  /** How its bytes are packed, known once the first are read. */
  packing?: Packing;
}

type InputOptions = Pick<Input, 'encoding' | 'readsMarkup'>;

/** Returns the inputs of a command line: files or URLs, in order; '-' or no operand is standard input. */
export function inputsOf(operands: readonly string[], options: InputOptions = {}): Input[] {
  return (operands.length === 0 ? ['-'] : operands).map((name) => inputOf(name, options));
}

function inputOf(name: string, options: InputOptions): Input {
  let file: Promise<FileHandle> | undefined;
  const opened = () => (file ??= openFile(name));
  const input: Input = { ...options, name, chunks: counted(), opened, close, readBytes: 0 };
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksIn(name, opened)) {
      input.readBytes += chunk.length;
      yield chunk;
    }
  }
  async function close(): Promise<void> {
    await (await file?.catch(() => undefined))?.close(); // what opening it threw was thrown where it is read
  }
  return input;
}

/** An input that the plan reads, which threads get as it was: a file or URL that an option names. */
export function inputInMemory(name: string): Pick<Input, 'name' | 'chunks'> {
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield isUrlOperand(name) ? Buffer.from(name) : wholeInput(name);
  }
  return { name, chunks: whole() };
}

function chunksIn(operand: string, opened: () => Promise<FileHandle>): AsyncIterable<Uint8Array> {
  return isUrlOperand(operand) ? Readable.from([Buffer.from(operand)]) : fileChunks(operand, opened);
}

/** Reads a file, or standard input under the name '-', but never a URL in the place of a file. */
export function fileChunks(path: string, opened = () => openFile(path)): AsyncIterable<Uint8Array> {
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
    await reading.catch(() => undefined); // the file must not be closed during a read, whose error nobody needs
  }
}

/** An input cannot be read, or not to its end. Some errors name the input already. */
export function inputFault({ name }: Pick<Input, 'name'>, error: unknown): Fault {
  if (isFault(error, 'input')) return error;
  return new Fault('input', `${name}: ${reasonFor(name, error)}`, { cause: error });
}

/**
 * Yields blocks of whole rows in UTF-8, unpacked and without a byte order mark. The last row may lack its line end.
 *
 * @throws {Fault}
 */
export async function* blocksOf(
  input: Pick<Input, 'name' | 'chunks' | 'encoding' | 'readsMarkup' | 'packing'>,
  framing?: Pick<Framing, 'cutter' | 'transform'>,
): AsyncGenerator<Uint8Array> {
  try {
    const text = inputText(input.chunks, input);
    yield* blocksOfRows(framing?.transform?.(text) ?? text, framing?.cutter());
  } catch (error) {
    throw inputFault(input, error);
  }
}

function reasonFor(name: string, cause: unknown): string {
  const isMissing = (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
  return isMissing ? `no such file${aboutUrl(name)}` : reasonOf(cause);
}

/** All files together. */
export interface Total {
  readonly byteLength: number;
  /** Whether one of them is packed, so that it is not the length of the text. */
  readonly isPacked: boolean;
}

/** Returns undefined if one is not a plain file. */
export async function totalOf(inputs: readonly Input[]): Promise<Total | undefined> {
  let total: Total = { byteLength: 0, isPacked: false };
  for (const { name } of inputs) {
    // reading the file throws the reason
    const found = name === '-' ? undefined : await stat(name).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    total = {
      byteLength: total.byteLength + found.size,
      isPacked: total.isPacked || /\.(?:gz|zst)$/i.test(name),
    };
  }
  return total;
}

/** A plain file that is to be read as it is. */
export interface PlainText {
  readonly descriptor: number;
  readonly byteLength: number;
  /** Its first bytes, after a byte order mark. */
  readonly start: Uint8Array;
}

/** Opens an input. Returns undefined for anything but a plain file in UTF-8 that is not packed. */
export async function plainText(input: Input): Promise<PlainText | undefined> {
  if ((input.encoding ?? UTF_8) !== UTF_8) return undefined;
  const file = await input.opened();
  const found = await file.stat();
  if (!found.isFile()) return undefined;
  const { buffer, bytesRead } = await file.read(new Uint8Array(START_BYTES), 0, START_BYTES, 0);
  const start = buffer.subarray(0, bytesRead);
  if (certainKindOf(start) !== undefined) return undefined;
  return { descriptor: file.fd, byteLength: found.size, start: withoutByteOrderMark(start) };
}

// A run opens each file once: a name may lead to another file a moment later, and the output would be of two. What a
// plan looks into stays open for whoever reads it, and the threads of -j, which make the plan anew, get what it has read.

/** What a plan has read, by the paths of the files. */
export interface PlanFiles {
  /** The first bytes of operands. */
  readonly starts: Map<string, Uint8Array>;
  /** All bytes of what options name. */
  readonly wholes: Map<string, Uint8Array>;
}

let read: PlanFiles = { starts: new Map(), wholes: new Map() };
const lookedInto = new Map<string, FileHandle>();

/** Opens a file to read it, or takes the one that a look has opened. The caller closes it. */
async function openFile(path: string): Promise<FileHandle> {
  const opened = lookedInto.get(path);
  lookedInto.delete(path);
  return opened ?? (await open(path));
}

/** Returns up to `byteLength` first bytes, none of what is not a plain file: a pipe would wait for its writer. */
export async function startOf(path: string, byteLength: number): Promise<Uint8Array> {
  const known = read.starts.get(path);
  if (known !== undefined) return known;
  if (!(await stat(path)).isFile()) return new Uint8Array(0);
  const file = lookedInto.get(path) ?? (await open(path));
  lookedInto.set(path, file);
  const { buffer, bytesRead } = await file.read(new Uint8Array(byteLength), 0, byteLength, 0);
  const start = buffer.subarray(0, bytesRead);
  read.starts.set(path, start);
  return start;
}

/** Returns all bytes of a file that an option names, or of standard input under the name '-'. @throws as reading does */
export function wholeInput(path: string): Uint8Array {
  const known = read.wholes.get(path);
  if (known !== undefined) return known;
  const bytes = path === '-' ? readToEnd(STANDARD_INPUT) : readFileSync(path);
  read.wholes.set(path, bytes);
  return bytes;
}

/** The same of a plain file; undefined for anything else. */
export function plainInput(path: string): Uint8Array | undefined {
  return read.wholes.has(path) || statSync(path).isFile() ? wholeInput(path) : undefined;
}

/** Gives away what the plan has read, so that its memory is free where nobody needs it. */
export function takePlanFiles(): PlanFiles {
  const taken = read;
  read = { starts: new Map(), wholes: new Map() };
  return taken;
}

/** In a thread: what its plan reads is what the main thread has read. */
export function givePlanFiles(files: PlanFiles): void {
  read = files;
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
