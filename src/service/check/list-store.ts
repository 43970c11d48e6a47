import type { AbortSource } from '../../core/abort-signal.ts';

/** Where lists are kept between runs: files, Workers KV, IndexedDB. */
export interface ListStore {
  /**
   * What was kept last under a name.
   *
   * @param name of the list
   */
  get(name: string): Promise<Uint8Array | undefined>;
  /**
   * Keeps bytes in place of those that are there, whole or not at all.
   *
   * @param name of the list
   * @param bytes a list with its version and its times
   */
  set(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Keeps other processes from updating this store at the same time, until the function is called that it settles with.
   * They would only ask the server twice: without this method they do. The lists are read again once it has settled.
   *
   * @param options a signal that ends the wait for another process
   * @throws where another process does not let go, or the signal aborts
   */
  lock?(options?: {
    /** Ends the wait. */
    readonly signal?: AbortSource | undefined;
  }): Promise<() => Promise<void>>;
}
