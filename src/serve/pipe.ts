const PAUSE_MILLISECONDS = 1;
const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Sleeps for a moment after `EAGAIN`: an end of a pipe or socket that is shared with a parent who made it non-blocking
 * gives it when there is nothing to read, or no room. Any other error is thrown again.
 */
export function waitForPipe(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  Atomics.wait(pause, 0, 0, PAUSE_MILLISECONDS);
}
