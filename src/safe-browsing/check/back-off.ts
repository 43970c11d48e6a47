import { DAY, isAhead, MINUTE } from './clock.ts';

/** The option `backOff`, with its defaults. */
export interface BackOffTimes {
  readonly refusedMs: number;
  readonly unansweredMs: number;
  readonly maxDelayMs: number;
}

const DEFAULT_TIMES: BackOffTimes = { refusedMs: 15 * MINUTE, unansweredMs: 1000, maxDelayMs: DAY };

/**
 * When a server may be asked again. The wait after the n-th failure in a row is min(2^(n-1) × first × (1 + random),
 * maxDelayMs). If the server itself says when to come back (Retry-After), that replaces it.
 *
 * https://developers.google.com/safe-browsing/v4/request-frequency#back-off-mode
 */
export class BackOff {
  readonly #times: BackOffTimes;
  readonly #random: () => number;
  #failureCount = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;

  constructor(times: Partial<BackOffTimes>, random: () => number) {
    this.#times = { ...DEFAULT_TIMES, ...times };
    this.#random = random;
  }

  /** The count that a request passes to `failed`: requests that were under way together fail as one. */
  get failureCount(): number {
    return this.#failureCount;
  }

  /** When the server may be asked, in milliseconds of the clock: at once if that was set back meanwhile. */
  openAt(now: number): number {
    return isAhead(this.#failedAt, now) ? Number.NEGATIVE_INFINITY : this.#until;
  }

  succeeded(): void {
    this.#failureCount = 0;
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /**
   * @param countAtStart `failureCount` when the request began
   * @param retryAfter milliseconds that the server asked for
   */
  failed(kind: 'refused' | 'unanswered', countAtStart: number, now: number, retryAfter?: number): void {
    if (countAtStart !== this.#failureCount) return;
    const grown = 2 ** this.#failureCount * this.#times[`${kind}Ms`] * (1 + this.#random());
    this.#failureCount++;
    this.#failedAt = now;
    this.#until = now + Math.min(retryAfter ?? grown, this.#times.maxDelayMs);
  }
}
