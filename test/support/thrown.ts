import * as assert from 'uvu/assert';

/** Returns what `work` throws; it must. */
export function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  assert.unreachable('nothing was thrown');
  throw new Error();
}

/** Returns what `promise` is rejected with; it must be. */
export async function rejectionOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  assert.unreachable('nothing was rejected');
  throw new Error();
}
