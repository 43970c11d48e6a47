import type { AbortSource } from '../../abort-signal.ts';
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

/** Settles as `work` does, or rejects with the reason if `signal` aborts. The work goes on: others may wait for it. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSource | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
