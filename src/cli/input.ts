import { open, stat } from 'node:fs/promises';
import { LineBlocks } from '../bulk/line-blocks.ts';
import { withoutByteOrderMark } from '../bulk/text.ts';
import { plainChunks } from './compression.ts';
import type { Diagnostics } from './diagnostics.ts';

/** Read at a time: small enough to stay in a core's second-level cache until it is hashed. */
const CHUNK_BYTES = 1 << 18;

/** A file, or standard input under the name '-'. */
export interface Input {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The inputs of a command line: its files in order, '-' or none at all for standard input. */
export function inputsOf(paths: readonly string[]): Input[] {
  return (paths.length === 0 ? ['-'] : paths).map((path) => ({
    name: path,
    chunks: path === '-' ? process.stdin : chunksOf(path),
  }));
}

/** Opened when the first chunk is asked for; each chunk is good until the next one is. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let read; (read = (await file.read(chunk)).bytesRead) > 0; ) yield chunk.subarray(0, read);
  } finally {
    await file.close();
  }
}

/**
 * Blocks of whole lines without the byte order mark of the start; the last line may lack its line feed. An
 * input that cannot be read is reported and ends there: the others are still worth reading.
 */
export async function* blocksOf({ name, chunks }: Input, diagnostics: Diagnostics): AsyncGenerator<Uint8Array> {
  let isStart = true;
  try {
    for await (const block of wholeLines(plainChunks(chunks))) {
      yield isStart ? withoutByteOrderMark(block) : block;
      isStart = false;
    }
  } catch (error) {
    diagnostics.trouble(name, error);
  }
}

async function* wholeLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const lines = new LineBlocks();
  for await (const chunk of chunks) {
    const block = lines.push(chunk);
    if (block.length > 0) yield block;
  }
  const rest = lines.end();
  if (rest.length > 0) yield rest;
}

/** The bytes of all files together, or undefined where one is no plain file. */
export async function totalBytes(paths: readonly string[]): Promise<number | undefined> {
  let total = 0;
  for (const path of paths.length === 0 ? ['-'] : paths) {
    const found = path === '-' ? undefined : await stat(path).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    total += found.size;
  }
  return total;
}
