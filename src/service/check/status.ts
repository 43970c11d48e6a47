import type { AnswerReason, Verdict } from './answer.ts';

/** What a checker has and has done, since it was made. */
export interface CheckerStatus {
  /** Each list that it holds or is to hold, the Global Cache last. */
  readonly lists: readonly {
    /** The list's. */
    readonly name: string;
    /** Prefixes in the list. */
    readonly size: number;
    /** In hex; empty for a list that was never fetched. */
    readonly version: string;
    /** When the server last updated or confirmed it, in milliseconds since 1970; undefined if it never did. */
    readonly updatedAt: number | undefined;
    /** Milliseconds since then. */
    readonly ageMs: number | undefined;
    /** Whether it may say that a URL is safe (`maxListAgeMs`). */
    readonly isFresh: boolean;
    /** Why the store does not hold this list as it is here: a damaged file, a full disk. */
    readonly trouble: string | undefined;
  }[];
  /** How many answers it gave, by verdict. */
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** How many, by reason; a reason that did not occur is not there. */
  readonly answers: Readonly<Partial<Record<AnswerReason, number>>>;
  /** How many hash prefixes it sent to the server. */
  readonly prefixesSent: number;
  /** When the next update has something to do, in milliseconds since 1970; Infinity without lists. */
  readonly nextUpdateAt: number;
}

/** A list of a checker. */
export type ListStatus = CheckerStatus['lists'][number];
