import type { FileCalls } from '../../src/store/watched-file.ts';

/** How long files have to stay as they are, in milliseconds. */
const SETTLE_MS = 60_000;

/** A clock for watched files that a test sets, so that nothing waits for a file to settle. */
export class SettlingClock {
  time = 0;

  /** Options of what watches files. */
  readonly options: { readonly settleMs: number; readonly calls: Pick<FileCalls, 'now' | 'pause'> } = {
    settleMs: SETTLE_MS,
    calls: {
      now: () => this.time,
      pause: async (milliseconds) => {
        this.time += milliseconds;
      },
    },
  };

  /** Looks until a new state is seen and has lasted: a look that is under way may have seen the old one. */
  async settle(look: () => Promise<unknown>): Promise<void> {
    for (let count = 0; count < 3; count++) {
      this.time += SETTLE_MS;
      await look();
    }
  }
}
