// Checks while lists are updated, loaded, written by others and grow old: every order of what can happen between two
// awaits, against a model that knows which lists the checker held when.
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Answer,
  type Fetch,
  type ListStore,
  type Procedure,
  SafeBrowsingChecker,
} from '../../../src/entries/safe-browsing/check.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE, HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { halvedCases, random } from '../../support/seed.ts';
import { storedList } from './memory-store.ts';
import { MALWARE, sha256 } from './scripted-server.ts';
import { duration, fullHash, searchResponse } from './search-response.ts';

const tests = suite('safe-browsing/check: interleavings');

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Bytes of the prefixes of each list. */
const WIDTHS: Readonly<Record<string, number>> = { 'mw-4b': 4, 'se-32b': 32, 'gc-32b': 32 };
const THREAT_LISTS = ['mw-4b', 'se-32b'];
const GLOBAL_CACHE = 'gc-32b';
const HASHES = new Map(
  Array.from({ length: 8 }, (_, index) => [`host${index}.example`, sha256(`host${index}.example/`)]),
);
const HOSTS = [...HASHES.keys()];
/** Hosts that the server lists, at all times: what a list has besides is a prefix that another hash begins with. */
const UNSAFE = new Set(HOSTS.slice(0, 5));

type Next = ReturnType<typeof random>;

/** A list as the checker was given it. */
interface Held {
  readonly hosts: ReadonlySet<string>;
  readonly updatedAt: number;
}

/** The state that a check can be based on. */
interface Moment {
  readonly lists: ReadonlyMap<string, Held>;
  readonly time: number;
}

/** A check under way. */
interface Begun {
  readonly hosts: readonly string[];
  /** The moments that count: that of its beginning, or, before the store was read, one until its end. */
  readonly from: number;
  readonly to: () => number;
  readonly hasFailed: () => boolean;
  readonly answers: Promise<readonly Answer[]>;
}

class Scenario {
  readonly #next: Next;
  readonly #procedure: Procedure;
  readonly #trusted: readonly string[];
  readonly #checker: SafeBrowsingChecker;
  readonly #steps: string[] = [];
  readonly #pending: (() => void)[] = [];
  readonly #kept = new Map<string, Uint8Array>();
  readonly #held = new Map<string, Held>();
  readonly #moments: Moment[] = [];
  readonly #begun: Begun[] = [];
  readonly #updates: Promise<unknown>[] = [];
  #isLoaded = false;
  #failureCount = 0;
  #time = Date.UTC(2026, 0, 1);

  constructor(next: Next) {
    this.#next = next;
    this.#procedure = next(2) === 0 ? 'local-list' : 'real-time';
    this.#trusted = next(3) === 0 ? ['mw-4b'] : [];
    const hasGlobalCache = this.#procedure === 'real-time' && next(2) === 0;
    const names = hasGlobalCache ? [...THREAT_LISTS, GLOBAL_CACHE] : THREAT_LISTS;
    for (const name of names) if (next(2) === 0) this.#kept.set(name, this.#written(name));
    this.#checker = new SafeBrowsingChecker({
      server: 'http://127.0.0.1/',
      procedure: this.#procedure,
      whenUnsure: 'block',
      lists: THREAT_LISTS,
      ...(hasGlobalCache ? { globalCache: GLOBAL_CACHE } : {}),
      trustedLists: this.#trusted,
      store: this.#store,
      fetch: this.#fetch,
      now: () => this.#time,
      random: () => 0,
      timeoutMs: 2 ** 30,
      backOff: { unansweredMs: 0, refusedMs: 0 },
    });
    this.#addMoment();
  }

  async run(): Promise<readonly Answer[]> {
    const kinds = [() => this.#check(), () => this.#update(), () => this.#settle(), () => this.#settle()];
    const rare = [() => this.#wait(), () => this.#load(), () => this.#writtenByAnother(), ...kinds];
    for (let left = 6 + this.#next(20); left > 0; left--) {
      const from = this.#next(4) === 0 ? rare : kinds;
      from[this.#next(from.length)]!();
      await turn();
    }
    while (this.#pending.length > 0) {
      this.#settle();
      await turn();
    }
    const answers = await Promise.all(this.#begun.map((begun) => begun.answers));
    await Promise.all(this.#updates);
    for (const [index, begun] of this.#begun.entries()) {
      for (const [position, host] of begun.hosts.entries()) this.#judge(host, begun, answers[index]![position]!);
    }
    return answers.flat();
  }

  #judge(host: string, { from, to, hasFailed }: Begun, answer: Answer): void {
    const moments = this.#moments.slice(from, to() + 1);
    const wrong = moments.map((moment) => this.#fault(host, moment, hasFailed(), answer));
    if (!wrong.every(Boolean)) return;
    const { verdict, reason, matched } = answer;
    assert.unreachable(
      `${host}: ${verdict}, ${reason}, ${matched}: ${wrong}; ${this.#procedure}: ${this.#steps.join(', ')}`,
    );
  }

  /** Says why a check that is based on one moment alone cannot give this answer. */
  #fault(host: string, { lists, time }: Moment, hasFailed: boolean, answer: Answer): string {
    const { verdict, matched, reason, threats } = answer;
    const isFresh = (name: string) => time - (lists.get(name)?.updatedAt ?? Number.NEGATIVE_INFINITY) <= DAY;
    const isComplete = THREAT_LISTS.every(isFresh);
    const hits = THREAT_LISTS.filter((name) => lists.get(name)?.hosts.has(host));
    const isSure = hits.some((name) => isFresh(name) && (WIDTHS[name] === 32 || this.#trusted.includes(name)));
    const isLocal = this.#procedure === 'local-list' || reason === 'list';
    if (verdict === 'safe' && UNSAFE.has(host) && (!isComplete || hits.length > 0)) return 'it is listed';
    if (verdict === 'safe' && isLocal && reason !== 'cache' && !isComplete) return 'a list was in the way';
    if (verdict === 'unsafe' && !UNSAFE.has(host) && !(isSure && hasFailed)) return 'nothing lists it';
    if (verdict === 'unsafe' && threats[0]!.expression !== `${host}/`) return 'another expression is listed';
    if (verdict === 'unsure' && isComplete && !hasFailed) return 'nothing was in the way';
    if (verdict === 'unsure' && isSure && UNSAFE.has(host)) return 'a list was enough';
    if (isLocal && `${matched}` !== `${hits}`) return `the lists with a prefix were ${hits}`;
    if (reason === 'list' && verdict === 'safe' && hits.length > 0) return 'a list has a prefix';
    const isLikelySafe = isFresh(GLOBAL_CACHE) && lists.get(GLOBAL_CACHE)!.hosts.has(host);
    const mustAsk = this.#procedure === 'real-time' && !isLikelySafe;
    if (reason === 'list' && verdict === 'safe' && mustAsk && !hasFailed) return 'the server was not asked';
    return '';
  }

  #check(): void {
    const hosts = Array.from({ length: 1 + this.#next(2) }, () => this.#oneOf(HOSTS));
    this.#note(`check ${hosts}`);
    const path = this.#oneOf(['', 'b?c']);
    const answers = this.#checker.checkMany(hosts.map((host) => `http://${host}/${path}`));
    const from = this.#moments.length - 1;
    const failuresBefore = this.#failureCount;
    let to = from;
    let failures = failuresBefore;
    const isLoaded = this.#isLoaded;
    answers.then(() => {
      if (!isLoaded) to = this.#moments.length - 1;
      failures = this.#failureCount;
      this.#isLoaded = true;
    });
    this.#begun.push({ hosts, from, to: () => to, hasFailed: () => failures > failuresBefore, answers });
  }

  #update(): void {
    this.#note('update');
    this.#updates.push(this.#checker.update());
  }

  #load(): void {
    this.#note('load');
    this.#updates.push(this.#checker.load());
  }

  #wait(): void {
    const hours = this.#oneOf([1, 5, 23, 30]);
    this.#note(`${hours} hours later`);
    this.#time += hours * HOUR;
    this.#addMoment();
  }

  #settle(): void {
    if (this.#pending.length === 0) return;
    this.#pending.splice(this.#next(this.#pending.length), 1)[0]!();
  }

  #writtenByAnother(): void {
    const name = this.#oneOf(THREAT_LISTS);
    this.#note(`${name} written by another process`);
    this.#kept.set(name, this.#written(name));
  }

  /** Returns what another process, whose clock is the same, put into the store some time ago. */
  #written(name: string): Uint8Array {
    const updatedAt = this.#time - this.#oneOf([0, 2, 20, 26]) * HOUR;
    return storedList(this.#someList(name), 'http://127.0.0.1/', updatedAt, updatedAt + 60_000);
  }

  readonly #store: ListStore = {
    get: (name) => {
      return this.#later(`${name} read`, () => {
        if (this.#next(8) === 0) throw new Error('the store cannot be read');
        const bytes = this.#kept.get(name);
        // the latest counts: a store that failed to keep the last update has an older list
        const held = bytes === undefined ? undefined : heldIn(bytes);
        if (held !== undefined && held.updatedAt > (this.#held.get(name)?.updatedAt ?? Number.NEGATIVE_INFINITY))
          this.#hold(name, held);
        return bytes;
      });
    },
    set: (name, bytes) => {
      // the list is in use as soon as it is given to the store
      this.#hold(name, heldIn(bytes));
      return this.#later(`${name} stored`, () => void this.#kept.set(name, bytes));
    },
  };

  #hold(name: string, held: Held): void {
    this.#held.set(name, held);
    this.#note(`${name} in use: ${[...held.hosts]}`);
    this.#addMoment();
  }

  #addMoment(): void {
    this.#moments.push({ lists: new Map(this.#held), time: this.#time });
  }

  readonly #fetch: Fetch = (url) => {
    this.#isLoaded = true; // the store is read before anything is asked
    const { pathname, searchParams } = new URL(url);
    const isSearch = pathname.endsWith('hashes:search');
    return this.#later(isSearch ? 'searched' : 'fetched', () => {
      if (this.#next(4) === 0) return this.#failure();
      if (!isSearch) return new Response(this.#lists(searchParams.getAll('names')));
      const prefixes = searchParams.getAll('hashPrefixes').map((each) => Buffer.from(each, 'base64url'));
      const listed = [...UNSAFE].map((host) => HASHES.get(host)!);
      const found = listed.filter((hash) => prefixes.some((prefix) => hash.subarray(0, 4).equals(prefix)));
      const hashes = found.map((hash) => fullHash(hash, [MALWARE]));
      return new Response(new Uint8Array(searchResponse(hashes, duration(this.#oneOf([0, 0, 300, 7200])))));
    });
  };

  #failure(): Response {
    this.#failureCount++;
    this.#note('failed');
    if (this.#next(2) === 0) throw new TypeError('fetch failed');
    return new Response(null, { status: 503 });
  }

  #lists(names: readonly string[]): Uint8Array<ArrayBuffer> {
    return BATCH_GET_HASH_LISTS_RESPONSE.encode(names.map((name) => this.#someList(name).toUpdate(60_000)));
  }

  #someList(name: string): HashList {
    const hosts = HOSTS.filter(() => this.#next(3) === 0);
    const width = WIDTHS[name]!;
    const prefixes = Buffer.concat(hosts.map((host) => HASHES.get(host)!.subarray(0, width)));
    return HashList.from(prefixes, width, { name, version: Uint8Array.of(this.#next(256)) });
  }

  /** Returns what `answer` gives, at a time of the scheduler's choice. */
  #later<T>(what: string, answer: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#pending.push(() => {
        this.#note(what);
        try {
          resolve(answer());
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  #note(step: string): void {
    this.#steps.push(step);
  }

  #oneOf<T>(items: readonly T[]): T {
    return items[this.#next(items.length)]!;
  }
}

/** Reads what a store is given: a checksum of 32 bytes, two times of 8, the server of 32, the list. */
function heldIn(bytes: Uint8Array): Held {
  const updatedAt = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(32, true);
  const list = HashList.fromBytes(bytes.subarray(80));
  return { hosts: new Set(HOSTS.filter((host) => list.has(HASHES.get(host)!))), updatedAt };
}

tests('every answer is right by the lists of one moment, the one at which its check began', async () => {
  const next = random();
  const counts = { safe: 0, unsafe: 0, unsure: 0, list: 0, cache: 0, server: 0 };
  const count = halvedCases(2000);
  for (let left = count; left > 0; left--) {
    for (const { verdict, reason } of await new Scenario(next).run()) {
      counts[verdict]++;
      if (reason in counts) counts[reason as 'list']++;
    }
  }
  for (const [what, number] of Object.entries(counts)) assert.ok(number > count / 20, `only ${number} ${what}`);
});

tests.run();
