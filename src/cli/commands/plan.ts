import type { Format } from '../format/format.ts';
import type { Records } from '../rows/framing.ts';
import type { Framing } from '../rows/row-batch.ts';
import type { Selection } from '../select/selection.ts';
import type { Counts, OnError, ResultBatch, Stage } from '../stage/stage.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';
import type { Shown } from '../terminal/ledger.ts';
import type { Facts, StatisticsForm } from '../terminal/statistics.ts';

/** What a command line asks for of its lines: the pipeline does the rest. */
export interface Plan<R extends ResultBatch = ResultBatch> extends LinePlan {
  readonly stage: Stage<R>;
  openFormat(): Format<R> | Promise<Format<R>>;
  /** What the output begins with. */
  readonly opening?: Uint8Array;
  openSelection?(): Selection | undefined;
  /** Must one thread write all results, in order? Else each writes its own blocks. */
  readonly isOrdered?: boolean;
  /** Does the output hold row numbers, counted through all inputs? */
  readonly isNumbered?: boolean;
  /** What `--stats` says besides the counts; `validCount` rows have a result. */
  facts(validCount: number): Facts;
  /** What is said before the first block is written: `lineCount` is an estimate of all inputs together. */
  announce?(lineCount: number): string;
  /** The exit status where a closed pipe ends the run before all lines were read; else 0: the reader has had enough. */
  readonly closedPipeStatus?: number;
  /** Throws where invalid rows, counted by reason, rule an output out: the file of `--out` does not appear then. */
  mustAllowOutput?(invalidByReason: Counts): void;
  /** Sets the exit status at the end, by what the run has found. */
  conclude?(counts: Counts, diagnostics: Diagnostics, invalidCount: number): void;
}

/** The part of a plan that the flags of all line commands make. */
export interface LinePlan {
  readonly framing: Framing;
  /** Line feed or NUL. */
  readonly lineEnd: number;
  /** Rows that are records, which pass through. */
  readonly records: Records | undefined;
  readonly onError: OnError;
  readonly shown: Shown;
  /** Do bad rows leave the exit status at 0? */
  readonly exitsZero: boolean;
  /** A file in place of standard output. */
  readonly out: string | undefined;
  readonly statistics: StatisticsForm | undefined;
  readonly threadCount: number;
}
