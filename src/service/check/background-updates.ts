import { type AbortSource, onAbort } from '../../core/lifetime.ts';
import type { ListReport } from './list-updates.ts';
import { MINUTE } from './remote-method.ts';

/** A server that always has more to send is asked once in a second. */
const SHORTEST_WAIT_MS = 1000;
/** A clock that is set back, or a machine that sleeps, delays an update by no more than this. */
const LONGEST_WAIT_MS = 5 * MINUTE;

/** Updates lists when they are due. Its timer does not keep a process alive. */
export class BackgroundUpdates {
  readonly #update: (stop: AbortSource) => Promise<readonly ListReport[]>;
  readonly #nextUpdateAt: () => number;
  readonly #now: () => number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #underWay: Promise<void> = Promise.resolve();
  #onUpdate: ((reports: readonly ListReport[]) => void) | undefined;
  #isRunning = false;
  #stopping = new AbortController();

  constructor(
    update: (stop: AbortSource) => Promise<readonly ListReport[]>,
    nextUpdateAt: () => number,
    now: () => number,
  ) {
    this.#update = update;
    this.#nextUpdateAt = nextUpdateAt;
    this.#now = now;
  }

  start(onUpdate?: (reports: readonly ListReport[]) => void): void {
    this.#onUpdate = onUpdate;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#stopping = new AbortController();
    this.#turn();
  }

  /** Settles when nothing is under way. When the signal aborts, that is aborted, and nobody is told of it. */
  async stop(signal?: AbortSource): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    const stopping = this.#stopping;
    const forget = onAbort(signal, () => stopping.abort());
    await this.#underWay;
    forget();
  }

  /** Only injected functions throw: `onUpdate`, or a clock. The updates end then, and the rejection is the host's. */
  #turn(): void {
    const turn = this.#updateIfDue();
    this.#underWay = turn.catch(() => undefined);
    turn.then(() => this.#wait());
  }

  async #updateIfDue(): Promise<void> {
    if (this.#nextUpdateAt() > this.#now()) return;
    const { signal } = this.#stopping;
    const reports = await this.#update(signal);
    if (!signal.aborted) this.#onUpdate?.(reports);
  }

  #wait(): void {
    if (!this.#isRunning) return;
    const wait = this.#nextUpdateAt() - this.#now();
    this.#timer = setTimeout(() => this.#turn(), Math.min(Math.max(wait, SHORTEST_WAIT_MS), LONGEST_WAIT_MS));
    (this.#timer as { unref?(): void }).unref?.(); // in browsers and Workers, a timer is a number
  }
}
