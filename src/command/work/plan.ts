import type { Kernel } from '../../core/kernel/kernel.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import type { Facts, StatisticsForm } from '../arguments/statistics.ts';
import type { Batch } from '../read/batch.ts';
import type { Framing, RowForm } from '../read/framing.ts';
import type { Counts, Format, OnError, Results, Selection, Stage } from './results.ts';

/**
 * What a command line asks of the pipeline. A command makes it of the values of its flags; formats, reports and threads
 * take what they need from it.
 */
export interface Plan<R extends Results = Results> extends RowForm {
  // Rows, besides their form:
  /** The kernel of the run, which `--kernel` may choose. */
  readonly kernel: Kernel;
  readonly framing: Framing;

  // Work:
  readonly stage: Stage<R>;
  /** Called with the rows of a block before the stage, which does not wait: on one thread. */
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
  /** How many bad rows of one input are shown. */
  readonly shownLimit: number;
  /** Whether the exit status stays 0 despite bad rows. */
  readonly exitsZero: boolean;
  readonly statistics: StatisticsForm | undefined;
  /** The facts that `--stats` adds to the counts; `validCount` rows have a result. */
  facts?(validCount: number): Facts;
  /** The message before the first block is written; `lineCount` is an estimate for all inputs together. */
  announce?(lineCount: number): string;
  /** The exit status where a closed pipe ends the run early. By default it is 0: the reader has had enough. */
  readonly closedPipeStatus?: number;
  /** Sets the exit status at the end, by the results of the run. */
  conclude?(counts: Counts, diagnostics: Diagnostics, invalidCount: number, validCount: number): void;
}
