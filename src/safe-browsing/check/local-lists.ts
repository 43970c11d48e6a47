import { hexOfBytes } from '../../bytes/hex.ts';
import { ListError } from '../lists/error.ts';
import { type HeldList, heldList, storedBytes } from '../lists/stored-list.ts';
import { isAhead } from './clock.ts';
import { kindOfError } from './error-kind.ts';
import { ListSnapshot } from './list-snapshot.ts';
import type { ListStore } from './list-store.ts';
import type { ListStatus } from './status.ts';

/** Which lists are kept, where they are stored and how long they are valid. */
interface LocalListsSettings {
  readonly lists: readonly string[];
  readonly globalCache: string | undefined;
  readonly trustedLists: readonly string[];
  readonly store: ListStore | undefined;
  readonly maxListAgeMs: number;
  readonly now: () => number;
}

/** The local database of Safe Browsing v5: threat lists, and the Global Cache of likely safe sites. */
export class LocalLists {
  /** The names of all lists, the Global Cache last. */
  readonly names: readonly string[];
  readonly #settings: LocalListsSettings;
  readonly #held = new Map<string, HeldList>();
  /** By list, why the stored one could not be read, or the last one not be stored. */
  readonly #troubles = new Map<string, string>();

  constructor(settings: LocalListsSettings) {
    const { lists, globalCache } = settings;
    this.names = globalCache === undefined ? lists : [...lists, globalCache];
    this.#settings = settings;
  }

  get(name: string): HeldList | undefined {
    return this.#held.get(name);
  }

  /** Why the stored list is not the one that is held. */
  troubleOf(name: string): string | undefined {
    return this.#troubles.get(name);
  }

  /** Keeps other processes from updating the store, and reads what they put there. Settles with what ends that. */
  async lock(): Promise<() => Promise<void>> {
    const { store } = this.#settings;
    if (store?.lock === undefined) return async () => undefined;
    try {
      return await store.lock();
    } finally {
      await this.load();
    }
  }

  /** Reads the stored lists. One that is missing or damaged counts as never fetched. */
  async load(): Promise<void> {
    const { store } = this.#settings;
    if (store !== undefined) await Promise.all(this.names.map((name) => this.#load(store, name)));
  }

  async #load(store: ListStore, name: string): Promise<void> {
    try {
      const bytes = await store.get(name);
      if (bytes !== undefined) this.#take(name, heldList(bytes));
      this.#troubles.delete(name);
    } catch (error) {
      this.#troubles.set(name, kindOfError(error));
    }
  }

  /** A store that failed to keep the last update has an older list. One from the future only replaces a missing one. */
  #take(name: string, held: HeldList): void {
    if (held.list.name !== name) throw new ListError('name', 'other-list', `it is the list ${held.list.name}`);
    const known = this.#held.get(name);
    if (known === undefined || this.#since(held) > this.#since(known)) this.#held.set(name, held);
  }

  #since({ updatedAt }: HeldList): number {
    return isAhead(updatedAt, this.#settings.now()) ? Number.NEGATIVE_INFINITY : updatedAt;
  }

  /** Takes a list over and stores it. Returns the reason if the store failed. */
  async set(name: string, held: HeldList): Promise<string | undefined> {
    this.#held.set(name, held);
    this.#troubles.delete(name);
    try {
      await this.#settings.store?.set(name, storedBytes(held));
      return undefined;
    } catch (error) {
      const trouble = `the store did not keep the list: ${kindOfError(error)}`;
      this.#troubles.set(name, trouble);
      return trouble;
    }
  }

  /** Describes each list as it is now. */
  statuses(snapshot: ListSnapshot): ListStatus[] {
    return this.names.map((name) => {
      const held = this.#held.get(name);
      return {
        name,
        size: held?.list.size ?? 0,
        version: held === undefined ? '' : hexOfBytes(held.list.version, 0, held.list.version.length),
        updatedAt: held?.updatedAt,
        ageMs: held && snapshot.now - held.updatedAt,
        isFresh: held !== undefined && snapshot.isFresh(held),
        trouble: this.#troubles.get(name),
      };
    });
  }

  /** Returns the lists as they are now. */
  snapshot(nextUpdateAt: number): ListSnapshot {
    const { lists, globalCache, trustedLists, maxListAgeMs, now } = this.#settings;
    return new ListSnapshot({
      names: lists,
      globalCache,
      trusted: trustedLists,
      held: new Map(this.#held),
      troubles: new Map(this.#troubles),
      maxAgeMs: maxListAgeMs,
      now: now(),
      nextUpdateAt,
    });
  }
}
