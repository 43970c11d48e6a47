import { type FileHandle, open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import workerSource from '../../../build/pool-worker.txt';
import simd from '../../../build/simd.hex';
import { mustBeBytes, mustBeNumber, mustBeOptions, mustBeStream, ownProperties } from '../../core/argument.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { blocksOfRows } from '../../core/bytes/lines.ts';
import { HashColumn } from '../../core/digest/column.ts';
import { mustBeWidth } from '../../core/digest/hash.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import { type AbortSource, signalOf, untilAborted } from '../../core/lifetime.ts';
import { parseBase } from '../../core/url/canonicalize.ts';
import { formOf, OPTION_NAMES, type Options } from '../../core/url/options.ts';
import { TABLE } from '../../core/url/unicode-table.ts';
import { mustBePath } from '../node-module.ts';
import type { PoolJob, PoolWorkerData } from './worker.ts';
import { rangesOf, SHARES_DESCRIPTORS, Workers } from './workers.ts';

/** Bytes of a file that a thread takes at a time: about 30,000 URLs, a few milliseconds of work. */
const RANGE_BYTES = 1 << 21;

/** The most threads, as of the command's -j: a process that starts many more is ended by the system. */
const MAX_THREADS = 999;

/** Options of `UrlHashPool`. */
export interface UrlHashPoolOptions<W extends Width = Width> extends Options {
  /** Worker threads, at most 999; the default is what the machine runs at once. */
  readonly threads?: number | undefined;
  /** Bytes of each SHA-256 that are kept: 8, 16 or 32 (default). */
  readonly width?: W | undefined;
}

type Job = readonly [job: PoolJob, transfer: readonly ArrayBuffer[]];

/**
 * Hashes lines on several threads, each with a kernel of its own; the columns come in the order of the text and hold,
 * row for row, what `UrlHasher.hashLines` returns. For Node, Deno and Bun.
 *
 * @example
 * const pool = new UrlHashPool({ threads: 2, width: 8 });
 * const { body } = new Response('https://example.com/\n');
 * for await (const column of pool.hashReadable(body!)) {
 *   column.hex(0); //=> '0f115db062b7c0dd'
 * }
 * await pool.close();
 */
export class UrlHashPool<W extends Width = 32> {
  /** @internal */
  static readonly name = 'UrlHashPool';
  readonly #workers: Workers<PoolJob, HashColumn<W>>;

  /**
   * @param options the number of threads, the width in bytes, which canonical form, the base of relative URLs
   * @throws {UrlError} where the base is not a URL
   * @throws {TypeError} on options of the wrong kind
   * @throws {RangeError} on a width other than 8, 16 and 32, fewer than 1 thread or more than 999, and on an option
   * that does not exist
   */
  constructor(options: UrlHashPoolOptions<W> = {}) {
    const own = mustBeOptions('options', options, ['threads', 'width', ...OPTION_NAMES]);
    const { threads = Math.min(availableParallelism(), MAX_THREADS), width = 32 as W } = own;
    if (!Number.isInteger(mustBeNumber('threads', threads)) || threads < 1 || threads > MAX_THREADS)
      throw new RangeError(`threads must be a whole number from 1 to ${MAX_THREADS}, got ${threads}`);
    const urlForm = formOf(own);
    const { siteRules, ...form } = urlForm.options;
    const workerData: PoolWorkerData = {
      width: mustBeWidth(width),
      form,
      siteRules: siteRules?.text,
      base: parseBase(own, urlForm),
      embedded: { simd, table: TABLE },
    };
    this.#workers = new Workers(workerSource, threads, workerData);
  }

  /**
   * The lines of a file. A plain file is read by the threads themselves, a range each; anything else (a pipe, and what
   * /proc calls a file of 0 bytes) as a stream. It must not change while it is read.
   *
   * @param path of the file, or its `file:` URL
   * @param options a signal that ends it
   * @throws {TypeError} where the path or the signal is not one, and where the file is packed; what opening and reading
   *   the file throws; an Error where it became shorter; the signal's reason
   */
  async *hashFile(
    path: string | URL,
    options: {
      /** Ends it. */
      readonly signal?: AbortSource | undefined;
    } = {},
  ): AsyncGenerator<HashColumn<W>> {
    const signal = signalOf(options);
    const name = mustBePath('path', path);
    const opening = open(name);
    try {
      const file = await untilAborted(opening, signal); // a pipe opens when its writer does
      const found = await file.stat();
      yield* found.isFile() && found.size > 0 && SHARES_DESCRIPTORS
        ? this.#columns(ranges(await mustBeText(file, name), found.size), signal)
        : this.#columns(blocks(file.createReadStream(ownProperties({ autoClose: false })), name), signal);
    } finally {
      opening.then((file) => file.close()).catch(() => undefined); // that it does not open was thrown above
    }
  }

  /**
   * The lines of a stream of UTF-8 text, cut anywhere: a WHATWG ReadableStream, a Node stream, any async iterable.
   *
   * @param readable its chunks, cut anywhere
   * @param options a signal that ends it
   * @throws {TypeError} on anything but a stream, on packed bytes, and on a chunk that is not a Uint8Array, such as the
   *   strings of a Node stream with an encoding; what the stream throws; the signal's reason, also while the stream is
   *   silent
   */
  hashReadable(
    readable: AsyncIterable<Uint8Array>,
    options: {
      /** Ends it. */
      readonly signal?: AbortSource | undefined;
    } = {},
  ): AsyncGenerator<HashColumn<W>> {
    return this.#columns(
      blocks(mustBeStream('readable', readable, 'a stream of bytes'), 'the stream'),
      signalOf(options),
    );
  }

  /** Ends the threads. Columns that are still awaited reject. */
  close(): Promise<void> {
    return this.#workers.close();
  }

  /** Closes the pool: `await using` ends the threads. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *#columns(jobs: AsyncIterable<Job>, signal: AbortSource | undefined): AsyncGenerator<HashColumn<W>> {
    for await (const parts of this.#workers.runAll(jobs, signal)) {
      const column = HashColumn.from(parts);
      if (column.length > 0) yield column;
    }
  }
}

async function* ranges(descriptor: number, byteLength: number): AsyncGenerator<Job> {
  for (const range of rangesOf(descriptor, byteLength, RANGE_BYTES)) yield [{ range }, []];
}

/** Yields blocks of whole lines, each in its own memory, which goes to its thread. */
async function* blocks(readable: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Job> {
  let isFirst = true;
  for await (const block of blocksOfRows(checked(readable))) {
    if (isFirst) mustNotBePacked(block, name);
    isFirst = false;
    const lines = Uint8Array.from(block);
    yield [{ lines }, [lines.buffer]];
  }
}

/** Returns the descriptor of a plain file. @throws {TypeError} where it is packed */
async function mustBeText(file: FileHandle, name: string): Promise<number> {
  const { buffer } = await file.read(new Uint8Array(PACKED_START_BYTES), 0, PACKED_START_BYTES, 0);
  mustNotBePacked(buffer, name);
  return file.fd;
}

/** First bytes, in hex: RFC 1952, section 2.3.1, and RFC 8878, sections 3.1.1 and 3.1.2. No text in UTF-8 has them. */
const PACKED_STARTS = { gzip: /^1f8b08/, zstd: /^(?:28b52ffd|5.2a4d18)/ } as const;
const PACKED_START_BYTES = 4;

/** @throws {TypeError} where the lines would be those of packed bytes */
function mustNotBePacked(start: Uint8Array, name: string): void {
  const hex = hexOfBytes(start.subarray(0, PACKED_START_BYTES));
  for (const [format, signature] of Object.entries(PACKED_STARTS))
    if (signature.test(hex))
      throw new TypeError(`${name} is packed by ${format}: give hashReadable the stream that unpacks it`);
}

async function* checked(readable: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of readable) yield mustBeBytes('a chunk', chunk);
}
