import { mustBeOptions, ownProperties, wrongKind } from './argument.ts';

/** The part of an `AbortSignal` that is used: the declarations compile in programs without the types of any host. */
export interface AbortSource {
  /** Has it aborted? */
  readonly aborted: boolean;
  /** The error that is thrown once it is aborted. */
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
      /** Whether the listener is called at most once. */
      readonly once?: boolean;
    },
  ): void;
  /**
   * Removes the listener.
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
    const forget = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(forget);
  });
}

/**
 * A signal that aborts after a time, or when another does. Node would end before one of `AbortSignal.timeout`, if nothing
 * else goes on.
 */
export function timeLimit(milliseconds: number, stop?: AbortSource): { signal: HostAbortSignal; end: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('the time is over', 'TimeoutError')), milliseconds);
  const forget = onAbort(stop, () => controller.abort(stop!.reason));
  const end = () => {
    clearTimeout(timer);
    forget();
  };
  return { signal: controller.signal, end };
}

/** Calls `act` when the signal aborts, or at once if it has. Returns a function that undoes this. */
export function onAbort(signal: AbortSource | undefined, act: () => void): () => void {
  if (signal?.aborted === true) act();
  signal?.addEventListener('abort', act, ownProperties({ once: true }));
  return () => signal?.removeEventListener('abort', act);
}

/**
 * Lets `using` close the values of a prototype where the host knows `Symbol.dispose`. It is called for each value and
 * acts on the first: as a computed key in the class, the symbol would define a method called `undefined` on a host that
 * does not know it.
 */
export function disposeByClosing(prototype: { close(): void }): void {
  if (Symbol.dispose === undefined || Object.hasOwn(prototype, Symbol.dispose)) return;
  Object.defineProperty(prototype, Symbol.dispose, {
    value(this: { close(): void }): void {
      this.close();
    },
  });
}
