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

/**
 * Checks that each work throws an error, at once or as a rejection, whose name and message are the text; one that ends in
 * `…` is their beginning.
 */
export async function mustRefuse(rows: Iterable<readonly [work: () => unknown, error: string]>): Promise<void> {
  for (const [work, expected] of rows) {
    const { name, message } = await rejectionOf((async () => work())());
    const found = `${name}: ${message}`;
    assert.is(expected.endsWith('…') ? `${found.slice(0, expected.length - 1)}…` : found, expected);
  }
}
