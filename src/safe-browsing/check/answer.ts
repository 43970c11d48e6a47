import type { UrlInput } from '../input.ts';
import type { UnsureCause } from './failure.ts';
import type { Threat } from './threats.ts';

/** `unsure` where there is no answer. */
export type Verdict = 'safe' | 'unsafe' | 'unsure';

/**
 * What decided: the local lists, an earlier answer of the server that still holds, or the server now; or why nothing
 * could.
 */
export type AnswerReason = 'list' | 'cache' | 'server' | `unsure: ${UnsureCause}`;

/** What a check says of one URL, and why. */
export interface Answer {
  /** As it was given. */
  readonly url: UrlInput;
  /** Whether the URL is listed. */
  readonly verdict: Verdict;
  /** By what. */
  readonly reason: AnswerReason;
  /** True for `safe`, false for `unsafe`; for `unsure` as the option `whenUnsure` says. */
  readonly isAllowed: boolean;
  /** Of an unsafe URL at least one: those of each expression that is listed, the most exact expression first. */
  readonly threats: readonly Threat[];
  /** The first expression of the URL that is listed; undefined unless the URL is unsafe. */
  readonly expression: string | undefined;
  /**
   * What went wrong; undefined where nothing did. Also set where the lists answered because the server could not, and
   * where a URL is unsafe by one expression and nothing could say whether others are listed too.
   */
  readonly detail: string | undefined;
}
