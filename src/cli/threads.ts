import { LINE_FEED } from '../bytes/code-points.ts';
import { rangesOf } from '../pool/range.ts';
import { Workers } from '../pool/workers.ts';
import type { Plan } from './commands/plan.ts';
import { type Input, InputError, plainText } from './input/inputs.ts';
import type { Rows } from './rows/framing.ts';
import { eachValue } from './rows/values.ts';
import { framedBlocks, type Work, type WorkedBlock } from './work.ts';
import type { WorkerAnswer, WorkerJob, WorkerTask } from './worker.ts';

/** Bytes of a plain file that a thread takes at a time. */
const RANGE_BYTES = 1 << 20;

/** One to work on, and one to go on with. */
const JOBS_PER_THREAD = 2;

type Job = readonly [job: WorkerJob, transfer: readonly ArrayBuffer[]];

/** The work on the blocks of inputs, done by several threads and given back in order. */
export class Threads implements Work {
  readonly #plan: Plan;
  readonly #workers: Workers<WorkerJob, WorkerAnswer>;
  /** Memory of outputs that are written, for those to come: fresh memory takes longer to touch than to fill. */
  readonly #spares: ArrayBuffer[] = [];
  #rowsBefore = 0;
  /** That of the input, until it is given back with the first block. */
  #header: Uint8Array | undefined;

  /** `args`: the command line, from which each thread makes the plan anew. */
  constructor(plan: Plan, args: readonly string[]) {
    this.#plan = plan;
    this.#workers = new Workers(new URL(import.meta.url), plan.threadCount, args, JOBS_PER_THREAD);
  }

  async *of(input: Input): AsyncGenerator<WorkedBlock> {
    try {
      for await (const answer of this.#workers.runAll(await this.#jobs(input))) {
        yield { ...this.#blockOf(answer), header: this.#header };
        this.#header = undefined;
        if ('output' in answer) this.#spares.push(answer.output.buffer);
      }
    } catch (error) {
      throw error instanceof InputError ? error : new InputError(input.name, error);
    }
  }

  close(): Promise<void> {
    return this.#workers.close();
  }

  #blockOf(answer: WorkerAnswer): WorkedBlock {
    if ('output' in answer) return answer;
    const { report, message, block } = answer;
    return { report, results: this.#plan.transfer!.resultsOf(this.#plan.framing.rows(block), message) };
  }

  /**
   * Threads read the ranges of a plain file of lines themselves; all else is read here, as are files of /proc, whose
   * size is 0.
   */
  async #jobs(input: Input): Promise<AsyncIterable<Job>> {
    const { framing, lineEnd, isNumbered } = this.#plan;
    const hasRanges = lineEnd === LINE_FEED && isNumbered !== true && framing.takeHeader === undefined;
    const isCutAtLines = hasRanges && input.name !== '-';
    const plain = isCutAtLines ? await plainText(input.name).catch(() => undefined) : undefined;
    if (!plain?.byteLength) return this.#blocks(input);
    framing.cutter()(plain.start, 0); // throws where these are not its rows
    return this.#ranges(input.name, plain.byteLength);
  }

  async *#blocks(input: Input): AsyncGenerator<Job> {
    const { framing } = this.#plan;
    for await (const { header, headerCount, block: rows } of framedBlocks(framing, input)) {
      if (header !== undefined) this.#header = Uint8Array.from(header);
      this.#rowsBefore += headerCount;
      const block = Uint8Array.from(rows);
      const rowsBefore = this.#rowsBefore;
      yield this.#withSpare({ block, rowsBefore, state: framing.stateFor?.(rows) }, [block.buffer]);
      if (this.#plan.isNumbered === true) this.#rowsBefore += rowCountOf(framing.rows(rows));
    }
  }

  async *#ranges(path: string, byteLength: number): AsyncGenerator<Job> {
    for (const range of rangesOf(path, byteLength, RANGE_BYTES)) yield this.#withSpare({ range }, []);
  }

  #withSpare(work: WorkerTask, transfer: readonly ArrayBuffer[]): Job {
    const spare = this.#spares.pop();
    return [{ ...work, spare }, spare === undefined ? transfer : [...transfer, spare]];
  }
}

/** Skipped rows count, too. */
function rowCountOf({ values, skipped }: Rows): number {
  let count = skipped.length;
  eachValue(values, () => void count++);
  return count;
}
