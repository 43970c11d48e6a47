import type { HashColumn } from '../../digest/column.ts';
import { openKernel } from '../../kernel/open.ts';
import { BlockSum } from '../block-sum.ts';
import type { Sink } from '../format/sink.ts';
import { blocksOf, type Input, InputError, inputsOf, totalBytes } from '../input/inputs.ts';
import { openOutput } from '../output/open-output.ts';
import type { Output } from '../output/output.ts';
import type { ParallelSum, SummedBlock } from '../parallel-sum.ts';
import type { Framing, Problem } from '../rows/framing.ts';
import { bytesPerHash } from '../select/hash-set.ts';
import { type Diagnostics, TROUBLE } from '../terminal/diagnostics.ts';
import { Progress } from '../terminal/progress.ts';
import { Statistics } from '../terminal/statistics.ts';
import { reported } from './reported.ts';
import { framingOf, type SumOptions, selectionOf, sinkOf, sumOptions } from './sum-options.ts';

/** The default action: a line out for each line in. */
export async function sum(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const { options, paths } = sumOptions(args);
  const framing = await framingOf(options);
  const sink = await sinkOf(options);
  const selection = selectionOf(options);
  const blocks = new BlockSum(openKernel(), framing, options, selection, sink);
  const output = await openOutput(options.out);
  const run = new SumRun({ options, framing, blocks, sink, output, diagnostics, totalBytes: await totalBytes(paths) });
  try {
    for (const input of inputsOf(paths)) {
      if (!(await run.add(input))) break;
    }
    await run.end();
  } finally {
    await run.close();
    await output.end(run.isWhole && diagnostics.status < TROUBLE);
  }
}

interface SumParts {
  readonly options: SumOptions;
  readonly framing: Framing;
  readonly blocks: BlockSum;
  readonly sink: Sink;
  readonly output: Output;
  readonly diagnostics: Diagnostics;
  /** Of all inputs, where it is known beforehand. */
  readonly totalBytes: number | undefined;
}

class SumRun {
  readonly #parts: SumParts;
  readonly #progress: Progress;
  readonly #statistics: Statistics;
  #parallel: ParallelSum | undefined;
  #hasStopped = false;
  #isWhole = false;

  constructor(parts: SumParts) {
    this.#parts = parts;
    this.#progress = new Progress(parts.totalBytes);
    this.#statistics = new Statistics(parts.options.threads);
  }

  /** Everything that was to come out has come out. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Reads one input to its end; false where a bad line ends the run. */
  async add(input: Input): Promise<boolean> {
    let firstLine = 1 + (this.#parts.framing.headerCount ?? 0);
    for await (const { byteLength, rows, output } of this.#sums(input)) {
      const problems = Array.from(
        rows.column.invalid,
        (row) => rows.rows.malformed.get(row) ?? rows.column.errorAt(row)!,
      );
      this.#count(rows.column, byteLength, problems);
      this.#report(input, firstLine, rows.column.invalid, problems);
      await this.#parts.output.write(output ?? this.#parts.blocks.write(rows));
      this.#hasStopped = this.#parts.options.onError === 'fail' && rows.column.invalid.length > 0;
      if (this.#hasStopped) return false;
      firstLine += rows.column.length;
    }
    return true;
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#parallel?.close();
  }

  async end(): Promise<void> {
    await this.#parts.output.write(this.#parts.sink.end());
    this.#isWhole = !this.#hasStopped;
    this.#progress.clear();
    const { stats, width } = this.#parts.options;
    if (stats === 'json')
      process.stderr.write(`${JSON.stringify(this.#statistics.summary(width, this.#parts.blocks.selected))}\n`);
    if (stats === 'text') process.stderr.write(this.#statistics.text(width, this.#parts.blocks.selected));
  }

  /** The rows of an input, block by block, from this thread or several. */
  async *#sums(input: Input): AsyncGenerator<SummedBlock> {
    if (this.#parts.options.threads !== 1) {
      this.#parallel ??= new (await import('../parallel-sum.ts')).ParallelSum(this.#parts.options, this.#parts.framing);
      return yield* this.#parallel.sums(input, this.#parts.diagnostics);
    }
    for await (const { header, block } of this.#blocksOf(input)) {
      if (header !== undefined) await this.#parts.output.write(header);
      yield { byteLength: block.length, rows: this.#parts.blocks.hash(block) };
    }
  }

  /** The blocks of an input, the header of the first taken off where the framing has one. */
  async *#blocksOf(input: Input): AsyncGenerator<{ readonly header?: Uint8Array; readonly block: Uint8Array }> {
    let isStart = true;
    for await (const block of reported(blocksOf(input, this.#parts.framing.cutter()), this.#parts.diagnostics)) {
      const headed = isStart ? this.#takeHeader(input, block) : { block };
      if (headed === undefined) return;
      yield headed;
      isStart = false;
    }
  }

  #takeHeader(
    input: Input,
    block: Uint8Array,
  ): { readonly header?: Uint8Array; readonly block: Uint8Array } | undefined {
    try {
      return this.#parts.framing.takeHeader?.(block) ?? { block };
    } catch (error) {
      this.#parts.diagnostics.trouble(new InputError(input.name, error));
      return undefined;
    }
  }

  #count(column: HashColumn, byteLength: number, problems: readonly Problem[]): void {
    if (this.#statistics.lines === 0) this.#tellMemory(column, byteLength);
    this.#statistics.add(column, byteLength, problems);
    this.#progress.add(column.length, byteLength, problems.length);
  }

  /** What --dedup may need, were no line a duplicate and all as long as those of the first block. */
  #tellMemory({ length, width }: HashColumn, byteLength: number): void {
    if (!this.#parts.options.dedup || this.#parts.totalBytes === undefined || length === 0) return;
    const lines = Math.ceil((this.#parts.totalBytes / byteLength) * length);
    const mebibytes = Math.ceil((lines * bytesPerHash(width)) / 2 ** 20);
    process.stderr.write(`urlsum: --dedup: about ${lines} lines, up to ${mebibytes} MiB of memory\n`);
  }

  #report(input: Input, firstLine: number, invalid: Uint32Array, problems: readonly Problem[]): void {
    if (invalid.length > 0) this.#progress.clear();
    const reported = this.#parts.options.onError === 'fail' ? invalid.subarray(0, 1) : invalid;
    this.#parts.diagnostics.badLines(input.name, firstLine, reported, problems);
  }
}
