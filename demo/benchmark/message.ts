/** The task of the worker, once. */
export interface BenchmarkTask {
  readonly seed: number;
  readonly urlCount: number;
}

export interface BenchmarkRow {
  readonly name: string;
  readonly isOurs: boolean;
  /** Is it what urlsum takes here, unless told otherwise? */
  readonly isUsed: boolean;
  /** Nanoseconds a URL: the median over the rounds, and the fastest and slowest. */
  readonly median: number;
  readonly fastest: number;
  readonly slowest: number;
}

/** A method that this browser does not run. */
export interface Absence {
  readonly name: string;
  readonly reason: string;
}

export type BenchmarkMessage =
  | { readonly kind: 'progress'; readonly share: number; readonly doing: string }
  | {
      readonly kind: 'done';
      readonly rows: readonly BenchmarkRow[];
      readonly absent: readonly Absence[];
      readonly comparedCount: number;
      readonly roundCount: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };
