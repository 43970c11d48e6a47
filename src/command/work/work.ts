import { DIGESTS, NO_MESSAGE, ROW_CAPACITY, TEXT } from '../../../assembly/layout.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { blocksOfRows, type Spans } from '../../core/bytes/lines.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import { type Batch, copiedRows, VALUE } from '../read/batch.ts';
import { countOfWrong, isWrong, UTF_8 } from '../read/encoding.ts';
import type { Block, Framing, RowForm } from '../read/framing.ts';
import { inputText } from '../read/input-text.ts';
import { type Input, inputFault } from '../read/inputs.ts';
import {
  BlockReport,
  type Counts,
  type Format,
  keepRows,
  NO_DIGESTS,
  type OnError,
  type Results,
  type SelectedRows,
  type Selection,
  type Stage,
} from './results.ts';

export type StatisticsForm = 'text' | 'json';

/** Facts that a command adds to the counts of `--stats`. */
export interface Facts {
  readonly profile?: string;
  readonly suffixList?: string;
  /** Bytes of a hash. */
  readonly width?: number;
  readonly expectedCollisions?: number;
  readonly expectedFalseMatches?: number;
}

/**
 * A plan says what a command line asks of the pipeline. A command makes it of the values of its flags; formats, reports
 * and threads take what they need from it.
 */
export interface Plan<R extends Results = Results> extends RowForm {
  // Rows, besides their form:
  /** The kernel of the run, which `--kernel` may choose. */
  readonly kernel: Kernel;
  readonly framing: Framing;
  /** The encoding of inputs without a byte order mark. */
  readonly encoding: string;

  // Work:
  readonly stage: Stage<R>;
  /** Looks at the rows of a block before the stage, which does not wait: on one thread. */
  prepare?(batches: Iterable<Batch>): Promise<void>;
  readonly onError: OnError;
  readonly threadCount: number;
  /** Whether one thread must write all results, in order. Otherwise each thread writes its own blocks. */
  readonly isOrdered?: boolean;
  /** Whether the output has row numbers, counted through all inputs. */
  readonly isNumbered?: boolean;

  // Output:
  /** The file to write in place of standard output. */
  readonly out: string | undefined;
  openFormat(): Format<R> | Promise<Format<R>>;
  openSelections?(): readonly Selection[];
  readonly opening?: Uint8Array;
  /** Throws where the results forbid an output: the file of `--out` is not written then. */
  mustAllowOutput?(counts: Counts, diagnostics: Diagnostics): Promise<void>;

  // Reports:
  /** The number of bad rows of one input that are shown. */
  readonly shownLimit: number;
  /** Whether the exit status stays 0 despite bad rows. */
  readonly exitsZero: boolean;
  readonly statistics: StatisticsForm | undefined;
  /** The facts that `--stats` adds to the counts; `validCount` rows have a result. */
  facts?(validCount: number): Facts;
  /** The exit status where a closed pipe ends the run early. By default it is 0: the reader has had enough. */
  readonly closedPipeStatus?: number;
  /** Sets the exit status at the end, by the results of the run. */
  conclude?(counts: Counts, diagnostics: Diagnostics, invalidCount: number, validCount: number): void;
}

/** Cuts an input into blocks and carries out the plan on each, on this thread or on several. */
export interface Work {
  /** Yields the blocks in the order of the input. @throws {Fault} */
  of(input: Input): AsyncGenerator<WorkedBlock>;
  close(): Promise<void>;
}

/** The output of a block. Valid until that of the block after the next is asked for. */
export interface WorkedBlock {
  readonly report: BlockReport;
  readonly output: Uint8Array;
}

/** Writes the selected results in the order of the input, on which the selection may depend. */
export function resultWriter(
  { onError }: Pick<Plan, 'onError'>,
  format: Format,
  selections: readonly Selection[] = [],
) {
  const kept: SelectedRows = { rows: new Uint32Array(ROW_CAPACITY), count: 0, fields: new Uint8Array(ROW_CAPACITY) };
  /** Outputs of blocks, in turn: while one is written, the next is collected. */
  let [out, other] = [new GrowingBytes(), new GrowingBytes()];
  let selectedCount = 0;
  let isEnded = false;
  return {
    /** The number of rows written, if there is a selection. */
    get selectedCount(): number | undefined {
      return selections.length === 0 ? undefined : selectedCount;
    },
    /** Adds a batch to the output of its block, unless a bad row has ended the run. */
    write(results: Results): void {
      if (isEnded) return;
      isEnded = onError === 'fail' && results.problems.length > 0;
      keepRows(results, onError, kept);
      for (const selection of selections) selection.keep(results, kept);
      selectedCount += kept.count;
      format.write(results, kept, out);
    },
    /** Returns the output since the last take. Valid until the take after the next. */
    take(): Uint8Array {
      [out, other] = [other, out];
      return other.take();
    },
  };
}

export type ResultWriter = ReturnType<typeof resultWriter>;

type BlockPlan<R extends Results> = Pick<Plan<R>, 'framing' | 'stage' | 'shownLimit' | 'encoding'>;

/** block → batches → results, one batch after another. */
export function* resultsOf<R extends Results>(
  plan: BlockPlan<R>,
  { block, state, rowsBefore }: FramedBlock,
  report: BlockReport,
) {
  const { framing, stage, shownLimit, encoding } = plan;
  const isDecoded = encoding !== UTF_8 || framing.transform !== undefined;
  const hasWrong = isWrong(block, isDecoded);
  for (const batch of framing.batches(block, state)) {
    if (hasWrong) report.wrongCount += countOfWrong(batch, isDecoded);
    const results = stage(batch, rowsBefore);
    report.add(results, shownLimit);
    yield results;
  }
}

/** Works on the blocks of inputs in this thread. */
export function workHere(plan: Plan, writer: ResultWriter): Work {
  let rowsBefore = 0;
  return {
    async *of(input) {
      for await (const report of reportsOf(plan, input, writer.write, rowsBefore)) {
        rowsBefore += report.recordCount;
        yield { report, output: writer.take() };
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Works on the blocks of an input, hands the results on, and yields the report on each block. @throws {Fault} */
export async function* reportsOf<R extends Results>(
  plan: BlockPlan<R> & Pick<Plan<R>, 'prepare'>,
  input: BlockInput,
  takeResults: (results: R) => void,
  rowsBefore = 0,
): AsyncGenerator<BlockReport> {
  let count = rowsBefore;
  for await (const { block, state } of framedBlocks(plan.framing, input, plan.encoding)) {
    const report = new BlockReport(block.length);
    await plan.prepare?.(plan.framing.batches(block, state));
    for (const results of resultsOf(plan, { block, state, rowsBefore: count }, report)) takeResults(results);
    count += report.recordCount;
    yield report;
  }
}

/** The part of an input that work on its blocks needs. */
type BlockInput = Pick<Input, 'name' | 'chunks' | 'readBytes' | 'opened'>;

export interface FramedBlock extends Block {
  /** Rows before the block in all inputs, if they are counted. */
  readonly rowsBefore: number;
}

/**
 * Yields the blocks of an input, each valid until the next is asked for: whole rows in UTF-8, unpacked and without a
 * byte order mark. The last row may lack its line end.
 *
 * @throws {Fault}
 */
export async function* framedBlocks(framing: Framing, input: BlockInput, encoding: string): AsyncGenerator<Block> {
  const count = (byteLength: number) => {
    input.readBytes += byteLength;
  };
  try {
    if (framing.blocksOf !== undefined) return yield* framing.blocksOf(input, count);
    const text = inputText(input.chunks, { encoding, readsMarkup: framing.transform !== undefined });
    let state: unknown;
    for await (const block of blocksOfRows(framing.transform?.(text) ?? text, framing.cutter())) {
      state = framing.stateOf?.(block, state);
      yield { block, state };
    }
  } catch (error) {
    throw inputFault(input, error);
  }
}

/** Copies results to memory of their own, to be posted: for hash output that one thread must write, in order. */
export function detached(results: Results): Results {
  const { batch, problems } = results;
  const { rows, values, length } = batch;
  const own = detachedSpans(rows, length);
  const closingBraces = batch.closingBraces.slice(0, length).map((place) => place && place - rows.starts[0]!);
  const kinds = batch.kinds.slice(0, length);
  return {
    ...results,
    batch: {
      ...{ ...batch, rows: own, values: values === rows ? own : detachedSpans(values, length), kinds, closingBraces },
      problems: [],
    },
    problems: problems.map(({ row, reason }) => ({ row, reason, message: '' })),
    notes: [],
    digests: results.digests.slice(),
  };
}

/** Copies detached results to the kernel's memory, where a format finds them, but for the canonical forms. */
export function attached(results: Results, kernel: Kernel): Results {
  const { batch, problems, digests } = results;
  const { memory } = kernel;
  if (batch.length === 0 || batch.isLong) return results;
  const values = copiedRows(kernel, batch.values, batch.length);
  memory.bytes.set(digests, DIGESTS);
  for (let row = 0; row < batch.length; row++) memory.setSpan(row, TEXT, batch.kinds[row] === VALUE ? 0 : NO_MESSAGE);
  for (const { row } of problems) memory.setSpan(row, TEXT, NO_MESSAGE);
  return { ...results, batch: { ...batch, values } };
}

/** Copies one byte after the last, too, which formats and the kernel may read. */
function detachedSpans({ bytes, starts, ends }: Spans, length: number): Spans {
  if (length === 0) return { bytes: NO_DIGESTS, starts: new Uint32Array(0), ends: new Uint32Array(0) };
  const first = starts[0]!;
  return {
    bytes: bytes.slice(first, ends[length - 1]! + 1),
    starts: starts.slice(0, length).map((start) => start - first),
    ends: ends.slice(0, length).map((end) => end - first),
  };
}

/** Returns the memory of detached results, to be transferred. */
export function buffersOf({ batch, digests }: Results): ArrayBuffer[] {
  const arrays = [batch.rows, batch.values].flatMap(({ bytes, starts, ends }) => [bytes, starts, ends]);
  return [
    ...new Set([...arrays, batch.kinds, batch.closingBraces, digests].map(({ buffer }) => buffer as ArrayBuffer)),
  ];
}
