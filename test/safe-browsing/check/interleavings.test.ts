// Checks while lists are updated, loaded and grow old: every order of what can happen between two awaits, against a
// model that knows which lists were held when a check began.
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
import { cases, random } from '../../seed.ts';
import { MALWARE, sha256 } from './scripted-server.ts';
import { duration, fullHash, searchResponse } from './search-response.ts';

const tests = suite('safe-browsing/check: interleavings');

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Bytes of the prefixes of each list. */
const WIDTHS: Readonly<Record<string, number>> = { 'mw-4b': 4, 'se-32b': 32 };
const NAMES = Object.keys(WIDTHS);
const HOSTS = Array.from({ length: 8 }, (_, index) => `host${index}.example`);
/** What the server lists, at all times: what a list has besides is a prefix that another hash begins with. */
const UNSAFE = new Set(HOSTS.slice(0, 5));

type Next = ReturnType<typeof random>;

/** A list as the checker was given it. */
interface Held {
  readonly hosts: ReadonlySet<string>;
  readonly updatedAt: number;
}

/** A check under way, with the lists that were held when it began. */
interface Begun {
  readonly host: string;
  readonly lists: ReadonlyMap<string, Held>;
  readonly time: number;
  readonly answer: Promise<Answer>;
}

class Scenario {
  readonly #next: Next;
  readonly #procedure: Procedure;
  readonly #checker: SafeBrowsingChecker;
  readonly #steps: string[] = [];
  readonly #pending: (() => void)[] = [];
  readonly #kept = new Map<string, Uint8Array>();
  readonly #held = new Map<string, Held>();
  readonly #begun: Begun[] = [];
  readonly #updates: Promise<unknown>[] = [];
  #hasFailed = false;
  #time = Date.UTC(2026, 0, 1);

  constructor(next: Next) {
    this.#next = next;
    this.#procedure = next(2) === 0 ? 'local-list' : 'real-time';
    this.#checker = new SafeBrowsingChecker({
      server: 'http://127.0.0.1/',
      procedure: this.#procedure,
      whenUnsure: 'block',
      lists: NAMES,
      store: this.#store,
      fetch: this.#fetch,
      now: () => this.#time,
      random: () => 0,
      timeoutMs: 2 ** 30,
      backOff: { unansweredMs: 0, refusedMs: 0 },
    });
  }

  async run(): Promise<readonly Answer[]> {
    const kinds = [() => this.#check(), () => this.#update(), () => this.#settle(), () => this.#settle()];
    const rare = [() => this.#wait(), () => this.#load(), ...kinds];
    for (let left = 6 + this.#next(20); left > 0; left--) {
      const from = this.#next(4) === 0 ? rare : kinds;
      from[this.#next(from.length)]!();
      await turn();
    }
    while (this.#pending.length > 0) {
      this.#settle();
      await turn();
    }
    const answers = await Promise.all(this.#begun.map(({ answer }) => answer));
    await Promise.all(this.#updates);
    for (const [index, begun] of this.#begun.entries()) this.#judge(begun, answers[index]!);
    return answers;
  }

  /** May this answer be given, by the lists that were held when the check began? */
  #judge({ host, lists, time }: Begun, { verdict, matched, reason, threats }: Answer): void {
    const told = `${host}: ${verdict}, ${reason}, ${matched}; ${this.#procedure}: ${this.#steps.join(', ')}`;
    const isFresh = (name: string) => time - (lists.get(name)?.updatedAt ?? Number.NEGATIVE_INFINITY) <= DAY;
    const isComplete = NAMES.every(isFresh);
    const hits = NAMES.filter((name) => lists.get(name)?.hosts.has(host));
    const isWhole = hits.some((name) => WIDTHS[name] === 32 && isFresh(name));
    if (verdict === 'safe' && UNSAFE.has(host)) assert.ok(isComplete && hits.length === 0, told);
    if (verdict === 'safe' && this.#procedure === 'local-list') assert.ok(isComplete, told);
    if (verdict === 'unsafe') assert.ok(UNSAFE.has(host) || (isWhole && this.#hasFailed), told);
    if (verdict === 'unsafe') assert.is(threats[0]!.expression, `${host}/`);
    if (verdict === 'unsure') assert.ok(!isComplete || this.#hasFailed, told);
    if (verdict === 'unsure' && UNSAFE.has(host)) assert.not(isWhole, told);
    if (this.#procedure === 'local-list' || reason !== 'server') assert.equal(matched, hits, told);
    if (this.#procedure === 'local-list' && hits.length === 0) assert.is(verdict, isComplete ? 'safe' : 'unsure', told);
  }

  #check(): void {
    const host = this.#oneOf(HOSTS);
    const answer = this.#checker.check(`http://${host}/`);
    this.#note(`check ${host}`);
    const begun = { host, lists: new Map(this.#held), time: this.#time, answer };
    this.#begun.push(begun);
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
  }

  #settle(): void {
    if (this.#pending.length === 0) return;
    this.#pending.splice(this.#next(this.#pending.length), 1)[0]!();
  }

  readonly #store: ListStore = {
    get: async (name) => this.#kept.get(name),
    set: (name, bytes) => {
      // the list is in use as soon as it is given to the store
      const { hosts, updatedAt } = heldIn(bytes);
      this.#held.set(name, { hosts, updatedAt });
      this.#note(`${name} in use: ${[...hosts]}`);
      return this.#later(`${name} stored`, () => void this.#kept.set(name, bytes));
    },
  };

  readonly #fetch: Fetch = (url) => {
    const { pathname, searchParams } = new URL(url);
    const isSearch = pathname.endsWith('hashes:search');
    return this.#later(isSearch ? 'searched' : 'fetched', () => {
      if (this.#next(4) === 0) return this.#failure();
      if (!isSearch) return new Response(this.#lists(searchParams.getAll('names')));
      const prefixes = searchParams.getAll('hashPrefixes').map((each) => Buffer.from(each, 'base64url'));
      const listed = [...UNSAFE].map((host) => sha256(`${host}/`));
      const found = listed.filter((hash) => prefixes.some((prefix) => hash.subarray(0, 4).equals(prefix)));
      const hashes = found.map((hash) => fullHash(hash, [MALWARE]));
      return new Response(new Uint8Array(searchResponse(hashes, duration(0))));
    });
  };

  #failure(): Response {
    this.#hasFailed = true;
    this.#note('failed');
    if (this.#next(2) === 0) throw new TypeError('fetch failed');
    return new Response(null, { status: 503 });
  }

  #lists(names: readonly string[]): Uint8Array<ArrayBuffer> {
    const updates = names.map((name) => {
      const hosts = HOSTS.filter(() => this.#next(3) === 0);
      const width = WIDTHS[name]!;
      const prefixes = Buffer.concat(hosts.map((host) => sha256(`${host}/`).subarray(0, width)));
      return HashList.from(prefixes, width, { name, version: Uint8Array.of(this.#next(256)) }).toUpdate(60_000);
    });
    return BATCH_GET_HASH_LISTS_RESPONSE.encode(updates);
  }

  /** What `answer` gives, at a time of the scheduler's choice. */
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

/** Reads what a store is given: a checksum of 32 bytes, two times of 8, the list. */
function heldIn(bytes: Uint8Array): Held {
  const updatedAt = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(32, true);
  const list = HashList.fromBytes(bytes.subarray(48));
  return { hosts: new Set(HOSTS.filter((host) => list.has(sha256(`${host}/`)))), updatedAt };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

tests(
  'no check calls a URL safe that the server lists, unless the lists held at its start did not have it',
  async () => {
    const next = random();
    const counts = { safe: 0, unsafe: 0, unsure: 0, list: 0 };
    const count = cases(1000);
    for (let left = count; left > 0; left--) {
      for (const { verdict, reason } of await new Scenario(next).run()) {
        counts[verdict]++;
        if (verdict === 'unsafe' && reason === 'list') counts.list++;
      }
    }
    for (const [what, number] of Object.entries(counts)) assert.ok(number > count / 20, `only ${number} ${what}`);
  },
);

tests.run();
