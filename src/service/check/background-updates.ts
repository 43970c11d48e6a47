import { MINUTE } from './clock.ts';
import type { ListReport } from './list-updates.ts';

/** A server that always has more to send is asked once in a second. */
const SHORTEST_WAIT_MS = 1000;
/** A clock that is set back, or a machine that sleeps, delays an update by no more than this. */
const LONGEST_WAIT_MS = 5 * MINUTE;

/** Updates lists when they are due. Its timer does not keep a process alive. */
export class BackgroundUpdates {
  readonly #update: () => Promise<readonly ListReport[]>;
  readonly #nextUpdateAt: () => number;
  readonly #now: () => number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #underWay: Promise<void> = Promise.resolve();
  #onUpdate: ((reports: readonly ListReport[]) => void) | undefined;
  #isRunning = false;

  constructor(update: () => Promise<readonly ListReport[]>, nextUpdateAt: () => number, now: () => number) {
    this.#update = update;
    this.#nextUpdateAt = nextUpdateAt;
    this.#now = now;
  }

  start(onUpdate?: (reports: readonly ListReport[]) => void): void {
    this.#onUpdate = onUpdate;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#turn();
  }

  /** Settles when nothing is under way. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    await this.#underWay;
  }

  /** Only injected functions throw: `onUpdate`, or a clock. The updates end then, and the rejection is the host's. */
  #turn(): void {
    const turn = this.#updateIfDue();
    this.#underWay = turn.catch(() => undefined);
    turn.then(() => this.#wait());
  }

  async #updateIfDue(): Promise<void> {
    if (this.#nextUpdateAt() > this.#now()) return;
    const reports = await this.#update();
    this.#onUpdate?.(reports);
  }

  #wait(): void {
    if (!this.#isRunning) return;
    const wait = this.#nextUpdateAt() - this.#now();
    this.#timer = setTimeout(() => this.#turn(), Math.min(Math.max(wait, SHORTEST_WAIT_MS), LONGEST_WAIT_MS));
    (this.#timer as { unref?(): void }).unref?.(); // in browsers and Workers, a timer is a number
  }
}
