import { columnOfMessage } from '../pool/message.ts';
import { rangesOf } from '../pool/range.ts';
import { Workers } from '../pool/workers.ts';
import type { SumOptions } from './commands/sum-options.ts';
import { blocksOf, type Input, InputError, uncompressedByteLength } from './input/inputs.ts';
import type { Framing } from './rows/framing.ts';
import type { HashedRows } from './stage/hashes.ts';
import type { SumAnswer, SumJob, SumWorkerData } from './sum-worker.ts';
import type { Diagnostics } from './terminal/diagnostics.ts';

/** Bytes of a plain file that a thread takes at a time. */
const RANGE_BYTES = 1 << 20;

type Job = readonly [job: SumJob, transfer: readonly ArrayBuffer[]];

/** Rows, and their output where a thread has written it: it has kept their lines then. */
export interface SummedBlock {
  readonly byteLength: number;
  readonly rows: HashedRows;
  readonly output?: Uint8Array;
}

const NO_LINES = new Uint8Array(0);

/** The blocks of inputs, hashed on several threads and given back in order. */
export class ParallelSum {
  readonly #workers: Workers<SumJob, SumAnswer>;
  readonly #options: SumOptions;
  readonly #framing: Framing;

  constructor(options: SumOptions, framing: Framing) {
    const isWriter =
      !options.dedup && options.against === undefined && options.format !== 'arrow' && options.format !== 'parquet';
    const workerData: SumWorkerData = { options, isWriter };
    this.#workers = new Workers(new URL('./sum-worker.js', import.meta.url), options.threads, workerData);
    this.#options = options;
    this.#framing = framing;
  }

  /** An input that cannot be read is reported and ends there. */
  async *sums(input: Input, diagnostics: Diagnostics): AsyncGenerator<SummedBlock> {
    try {
      for await (const { byteLength, column, output, block = NO_LINES } of this.#workers.runAll(
        await this.#jobs(input),
      )) {
        const rows = { rows: this.#framing.rows(block), bytes: block, column: columnOfMessage(column) };
        yield { byteLength, rows, ...(output === undefined ? {} : { output }) };
      }
    } catch (error) {
      diagnostics.trouble(error instanceof InputError ? error : new InputError(input.name, error));
    }
  }

  close(): Promise<void> {
    return this.#workers.close();
  }

  /** Threads read the ranges of a plain file of lines themselves; all else is read here, and what says it is empty (/proc). */
  async #jobs(input: Input): Promise<AsyncIterable<Job>> {
    const byteLength =
      this.#options.lineEnd === 0x0a && input.name !== '-'
        ? await uncompressedByteLength(input.name).catch(() => undefined)
        : undefined;
    return !byteLength ? this.#blocks(input) : ranges(input.name, byteLength);
  }

  async *#blocks(input: Input): AsyncGenerator<Job> {
    for await (const bytes of blocksOf(input, this.#framing.cutter())) {
      const block = Uint8Array.from(bytes);
      yield [{ block }, [block.buffer]];
    }
  }
}

async function* ranges(path: string, byteLength: number): AsyncGenerator<Job> {
  for (const range of rangesOf(path, byteLength, RANGE_BYTES)) yield [{ range }, []];
}
