import { isLost } from './clock.ts';

/**
 * Work that callers share while it is under way. In a Worker, the work of a request whose client disconnects may never
 * end: when it is older than `maxAgeMs`, the next caller starts it again.
 */
export class SharedWork<T> {
  readonly #start: () => Promise<T>;
  readonly #now: () => number;
  readonly #maxAge: number;
  #underWay: { readonly result: Promise<T>; readonly startedAt: number } | undefined;

  /** @param maxAgeMs the age up to which work is shared */
  constructor(start: () => Promise<T>, now: () => number, maxAgeMs: number) {
    this.#start = start;
    this.#now = now;
    this.#maxAge = maxAgeMs;
  }

  run(): Promise<T> {
    const now = this.#now();
    const known = this.#underWay;
    if (known !== undefined && !isLost(known.startedAt, now, this.#maxAge)) return known.result;
    const started = { result: this.#start(), startedAt: now };
    const end = () => {
      if (this.#underWay === started) this.#underWay = undefined;
    };
    this.#underWay = started;
    started.result.then(end, end);
    return started.result;
  }
}
