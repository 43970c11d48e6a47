import type { AbortSource } from '../../abort-signal.ts';
/** `work`, until `signal` aborts: then its reason. The work goes on, since others may wait for the same. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSource | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
