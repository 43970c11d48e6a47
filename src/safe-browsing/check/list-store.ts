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
}
