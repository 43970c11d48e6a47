import type { Kernel } from '../../kernel/index.ts';
import type { Format } from '../format/format.ts';
import type { Records } from '../rows/framing.ts';
import type { AddedName } from '../rows/names.ts';
import type { Framing } from '../rows/row-batch.ts';
import type { Selection } from '../select/selection.ts';
import type { Counts, OnError, ResultBatch, Stage } from '../stage/stage.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';
import type { Shown } from '../terminal/ledger.ts';
import type { Facts, StatisticsForm } from '../terminal/statistics.ts';

/** How the pipeline is to treat the lines of a command line. */
export interface Plan<R extends ResultBatch = ResultBatch> extends LinePlan {
  readonly stage: Stage<R>;
  openFormat(): Format<R> | Promise<Format<R>>;
  /** The bytes that the output begins with. */
  readonly opening?: Uint8Array;
  openSelections?(): readonly Selection[];
  /** Whether one thread must write all results, in order. Otherwise each thread writes its own blocks. */
  readonly isOrdered?: boolean;
  /** Whether the output has row numbers, counted through all inputs. */
  readonly isNumbered?: boolean;
  /** The facts that `--stats` adds to the counts; `validCount` rows have a result. */
  facts(validCount: number): Facts;
  /** The message before the first block is written; `lineCount` is an estimate for all inputs together. */
  announce?(lineCount: number): string;
  /** The exit status where a closed pipe ends the run early. By default it is 0: the reader has had enough. */
  readonly closedPipeStatus?: number;
  /** Throws where invalid rows, counted by reason, forbid an output: the file of `--out` is not written then. */
  mustAllowOutput?(invalidByReason: Counts): void;
  /** Sets the exit status at the end, by the results of the run. */
  conclude?(counts: Counts, diagnostics: Diagnostics, invalidCount: number): void;
}

/** The part of a plan that comes from the flags of all line commands. */
export interface LinePlan {
  /** The kernel of the run, which `--kernel` may choose. */
  readonly kernel: Kernel;
  readonly framing: Framing;
  /** Line feed or NUL. */
  readonly lineEnd: number;
  /** The form of rows that are records, which pass through. */
  readonly records: Records | undefined;
  /** What records gain. */
  readonly added: readonly AddedName[];
  readonly onError: OnError;
  readonly shown: Shown;
  /** Whether the exit status stays 0 despite bad rows. */
  readonly exitsZero: boolean;
  /** The file to write in place of standard output. */
  readonly out: string | undefined;
  readonly statistics: StatisticsForm | undefined;
  readonly threadCount: number;
}
