import { concatBytes } from '../../bytes/concat.ts';
import { HASH_BYTES, sha256 } from '../hashes.ts';
import { ListError } from '../lists/error.ts';
import { HashList } from '../lists/hash-list.ts';
import { DAY, isAhead, LAST_DATE } from './clock.ts';
import { kindOfError } from './error-kind.ts';
import { type HeldList, ListSnapshot } from './list-snapshot.ts';

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
  /** By list, why the stored one could not be read. */
  readonly #troubles = new Map<string, string>();

  constructor(settings: LocalListsSettings) {
    const { lists, globalCache } = settings;
    this.names = globalCache === undefined ? lists : [...lists, globalCache];
    this.#settings = settings;
  }

  get(name: string): HeldList | undefined {
    return this.#held.get(name);
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
    if (known === undefined || this.#since(held) >= this.#since(known)) this.#held.set(name, held);
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
      return `the store did not keep the list: ${kindOfError(error)}`;
    }
  }

  /** Returns the lists as they are now. */
  snapshot(): ListSnapshot {
    const { lists, globalCache, trustedLists, maxListAgeMs, now } = this.#settings;
    return new ListSnapshot({
      names: lists,
      globalCache,
      trusted: trustedLists,
      held: new Map(this.#held),
      troubles: new Map(this.#troubles),
      maxAgeMs: maxListAgeMs,
      now: now(),
    });
  }
}

/** Two numbers of eight bytes, little-endian: updatedAt and nextUpdateAt. */
const TIMES_BYTES = 16;

/** Returns a list as one piece for the store: the SHA-256 of the rest, the times, the list's file. */
function storedBytes({ list, updatedAt, nextUpdateAt }: HeldList): Uint8Array<ArrayBuffer> {
  const times = new DataView(new ArrayBuffer(TIMES_BYTES));
  times.setFloat64(0, updatedAt, true);
  times.setFloat64(8, nextUpdateAt, true);
  const rest = concatBytes([new Uint8Array(times.buffer), list.toBytes()]);
  return concatBytes([sha256(rest), rest]);
}

/** @throws {ListError} where the bytes are damaged */
function heldList(bytes: Uint8Array): HeldList {
  const rest = bytes.subarray(HASH_BYTES);
  if (rest.length < TIMES_BYTES || !sha256(rest).every((byte, at) => byte === bytes[at]))
    throw new ListError('file', 'checksum', 'the checksum is not that of the bytes');
  const times = new DataView(rest.buffer, rest.byteOffset);
  const updatedAt = dateIn(times.getFloat64(0, true));
  const nextUpdateAt = Math.min(dateIn(times.getFloat64(8, true)), updatedAt + DAY);
  return { list: HashList.fromBytes(rest.subarray(TIMES_BYTES)), updatedAt, nextUpdateAt };
}

/** A right checksum does not vouch for the times: anyone can make one. */
function dateIn(milliseconds: number): number {
  if (Math.abs(milliseconds) <= LAST_DATE) return milliseconds;
  throw new ListError('file', 'not-a-list', `one of its times is ${milliseconds}, which is not a date`);
}

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
