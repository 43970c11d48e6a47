import { LINE_FEED } from '../core/bytes/code-points.ts';
import { rangesOf, SHARES_DESCRIPTORS } from '../store/pool/range.ts';
import { Workers } from '../store/pool/workers.ts';
import { type Input, inputFault, type PlainText, plainText } from './read/inputs.ts';
import type { Plan } from './work/plan.ts';
import { copyIn, framedBlocks, type ResultWriter, type Work, type WorkedBlock } from './work/work.ts';
import type { PlanSource, WorkerAnswer, WorkerJob, WorkerTask } from './worker.ts';

/** Bytes of a plain file that a thread takes at a time. */
const RANGE_BYTES = 1 << 20;

/** One job to work on, and one to continue with. */
const JOBS_PER_THREAD = 2;

type Job = readonly [job: WorkerJob, transfer: readonly ArrayBuffer[]];

/** Works on the blocks of inputs in several threads, and returns their outputs in order. */
export class Threads implements Work {
  readonly #plan: Plan;
  readonly #writer: ResultWriter;
  readonly #workers: Workers<WorkerJob, WorkerAnswer>;
  /** Memory of written outputs, reused for later ones: fresh memory takes longer to touch than to fill. */
  readonly #spares: ArrayBuffer[] = [];
  /** The same, of blocks. */
  readonly #blockSpares: ArrayBuffer[] = [];
  /** Memory of the last output, which may not be written yet. */
  #given: ArrayBuffer | undefined;
  #rowsBefore = 0;
  /** Whether the threads read the current input. */
  #readsRanges = false;

  /** @param source of which each thread makes the plan anew */
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
      throw inputFault(input.name, error);
    } finally {
      await input.close();
    }
  }

  close(): Promise<void> {
    return this.#workers.close();
  }

  /** Writes the output of a block whose results depend on the blocks before it. */
  #written({ batches }: Extract<WorkerAnswer, { batches: unknown }>): Uint8Array {
    for (const results of batches) this.#writer.write(results);
    return this.#writer.take();
  }

  /**
   * Threads read the ranges of a plain file of lines themselves. Other input is read here, as are files of /proc, whose
   * size is 0.
   */
  async #jobs(input: Input): Promise<AsyncIterable<Job>> {
    const { framing, lineEnd, isNumbered } = this.#plan;
    const hasRanges =
      SHARES_DESCRIPTORS && lineEnd === LINE_FEED && isNumbered !== true && !framing.stateOf && !framing.blocksOf;
    const isCutAtLines = hasRanges && input.name !== '-';
    const plain = isCutAtLines ? await plainText(input).catch(() => undefined) : undefined;
    this.#readsRanges = plain !== undefined && plain.byteLength > 0;
    if (!plain?.byteLength) return this.#blocks(input);
    framing.cutter()(plain.start, 0); // throws if these are not its rows
    return this.#ranges(plain);
  }

  async *#blocks(input: Input): AsyncGenerator<Job> {
    const { framing, isNumbered } = this.#plan;
    for await (const { block: rows, state } of framedBlocks(framing, input)) {
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
