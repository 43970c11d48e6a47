import { workerData } from 'node:worker_threads';
import { LINE_FEED } from '../core/bytes/code-points.ts';
import { answerEach, type Range, RangeReader, rangesOf, SHARES_DESCRIPTORS, Workers } from '../store/pool/workers.ts';
import { Diagnostics } from './arguments/diagnostics.ts';
import { type FilesRead, planOf } from './commands/commands.ts';
import { UTF_8 } from './read/encoding.ts';
import { type Input, inputFault, type PlainText, plainText } from './read/inputs.ts';
import { BlockReport, type Results } from './work/results.ts';
import {
  attached,
  buffersOf,
  detached,
  type FramedBlock,
  framedBlocks,
  type Plan,
  type ResultWriter,
  resultsOf,
  resultWriter,
  type Work,
  type WorkedBlock,
} from './work/work.ts';

/** Bytes of a plain file that a thread takes at a time. */
const RANGE_BYTES = 1 << 20;

/** A block that the main thread has read, or a range of a plain file of lines. */
type WorkerTask = FramedBlock | { readonly range: Range };

/** A task, with memory for its output. */
type WorkerJob = WorkerTask & { readonly spare: ArrayBuffer | undefined };

/** The output of a block, or its results if the main thread writes them, in order. */
type WorkerAnswer = {
  readonly report: BlockReport;
  /** Memory of the block that the main thread has read, for another one: here it would wait for a collection. */
  readonly blockMemory: ArrayBuffer | undefined;
} & ({ readonly output: Uint8Array<ArrayBuffer> } | { readonly batches: readonly Results[] });

/** The command line of which a thread makes its plan, and the files that the main thread has read for it. */
interface PlanSource extends FilesRead {
  readonly args: readonly string[];
}

/** One job to work on, and one to continue with. */
const JOBS_PER_THREAD = 2;

type Job = readonly [job: WorkerJob, transfer: readonly ArrayBuffer[]];

/** Works on the blocks of inputs in several threads, and returns their outputs in order. */
export class Threads implements Work {
  readonly #plan: Plan;
  readonly #writer: ResultWriter;
  readonly #workers: Workers<WorkerJob, WorkerAnswer>;
  /** Memory of written outputs, reused for later ones: a run takes 156 MB at most, where fresh memory takes 224. */
  readonly #spares: ArrayBuffer[] = [];
  /** Memory of blocks that were worked on, reused in the same way. */
  readonly #blockSpares: ArrayBuffer[] = [];
  /** Memory of the last output, which may not be written yet. */
  #given: ArrayBuffer | undefined;
  #rowsBefore = 0;
  /** Whether the threads read the current input. */
  #readsRanges = false;

  /** @param source the command line and files of which each thread makes its plan */
  constructor(plan: Plan, source: PlanSource, writer: ResultWriter) {
    this.#plan = plan;
    this.#writer = writer;
    this.#workers = new Workers(new URL(import.meta.url), plan.threadCount, source, JOBS_PER_THREAD);
  }

  async *of(input: Input): AsyncGenerator<WorkedBlock> {
    try {
      for await (const answer of this.#workers.runAll(await this.#jobs(input))) {
        if (this.#readsRanges) input.readBytes += answer.report.byteLength;
        if (answer.blockMemory !== undefined) this.#blockSpares.push(answer.blockMemory);
        if ('output' in answer) yield answer;
        else yield { report: answer.report, output: this.#written(answer) };
        if (this.#given !== undefined) this.#spares.push(this.#given);
        this.#given = 'output' in answer ? answer.output.buffer : undefined;
      }
    } catch (error) {
      throw inputFault(input, error);
    } finally {
      await input.close();
    }
  }

  close(): Promise<void> {
    return this.#workers.close();
  }

  /** Writes the output of a block whose results depend on the blocks before it. */
  #written({ batches }: Extract<WorkerAnswer, { batches: unknown }>): Uint8Array {
    for (const results of batches) this.#writer.write(attached(results, this.#plan.kernel));
    return this.#writer.take();
  }

  /**
   * Threads read the ranges of a plain file of lines themselves. Other input is read here, as are files of /proc, whose
   * size is 0.
   */
  async #jobs(input: Input): Promise<AsyncIterable<Job>> {
    const { framing, encoding, lineEnd, isNumbered } = this.#plan;
    const hasRanges =
      SHARES_DESCRIPTORS &&
      encoding === UTF_8 &&
      lineEnd === LINE_FEED &&
      isNumbered !== true &&
      !framing.stateOf &&
      !framing.blocksOf &&
      !framing.transform;
    const isCutAtLines = hasRanges && input.name !== '-';
    const plain = isCutAtLines ? await plainText(input).catch(() => undefined) : undefined;
    this.#readsRanges = plain !== undefined && plain.byteLength > 0;
    if (!plain?.byteLength) return this.#blocks(input);
    framing.cutter()(plain.start, 0); // throws if these are not its rows
    return this.#ranges(plain);
  }

  async *#blocks(input: Input): AsyncGenerator<Job> {
    const { framing, encoding, isNumbered } = this.#plan;
    for await (const { block: rows, state } of framedBlocks(framing, input, encoding)) {
      const block = copyIn(this.#blockSpares.pop(), rows);
      const rowsBefore = this.#rowsBefore;
      yield this.#withSpare({ block, state, rowsBefore }, [block.buffer]);
      if (isNumbered === true) for (const { length } of framing.batches(rows, state)) this.#rowsBefore += length;
    }
  }

  async *#ranges({ descriptor, byteLength }: PlainText): AsyncGenerator<Job> {
    for (const range of rangesOf(descriptor, byteLength, RANGE_BYTES)) yield this.#withSpare({ range }, []);
  }

  #withSpare(work: WorkerTask, transfer: readonly ArrayBuffer[]): Job {
    const spare = this.#spares.pop();
    return [{ ...work, spare }, spare === undefined ? transfer : [...transfer, spare]];
  }
}

/** Carries out the plan in a thread of -j, on blocks of whole rows. */
export async function answerJobs(): Promise<void> {
  const { args, ...read } = workerData as PlanSource;
  const plan = await planOf(args, new Diagnostics(), read);
  // output that depends on other blocks is written by the main thread
  const writer = plan.isOrdered === true ? undefined : resultWriter(plan, await plan.openFormat());
  const reader = new RangeReader();
  answerEach((job: WorkerJob) => answerTo(job, plan, writer, reader), transferredIn);
}

function answerTo(job: WorkerJob, plan: Plan, writer: ResultWriter | undefined, reader: RangeReader): WorkerAnswer {
  const framed = 'block' in job ? job : { block: reader.lines(job.range), state: undefined, rowsBefore: 0 };
  const report = new BlockReport(framed.block.length);
  const blockMemory = 'block' in job ? (job.block.buffer as ArrayBuffer) : undefined;
  const results = resultsOf(plan, framed, report);
  if (writer === undefined) return { batches: Array.from(results, detached), report, blockMemory };
  for (const batch of results) writer.write(batch);
  return { report, output: copyIn(job.spare, writer.take()), blockMemory };
}

function transferredIn(answer: WorkerAnswer): ArrayBuffer[] {
  const own = 'output' in answer ? [answer.output.buffer] : answer.batches.flatMap(buffersOf);
  return answer.blockMemory === undefined ? own : [...own, answer.blockMemory];
}

/**
 * Copies the bytes to memory that can be transferred, that of earlier ones if it is large enough. Blocks and their
 * outputs differ little: with an eighth to spare, it mostly is.
 */
function copyIn(spare: ArrayBuffer | undefined, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const isLarge = spare !== undefined && spare.byteLength >= bytes.length;
  const copy = new Uint8Array(isLarge ? spare : new ArrayBuffer(Math.ceil(1.125 * bytes.length)), 0, bytes.length);
  copy.set(bytes);
  return copy;
}
