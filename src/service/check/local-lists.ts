import { hexOfBytes } from '../../core/bytes/hex.ts';
import { areSameBytes } from '../../core/bytes/order.ts';
import { textEncoder } from '../../core/bytes/text.ts';
import { type AbortSource, timeLimit, untilAborted } from '../../core/lifetime.ts';
import { withoutUnseen } from '../../core/quote.ts';
import { HASH_BYTES, sha256 } from '../../specs/safe-browsing/hash-prefix.ts';
import type { HashList } from '../lists/hash-list.ts';
import { HeadFilter } from '../lists/head-filter.ts';
import { ListError } from '../lists/sorted-prefixes.ts';
import { CheckFailure, kindOfError, type ListStatus } from './answer.ts';
import { type HeldList, heldList, storedBytes } from './held-list.ts';
import { type Connection, dateText } from './remote-method.ts';
import type { SteadyClock } from './steady-clock.ts';

/** The place where lists are kept between runs: files, Workers KV, IndexedDB. */
export interface ListStore {
  /**
   * Settles with the bytes that were kept last under a name.
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

/** The lists that are kept, where they are stored and how long they are valid. */
export interface LocalListsSettings {
  /** The names of the threat lists. */
  readonly lists: readonly string[];
  readonly globalCache: string | undefined;
  /** The names of lists whose prefixes need no answer of the server. */
  readonly trustedLists: readonly string[];
  readonly store: ListStore | undefined;
  readonly maxListAgeMs: number;
  /** The connection to the server of the lists; its time limit is also that of the store. */
  readonly connection: Connection;
  /** The connection of updates, whose time limit covers keeping a list in the store. */
  readonly updates: Connection;
}

/** The local database of Safe Browsing v5: threat lists, and the Global Cache of likely safe sites. */
export class LocalLists {
  /** The names of all lists, the Global Cache last. */
  readonly names: readonly string[];
  readonly #settings: LocalListsSettings;
  readonly #server: Uint8Array;
  /** Replaced where it changes, and never changed: snapshots share it. */
  #held: ReadonlyMap<string, LocalList> = new Map();
  /** The filter of the threat lists that are held; made by the first snapshot after a change. */
  #filter: HeadFilter | undefined;
  /** The writes under way that note in the store that the age of a list is not known, by its name. */
  readonly #doubts = new Map<string, Promise<void>>();
  /** The state of the last snapshot. */
  #era = 0;
  /** The reason why the stored list could not be read, or the last one could not be stored, by the name of the list. */
  readonly #troubles = new Map<string, string>();
  /** When each list had a wrong update, or none, after which it is fetched whole. */
  readonly #wrong = new Map<string, { readonly at: number; readonly waitMs: number }>();

  constructor(settings: LocalListsSettings) {
    const { lists, globalCache } = settings;
    this.names = globalCache === undefined ? lists : [...lists, globalCache];
    this.#settings = settings;
    this.#server = serverIdentity(settings.connection.base);
  }

  get(name: string): LocalList | undefined {
    return this.#held.get(name);
  }

  get #clock(): SteadyClock {
    return this.#settings.connection.clock;
  }

  /** Why the stored list is not the one that is held. */
  troubleOf(name: string): string | undefined {
    return this.#troubles.get(name);
  }

  /** Returns the version to update from, or undefined for a list that is fetched whole. */
  versionOf(name: string): Uint8Array | undefined {
    const version = this.#wrong.has(name) ? undefined : this.#held.get(name)?.list.version;
    return version?.length === 0 ? undefined : version;
  }

  /** Returns the names of the lists to fetch. */
  due(now: number): string[] {
    return this.names.filter((name) => this.#dueAt(name) <= now);
  }

  /**
   * Returns the time of the next update, in milliseconds of the clock: now at the earliest, Infinity without lists.
   *
   * @param openAt when the server may be asked
   */
  nextUpdateAt(openAt: number): number {
    const now = this.#clock.now();
    let least = Number.POSITIVE_INFINITY;
    for (const name of this.names) least = Math.min(least, this.#dueAt(name));
    return Math.max(now, least, openAt);
  }

  /** Returns when a list is due: at once if it is not known how old it is. */
  #dueAt(name: string): number {
    const [wrong, held] = [this.#wrong.get(name), this.#held.get(name)];
    if (wrong !== undefined) return wrong.at + wrong.waitMs;
    return held === undefined || !isOfKnownAge(held, this.#clock.era)
      ? Number.NEGATIVE_INFINITY
      : held.since + held.waitMs;
  }

  /** Keeps a list as it is for some time, since its update is wrong, or there is none. */
  refuseUpdate(name: string, waitMs: number): void {
    this.#wrong.set(name, { at: this.#clock.now(), waitMs });
  }

  /** Keeps other processes from updating the store, and reads what they put there. Settles with what ends that. */
  async lock(signal: AbortSource): Promise<() => Promise<void>> {
    const { store } = this.#settings;
    if (store?.lock === undefined) return async () => undefined;
    try {
      return await store.lock({ signal });
    } finally {
      await this.#loadAll();
    }
  }

  /**
   * Reads the stored lists. One that is missing, damaged, of another server or late counts as never fetched; a late one
   * until it comes.
   */
  async load(): Promise<void> {
    await this.#loadAll();
    await Promise.all(this.#doubts.values());
  }

  async #loadAll(): Promise<void> {
    const { store } = this.#settings;
    this.#clock.now(); // what it shows from here on tells whether it is set back
    if (store !== undefined) await Promise.all(this.names.map((name) => this.#load(store, name)));
  }

  async #load(store: ListStore, name: string): Promise<void> {
    const read = async () => {
      const bytes = await store.get(name);
      if (bytes !== undefined) this.#take(name, heldList(bytes));
      this.#troubles.delete(name);
    };
    const trouble = await troubleIn(read(), this.#settings.connection.timeoutMs);
    if (trouble !== undefined) this.#troubles.set(name, trouble);
  }

  /** A store that failed to keep the last update has an older list. One of unknown age only replaces a missing one. */
  #take(name: string, stored: HeldList): void {
    if (stored.list.name !== name)
      throw new ListError('name', 'other-list', `it is the list ${withoutUnseen(stored.list.name)}`);
    if (!areSameBytes(stored.server, this.#server))
      throw new ListError('file', 'other-list', 'it was fetched from another server');
    const known = this.#held.get(name);
    const { updatedAt } = stored;
    const held = this.#aged(stored);
    if (known !== undefined && known.updatedAt === updatedAt) return this.#doubtOld(name, known);
    this.#doubtOld(name, held);
    if (known === undefined || this.#sinceOf(held) > this.#sinceOf(known)) this.#hold(name, held);
  }

  #aged(stored: HeldList): LocalList {
    const { updatedAt, nextUpdateAt } = stored;
    const now = this.#clock.now();
    const isKnown = updatedAt !== undefined && this.#clock.isKnown(updatedAt);
    const since = isKnown ? now - (this.#clock.wallOf(now) - updatedAt) : undefined;
    return { ...stored, since, era: this.#clock.era, waitMs: nextUpdateAt - (updatedAt ?? nextUpdateAt) };
  }

  #sinceOf(held: LocalList): number {
    return isOfKnownAge(held, this.#clock.era) ? held.since : Number.NEGATIVE_INFINITY;
  }

  #hold(name: string, held: LocalList): void {
    this.#held = new Map(this.#held).set(name, held);
    this.#filter = undefined;
  }

  /**
   * Keeps in the store that the time of a list does not say how old it is, if so: when the clock gets there, or there
   * again, a process that starts then would take the list for new.
   */
  #doubtOld(name: string, held: LocalList): void {
    const { updatedAt } = held;
    const { store, connection } = this.#settings;
    if (store === undefined || updatedAt === undefined || isOfKnownAge(held, this.#clock.era) || this.#doubts.has(name))
      return;
    const keep = async () => {
      const unlock = await store.lock?.();
      try {
        const bytes = await store.get(name);
        const stored = bytes && heldList(bytes);
        if (stored?.updatedAt === updatedAt) await store.set(name, storedBytes({ ...stored, updatedAt: undefined }));
      } finally {
        await unlock?.();
      }
    };
    const work = troubleIn(keep(), connection.timeoutMs).then((trouble) => {
      this.#doubts.delete(name);
      if (trouble !== undefined)
        this.#troubles.set(name, `the store did not keep that the clock was set back: ${trouble}`);
    });
    this.#doubts.set(name, work);
  }

  /** Takes over a list that is up to date now, and stores it. Returns the reason if the store failed. */
  async set(name: string, list: HashList, waitMs: number): Promise<string | undefined> {
    const since = this.#clock.now();
    const updatedAt = this.#clock.wallOf(since);
    const times = { updatedAt, nextUpdateAt: updatedAt + waitMs, since, era: this.#clock.era, waitMs };
    const held = { list, server: this.#server, ...times };
    this.#hold(name, held);
    this.#wrong.delete(name);
    const { store, updates } = this.#settings;
    const keep = async () => {
      await store?.set(name, storedBytes(held));
      if (this.#held.get(name) === held) this.#troubles.delete(name); // a late one says nothing of a newer list
    };
    const trouble = await troubleIn(keep(), updates.timeoutMs);
    if (trouble === undefined) return undefined;
    const detail = `the store did not keep the list: ${trouble}`;
    this.#troubles.set(name, detail);
    return detail;
  }

  /** Describes each list as it is now. */
  statuses(snapshot: ListSnapshot): ListStatus[] {
    return this.names.map((name) => {
      const held = this.#held.get(name);
      return {
        name,
        size: held?.list.size ?? 0,
        version: held === undefined ? '' : hexOfBytes(held.list.version),
        ...(held !== undefined && isOfKnownAge(held, this.#clock.era)
          ? { updatedAt: held.updatedAt, ageMs: Math.floor(snapshot.now - held.since) }
          : { updatedAt: undefined, ageMs: undefined }),
        isFresh: held !== undefined && snapshot.isFresh(held),
        trouble: this.#troubles.get(name),
      };
    });
  }

  /** Returns the lists as they are now. */
  snapshot(nextUpdateAt: number): ListSnapshot {
    const { era } = this.#clock;
    if (era !== this.#era) for (const [name, held] of this.#held) this.#doubtOld(name, held);
    this.#era = era;
    this.#filter ??= new HeadFilter(
      this.#settings.lists.flatMap((name) => this.#held.get(name)?.list.prefixSets ?? []),
    );
    return new ListSnapshot(this.#settings, this.#held, this.#filter, this.#troubles, nextUpdateAt);
  }
}

/** Says why some work of a store failed, or that it takes longer than it may; it goes on then. */
async function troubleIn(work: Promise<void>, milliseconds: number): Promise<string | undefined> {
  const { signal, end } = timeLimit(milliseconds);
  try {
    await untilAborted(work, signal);
    return undefined;
  } catch (error) {
    return signal.aborted ? `it took more than ${milliseconds} ms` : kindOfError(error);
  } finally {
    end();
  }
}

/** The hash of one of a URL's expressions. */
export interface ExpressionHash {
  /** The hashes of all of them, 32 bytes each. */
  readonly packed: Uint8Array;
  /** The place where this one begins. */
  readonly at: number;
  /** The first four bytes as a big-endian number: the only part of the hash that may leave the machine. */
  readonly prefix: number;
  /** The position of the expression in the order of `expressions`. */
  readonly position: number;
}

/**
 * The local lists at one moment. A check looks everything up in one snapshot: otherwise a list that an update brings
 * while the check waits for the server could let a URL pass without having been searched for it.
 */
export class ListSnapshot {
  /** When the clock was read. */
  readonly now: number;
  readonly #era: number;
  /** The time until which the lists say what they say: until their next update, or until one of them is stale. */
  readonly expiresAt: number;
  readonly #settings: LocalListsSettings;
  readonly #held: ReadonlyMap<string, LocalList>;
  readonly #filter: HeadFilter;
  readonly #troubles: ReadonlyMap<string, string>;

  /** @param nextUpdateAt when the next update is due, in milliseconds of the clock */
  constructor(
    settings: LocalListsSettings,
    held: ReadonlyMap<string, LocalList>,
    filter: HeadFilter,
    troubles: ReadonlyMap<string, string>,
    nextUpdateAt: number,
  ) {
    const { clock } = settings.connection;
    this.now = clock.now();
    this.#era = clock.era;
    this.#settings = settings;
    this.#held = held;
    this.#filter = filter;
    this.#troubles = troubles;
    let expiresAt = nextUpdateAt;
    for (const each of held.values())
      if (this.isFresh(each)) expiresAt = Math.min(expiresAt, each.since + settings.maxListAgeMs);
    this.expiresAt = expiresAt;
  }

  /** Returns the names of the threat lists with a prefix that a hash begins with. */
  matchesOf({ packed, at, prefix }: ExpressionHash): readonly string[] {
    if (!this.#filter.mayHave(prefix)) return NONE;
    return this.#settings.lists.filter((name) => this.#held.get(name)?.list.hasAt(packed, at) === true);
  }

  /**
   * Whether a hash is listed, whatever the server says: a list that is up to date has all its 32 bytes, or is trusted
   * and has a prefix of it.
   */
  isListed(hash: ExpressionHash): boolean {
    return this.matchesOf(hash).some((name) => {
      const held = this.#held.get(name)!;
      return this.isFresh(held) && (this.#settings.trustedLists.includes(name) || hasWhole(held.list, hash));
    });
  }

  /** Whether a hash is in the Global Cache, and that is up to date. */
  isLikelySafe({ packed, at }: ExpressionHash): boolean {
    const held = this.#held.get(this.#settings.globalCache ?? '');
    return held !== undefined && this.isFresh(held) && held.list.hasAt(packed, at);
  }

  /** Returns why the threat lists cannot say that a URL is safe; undefined where they can. */
  obstacle(): CheckFailure | undefined {
    for (const name of this.#settings.lists) {
      const held = this.#held.get(name);
      if (held === undefined) return new CheckFailure('list-missing', this.#missing(name));
      if (!this.isFresh(held)) return new CheckFailure('list-stale', this.#staleness(name, held));
    }
    return undefined;
  }

  /** Whether the list may say that a URL is safe: it is known how old it is, and it is not too old. */
  isFresh(held: LocalList): held is AgedList {
    return isOfKnownAge(held, this.#era) && this.now - held.since <= this.#settings.maxListAgeMs;
  }

  #staleness(name: string, held: LocalList): string {
    return isOfKnownAge(held, this.#era)
      ? `the list ${name} was last brought up to date at ${dateText(held.updatedAt)}`
      : `the clock was behind the time of the last update of the list ${name}, or was set back after it`;
  }

  #missing(name: string): string {
    const trouble = this.#troubles.get(name);
    return trouble === undefined
      ? `the list ${name} has not been fetched`
      : `the list ${name} could not be read from the store: ${trouble}`;
  }
}

/** The lists of a hash that is on none, as most are: one array for all. */
const NONE: readonly string[] = [];

function hasWhole(list: HashList, { packed, at }: ExpressionHash): boolean {
  return list.prefixSets.some((set) => set.width === HASH_BYTES && set.hasAt(packed, at));
}

/** A list that is held, with its times by the steady clock. */
interface LocalList extends HeldList {
  /** When it was up to date; undefined where that is not known. */
  readonly since: number | undefined;
  /** The era of the clock in which that was known. */
  readonly era: number;
  /** The time that the server lets pass before it is fetched again. */
  readonly waitMs: number;
}

type AgedList = LocalList & { readonly updatedAt: number; readonly since: number };

/** Whether it is known, in an era of the clock, how old a list is: it is not once the wall clock was set back. */
function isOfKnownAge(held: LocalList, era: number): held is AgedList {
  return held.since !== undefined && held.era === era;
}

/** Returns the SHA-256 of the URL of a server: its path may hold a key, and a store may be anywhere. */
function serverIdentity(base: string): Uint8Array {
  return sha256(textEncoder().encode(base));
}
