/** The last time of a `Date` (ECMAScript, 21.4.1.1), in milliseconds. */
export const LAST_DATE = 8.64e15;

/** Clocks of machines that share a store differ, and clocks are corrected, by less than this. */
const TOLERANCE_MS = 5 * 60_000;
/** Readings of two clocks differ by less than this without one being set. */
const NOISE_MS = 1000;
/** Longer than anything holds on a server's word, which is a day. */
const LEAP_MS = 2 * 24 * 3_600_000;

/**
 * A clock that is never set back. Between two readings it goes on by the larger of what the wall clock and a monotonic
 * clock say: the one may be set, the other stands still while the machine sleeps. It begins as the wall clock. Where that
 * is set back by more than five minutes, or tells no date, the elapsed time is unknown: this clock leaps two days, so
 * that whatever is kept for some time expires.
 */
export class SteadyClock {
  readonly #wall: () => number;
  readonly #monotonic: () => number;
  /** The last reading, and those of the two clocks. */
  #now = -LAST_DATE;
  #wallNow = -LAST_DATE;
  #monotonicNow = Number.POSITIVE_INFINITY;
  /** The milliseconds that the wall clock is behind, apart from the noise. */
  #lag = 0;
  /** The lag when this clock last leapt. */
  #lagOfEra = 0;
  #latestWall = Number.NEGATIVE_INFINITY;
  #latestBefore = Number.NEGATIVE_INFINITY;
  #era = 0;

  /**
   * @param wall milliseconds since 1970
   * @param monotonic milliseconds of a clock that nobody sets; without one, that of the wall counts alone
   */
  constructor(wall: () => number, monotonic = () => 0) {
    this.#wall = wall;
    this.#monotonic = monotonic;
  }

  /** Milliseconds that never become fewer; those since 1970, as long as the wall clock is not set. */
  readonly now = (): number => {
    const [given, monotonic] = [this.#wall(), this.#monotonic()];
    const isDate = Math.abs(given) <= LAST_DATE;
    const wall = isDate ? given : this.#wallNow;
    const gone = this.#now + Math.max(0, monotonic - this.#monotonicNow);
    this.#now = Math.max(gone, wall + this.#lag);
    this.#latestWall = Math.max(this.#latestWall, wall, gone - this.#lag); // what it may have shown since the last reading
    if (gone - wall - this.#lag > NOISE_MS) this.#lag = gone - wall;
    if (!isDate || this.#now - wall - this.#lagOfEra > TOLERANCE_MS) this.#leap(wall);
    this.#wallNow = wall;
    this.#monotonicNow = monotonic;
    return this.#now;
  };

  #leap(wall: number): void {
    this.#now += LEAP_MS;
    this.#lag = this.#now - wall;
    this.#lagOfEra = this.#lag;
    this.#latestBefore = this.#latestWall;
    this.#era++;
  }

  /** The number of times that the wall clock was set back, as of the last reading. */
  get era(): number {
    return this.#era;
  }

  /** Returns what the wall clock says at a time of this clock, by the last reading. */
  wallOf(time: number): number {
    return Math.floor(time - (this.#now - this.#wallNow));
  }

  /**
   * Whether a time of the wall clock says how long ago something was: not where it lies ahead of that clock, nor where the
   * clock has shown it, was set back, and may show it again.
   */
  isKnown(wallTime: number): boolean {
    return wallTime <= this.#wallNow + TOLERANCE_MS && wallTime > this.#latestBefore;
  }
}
