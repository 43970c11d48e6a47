import { areSameBytes } from '../../core/bytes/order.ts';
import { type AbortSource, onAbort } from '../../core/lifetime.ts';
import { HashList } from '../lists/hash-list.ts';
import { decodeLists } from '../lists/messages/hash-list-message.ts';
import { ListError } from '../lists/sorted-prefixes.ts';
import type { ListUpdate } from '../lists/update.ts';
import { CheckFailure, kindOfError, type UnsureCause } from './answer.ts';
import type { LocalLists } from './local-lists.ts';
import { base64Url, DAY, MINUTE, type RemoteMethod } from './remote-method.ts';

/** The outcome of an update for one list. */
export interface ListReport {
  /** The name of the list. */
  readonly name: string;
  /** `waiting`: the server does not let it be fetched again yet. `failed`: it is as its last good update made it. */
  readonly status: 'updated' | 'unchanged' | 'waiting' | 'failed';
  /** The fault, in words; undefined without one. */
  readonly detail: string | undefined;
  /** The reason of the failure, in a word; undefined without one. */
  readonly cause: UpdateFailureCause | undefined;
  /** The number of prefixes that the list has. */
  readonly size: number;
}

/**
 * The reason why an update failed: one that look-ups have, too, `update` where it does not fit the list, `store` where
 * the store cannot be locked.
 */
export type UpdateFailureCause = UnsureCause | 'update' | 'store';

/** The most rounds of one update: otherwise a server that always has more to send would be asked forever. */
const MAX_ROUNDS = 32;

/** Google sizes its longest list at 67 MB. */
const MAX_LIST_BYTES = 80e6;

/** The wait after a wrong update; the list is then fetched whole. */
const WRONG_UPDATE_WAIT_MS = MINUTE;
/** The wait for a list that the server lacks: as long as a server that refuses everything is left alone at first. */
const ABSENT_LIST_WAIT_MS = 15 * MINUTE;

/** The answer to a request for one list; undefined where the answer has too few lists. */
type FetchedUpdate = ListUpdate | CheckFailure | undefined;

function isAbsent(answer: FetchedUpdate | readonly ListUpdate[]): boolean {
  return answer instanceof CheckFailure && answer.status === 404;
}

/** Keeps the local lists up to date with `hashLists:batchGet`. */
export class ListUpdates {
  readonly #lists: LocalLists;
  readonly #batchGet: RemoteMethod;
  readonly #now: () => number;
  readonly #rounds: SharedWork<ListReport[]>;
  #underWay = new AbortController();

  constructor(lists: LocalLists, batchGet: RemoteMethod) {
    const { clock, timeoutMs } = batchGet.connection;
    this.#lists = lists;
    this.#batchGet = batchGet;
    this.#now = clock.now;
    this.#rounds = new SharedWork(() => this.#updateAlone(), clock.now, MAX_ROUNDS * timeoutMs);
  }

  /** @param stop aborts the update, for all who share it: lists that it has not fetched stay as they are */
  run(stop?: AbortSource): Promise<ListReport[]> {
    const reports = this.#rounds.run();
    const forget = onAbort(stop, () => this.#underWay.abort());
    reports.then(forget, forget);
    return reports;
  }

  /** Another process that shares the store may have fetched what is due. */
  async #updateAlone(): Promise<ListReport[]> {
    const { signal } = (this.#underWay = new AbortController());
    const now = this.#now();
    if (this.#lists.due(now).length === 0) return this.#lists.names.map((name) => this.#report(name, 'waiting'));
    let unlock: () => Promise<void>;
    try {
      unlock = await this.#lists.lock(signal);
    } catch (error) {
      const detail = `the store cannot be locked: ${kindOfError(error)}`;
      return this.#lists.names.map((name) => this.#failed(name, 'store', detail));
    }
    try {
      return await this.#updateInRounds(signal);
    } finally {
      await unlock();
    }
  }

  /** "If omitted or zero, clients SHOULD fetch immediately" (HashList.minimum_wait_duration): hence in rounds. */
  async #updateInRounds(stop: AbortSource): Promise<ListReport[]> {
    const reports = new Map(this.#lists.names.map((name) => [name, this.#report(name, 'waiting')]));
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const due = this.#lists.due(this.#now());
      if (due.length === 0) break;
      const updates = await this.#fetched(due, stop);
      if (updates instanceof CheckFailure) {
        for (const name of due) reports.set(name, this.#failed(name, updates.cause, updates.detail));
        break;
      }
      for (const [index, name] of due.entries()) {
        const before = reports.get(name)!;
        const report = await this.#applied(name, updates[index]);
        reports.set(name, before.status === 'updated' && report.status === 'unchanged' ? before : report);
      }
      if (updates.some((each) => each instanceof CheckFailure && !isAbsent(each))) break;
    }
    return [...reports.values()];
  }

  /**
   * A server that lacks one list answers a request for several with 404: then each is asked for alone. One that has
   * none, nor ever had, is left alone as one that fails.
   */
  async #fetched(names: readonly string[], stop: AbortSource): Promise<readonly FetchedUpdate[] | CheckFailure> {
    if (names.length > 1) {
      const together = await this.#batchGetOf(names, stop, true);
      if (!isAbsent(together)) return together;
    }
    let hasLists = this.#lists.names.some((name) => this.#lists.get(name) !== undefined);
    const updates: FetchedUpdate[] = [];
    for (const name of names) {
      const answer = await this.#batchGetOf([name], stop, hasLists || name !== names.at(-1));
      hasLists ||= !(answer instanceof CheckFailure);
      updates.push(answer instanceof CheckFailure ? answer : answer[0]);
    }
    const [first] = updates;
    if (hasLists || !(first instanceof CheckFailure) || !updates.every(isAbsent)) return updates;
    return new CheckFailure('status', `${first.detail}: it has no list ${names.join(', ')}, or v5 has another URL`);
  }

  /** @param mayBeAbsent whether a status 404 says that the server lacks a list, not that it has none */
  #batchGetOf(
    names: readonly string[],
    stop: AbortSource,
    mayBeAbsent: boolean,
  ): Promise<readonly ListUpdate[] | CheckFailure> {
    const request = {
      query: this.#queryOf(names),
      maxBytes: names.length * MAX_LIST_BYTES,
      decode: (bytes: Uint8Array) => decodeLists(bytes, names.length),
      mayBeAbsent,
    };
    return this.#batchGet.call(request, stop);
  }

  #queryOf(names: readonly string[]): string {
    const versions = names.flatMap((name) => this.#lists.versionOf(name) ?? []);
    return [
      ...names.map((name) => `names=${encodeURIComponent(name)}`),
      ...versions.map((version) => `version=${base64Url(version)}`),
    ].join('&');
  }

  /** Applies an update. The checksum does not cover its wait; with more than a day the list would grow old. */
  async #applied(name: string, update: FetchedUpdate): Promise<ListReport> {
    if (update instanceof CheckFailure) return this.#unfetched(name, update);
    const list = this.#listAfter(name, update);
    if (typeof list === 'string') return this.#refused(name, list);
    const before = this.#lists.get(name)?.list;
    const damage = before === undefined ? this.#lists.troubleOf(name) : undefined;
    const trouble = await this.#lists.set(name, list, Math.min(update!.minimumWaitMs, DAY));
    const detail = trouble ?? (damage && `the stored list could not be read: ${damage}`);
    const isSame = before !== undefined && areSameBytes(before.checksum, list.checksum);
    return this.#report(name, isSame ? 'unchanged' : 'updated', detail);
  }

  /** Returns the list that an update makes, or the reason why it is refused. */
  #listAfter(name: string, update: ListUpdate | undefined): HashList | string {
    if (update?.name !== name) return 'the answer does not have the list in its place';
    const isWhole = this.#lists.versionOf(name) === undefined;
    if (isWhole && update.isPartial) return 'the list was asked for whole, and the answer is a partial update';
    const before = isWhole ? HashList.empty(name) : this.#lists.get(name)!.list;
    try {
      return before.updated(update);
    } catch (error) {
      if (error instanceof ListError) return error.message;
      throw error;
    }
  }

  #unfetched(name: string, failure: CheckFailure): ListReport {
    if (!isAbsent(failure)) return this.#failed(name, failure.cause, failure.detail);
    this.#lists.refuseUpdate(name, ABSENT_LIST_WAIT_MS);
    return this.#failed(name, failure.cause, `${failure.detail}: it has no list ${name}`);
  }

  #refused(name: string, detail: string): ListReport {
    this.#lists.refuseUpdate(name, WRONG_UPDATE_WAIT_MS);
    return this.#failed(name, 'update', detail);
  }

  #failed(name: string, cause: UpdateFailureCause, detail: string): ListReport {
    return { ...this.#report(name, 'failed', detail), cause };
  }

  #report(name: string, status: ListReport['status'], detail?: string): ListReport {
    return { name, status, detail, cause: undefined, size: this.#lists.get(name)?.list.size ?? 0 };
  }
}

/**
 * Work that callers share while it is under way. In a Worker, the work of a request whose client disconnects may never
 * end: when it is older than `maxAgeMs`, the next caller starts it again.
 */
export class SharedWork<T> {
  readonly #start: () => Promise<T>;
  readonly #now: () => number;
  readonly #maxAge: number;
  #underWay: { readonly result: Promise<T>; readonly startedAt: number } | undefined;

  /** @param maxAgeMs the age up to which work is shared */
  constructor(start: () => Promise<T>, now: () => number, maxAgeMs: number) {
    this.#start = start;
    this.#now = now;
    this.#maxAge = maxAgeMs;
  }

  run(): Promise<T> {
    const now = this.#now();
    const known = this.#underWay;
    if (known !== undefined && now - known.startedAt <= this.#maxAge) return known.result;
    const started = { result: this.#start(), startedAt: now };
    const end = () => {
      if (this.#underWay === started) this.#underWay = undefined;
    };
    this.#underWay = started;
    started.result.then(end, end);
    return started.result;
  }
}
