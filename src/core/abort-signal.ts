import { mustBeOptions, wrongKind } from './argument.ts';

/** What is used of an `AbortSignal`: the declarations compile in programs without the types of any host. */
export interface AbortSource {
  /** Has it aborted? */
  readonly aborted: boolean;
  /** What is thrown then. */
  readonly reason: unknown;
  /**
   * Calls a function when it aborts.
   *
   * @param type `abort`
   * @param listener what is called
   * @param options `once`: not a second time
   */
  addEventListener(
    type: 'abort',
    listener: () => void,
    options?: {
      /** Not a second time. */
      readonly once?: boolean;
    },
  ): void;
  /**
   * Undoes that.
   *
   * @param type `abort`
   * @param listener the function to remove
   */
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The host's own `AbortSignal`, which its `fetch` asks for, in programs that have its type. */
export type HostAbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : AbortSource;

/**
 * Returns the signal of options that have nothing else.
 *
 * @throws {TypeError} where they are not an object, or the signal is not one
 * @throws {RangeError} on another option
 */
export function signalOf(options: { readonly signal?: AbortSource | undefined }): AbortSource | undefined {
  const { signal } = mustBeOptions('options', options, ['signal']);
  if (signal === undefined || typeof Object(signal).addEventListener === 'function') return signal;
  throw wrongKind('signal', 'an AbortSignal', signal);
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

/** A signal that aborts after a time: Node would end before one of `AbortSignal.timeout`, if nothing else goes on. */
export function timeLimit(milliseconds: number): { signal: HostAbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(new DOMException('the time is over', 'TimeoutError'));
  const timer = setTimeout(abort, milliseconds);
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}
