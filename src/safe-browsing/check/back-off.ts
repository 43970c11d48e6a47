import { DAY, isAhead, MINUTE } from './clock.ts';

/** How long the server is left alone after it failed, in milliseconds. */
export interface BackOffTimes {
  /** After a first answer other than 200. Default: 15 minutes, as the Safe Browsing request frequency rules ask. */
  readonly refused?: number;
  /** After a first request without an answer, or with one that is damaged. Default: 1 second. */
  readonly unanswered?: number;
  /** At most. Default, and the most that is taken: 24 hours. */
  readonly most?: number;
}

/**
 * When a server may be asked again. After the n-th failure in a row that is min(2^(n-1) × first × (1 + random), most);
 * where the server says itself when to come back (Retry-After), that holds instead.
 *
 * https://developers.google.com/safe-browsing/v4/request-frequency#back-off-mode
 */
export class BackOff {
  readonly #times: Required<BackOffTimes>;
  readonly #random: () => number;
  #failureCount = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;

  constructor(times: BackOffTimes, random: () => number) {
    this.#times = { refused: 15 * MINUTE, unanswered: 1000, most: DAY, ...times };
    this.#random = random;
  }

  /** What a request hands over when it failed: requests that were under way together fail as one. */
  get failureCount(): number {
    return this.#failureCount;
  }

  /** From when on the server may be asked, in milliseconds of the clock: at once where that was put back meanwhile. */
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
    const grown = 2 ** this.#failureCount * this.#times[kind] * (1 + this.#random());
    this.#failureCount++;
    this.#failedAt = now;
    this.#until = now + Math.min(retryAfter ?? grown, this.#times.most);
  }
}
