// A machine whose clock is set, that sleeps, and on which the checker is ended and started again: what a list or an
// answer says holds for a day of true time, and the order of all that does not matter. The clocks are the model's.
import { setImmediate as turn } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { random, SEED } from '../../support/seed.ts';
import { MemoryStore } from './memory-store.ts';
import { refusal, ScriptedServer } from './scripted-server.ts';
import { duration } from './search-response.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
/** The difference of clocks: less is not noticed, once for each process. */
const TOLERANCE = 5 * MINUTE;
const WAIT = 30 * MINUTE;
const GOOD = 'http://good.example/';

/** An event; times are in milliseconds. */
type Event =
  | { readonly what: 'check' | 'update' | 'restart' | 'fail' | 'load' | 'update by another' }
  | { readonly what: 'run' | 'sleep' | 'jump'; readonly by: number };

/** The state that a checker was told at one time, and what has happened since, of which it sees what it looks at. */
class Told {
  #at: number | undefined;
  /** Time that passed unseen, where the clock was set back unseen, too. */
  #hidden = 0;
  /** Processes since: each may miss a tolerance. */
  #processes = 1;
  /** Whether no clock was set since, and whether it was seen that one was set back. */
  #isUndisturbed = true;
  #isDoubted = false;
  /** Since the last look: how long the machine slept, what the clock was set by, and back by. */
  #since = { asleep: 0, setBy: 0, back: 0 };
  #hasLooked = false;
  #isHeld = true;

  tell(at: number): void {
    this.#at = at;
    this.#isHeld = true;
    this.#hidden = 0;
    this.#processes = 1;
    this.#isUndisturbed = true;
    this.#isDoubted = false;
  }

  /** Tells another process: this one may read it, or not. */
  tellOther(at: number): void {
    this.tell(at);
    this.#processes = 2;
    this.#isUndisturbed = false;
    this.#isHeld = false;
  }

  /** It is read from the store. */
  load(): void {
    this.#isHeld = true;
    this.look();
  }

  forget(): void {
    this.#at = undefined;
  }

  sleep(milliseconds: number): void {
    this.#since.asleep += milliseconds;
  }

  jump(by: number): void {
    this.#since.setBy += by;
    this.#since.back -= Math.min(0, by);
    this.#isUndisturbed = false;
  }

  restart(): void {
    this.#hasLooked = false;
    this.#isHeld = true;
  }

  look(): void {
    const { asleep, setBy, back } = this.#since;
    // nobody sees what happens from the last look of a process to the first of the next
    this.#hidden += this.#hasLooked ? Math.min(asleep, back) : back;
    if (!this.#hasLooked) this.#processes++;
    else if (this.#isHeld && setBy + asleep < -TOLERANCE) this.#isDoubted = true;
    this.#hasLooked = true;
    this.#since = { asleep: 0, setBy: 0, back: 0 };
  }

  /** Asserts that what holds for `most` counts now, or does not. */
  mustFit(counts: boolean, now: number, most: number, story: string): void {
    if (this.#at === undefined) {
      assert.not(counts, `it was not told: ${story}`);
      return;
    }
    const age = now - this.#at;
    if (counts) {
      assert.ok(age - this.#hidden <= most + TOLERANCE * this.#processes, `${age / HOUR} hours old: ${story}`);
      assert.not(this.#isDoubted, `the clock was seen set back: ${story}`);
    } else if (this.#isUndisturbed) {
      assert.ok(age > most, `${age / HOUR} hours old, and void: ${story}`);
    }
  }
}

class Machine {
  /** Since 1970, whatever the clock says. */
  #time = Date.UTC(2026, 0, 1);
  #setBy = 0;
  #asleep = 0;
  readonly #server = new ScriptedServer();
  readonly #kept = new MemoryStore();
  readonly #cacheSeconds: number;
  readonly #list = new Told();
  readonly #answer = new Told();
  #fails = false;
  #local = this.#opened('local-list');
  #searching = this.#opened('no-storage');
  readonly #story: string[] = [];
  readonly counts: Record<string, number> = {};

  /** @param cacheSeconds how long the answers of the server hold */
  constructor(cacheSeconds: number) {
    this.#cacheSeconds = cacheSeconds;
    this.#server.cacheDuration = duration(cacheSeconds);
    this.#server.waitMs = WAIT;
    this.#server.lists.set('mw-4b', ['evil.example/']);
  }

  get wall(): number {
    return Math.floor(this.#time + this.#setBy);
  }

  get monotonic(): number {
    return this.#time - this.#asleep;
  }

  #opened(procedure: 'local-list' | 'no-storage'): SafeBrowsingChecker {
    return this.#server.checker({
      procedure,
      ...(procedure === 'local-list' && { store: this.#kept }),
      now: undefined,
      backOff: { refusedMs: 0, unansweredMs: 0 },
      fetch: async (url, init) => (this.#fails ? refusal() : this.#server.fetch(url, init)),
    });
  }

  async run(events: readonly Event[]): Promise<void> {
    for (const event of events) {
      this.#story.push('by' in event ? `${event.what} ${(event.by / HOUR).toFixed(2)}` : event.what);
      if ('by' in event) this.#pass(event.what, event.by);
      else await this.#act(event.what);
    }
  }

  #pass(what: 'run' | 'sleep' | 'jump', by: number): void {
    if (what === 'jump') {
      this.#setBy += by;
      this.#list.jump(by);
      this.#answer.jump(by);
      return;
    }
    this.#time += by;
    if (what === 'run') return;
    this.#asleep += by;
    this.#list.sleep(by);
    this.#answer.sleep(by);
  }

  async #act(what: Exclude<Event, { by: number }>['what']): Promise<void> {
    if (what === 'fail') this.#fails = !this.#fails;
    else if (what === 'load') await this.#load();
    else if (what === 'update by another') await this.#updateByAnother();
    else if (what === 'update') await this.#update();
    else if (what === 'check') await this.#check();
    else this.#restart();
  }

  #restart(): void {
    this.#local = this.#opened('local-list');
    this.#searching = this.#opened('no-storage');
    this.#list.restart();
    this.#answer.forget();
  }

  async #load(): Promise<void> {
    this.#list.load();
    await this.#local.load();
  }

  async #updateByAnother(): Promise<void> {
    const [report] = await this.#opened('local-list').update();
    await turn();
    if (report!.status === 'updated' || report!.status === 'unchanged') this.#list.tellOther(this.#time);
  }

  async #update(): Promise<void> {
    this.#list.look();
    const status = (await this.#local.update())[0]!.status;
    await turn();
    this.#count(status);
    if (status === 'updated' || status === 'unchanged') this.#list.tell(this.#time);
    if (status === 'waiting') this.#list.mustFit(true, this.#time, WAIT, this.story);
  }

  async #check(): Promise<void> {
    this.#list.look();
    const { verdict, reason, expiresAt } = await this.#local.check(GOOD);
    await turn();
    this.#count(reason);
    this.#list.mustFit(verdict === 'safe', this.#time, DAY, this.story);
    assert.ok(expiresAt <= this.wall + WAIT + TOLERANCE, `until ${expiresAt - this.wall} from now: ${this.story}`);
    this.#answer.look();
    const searched = await this.#searching.check(GOOD);
    this.#count(searched.reason);
    const holds = Math.min(this.#cacheSeconds * SECOND, DAY);
    this.#answer.mustFit(searched.reason === 'cache', this.#time, holds, this.story);
    if (searched.reason === 'server') this.#answer.tell(this.#time);
    assert.ok(
      searched.expiresAt <= this.wall + holds,
      `until ${searched.expiresAt - this.wall} from now: ${this.story}`,
    );
  }

  get story(): string {
    return `${this.#story.join(', ')} (seed ${SEED})`;
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}

/** Runs events on a machine whose clocks take the place of those of this process. */
async function ran(machine: Machine, events: readonly Event[]): Promise<void> {
  const [wall, monotonic] = [Date.now, performance.now];
  Date.now = () => machine.wall;
  performance.now = () => machine.monotonic;
  try {
    await machine.run(events);
  } finally {
    Date.now = wall;
    performance.now = monotonic;
  }
}

/** Events that tell every kind of order apart: two of a kind are more than a day. */
const EVENTS: readonly Event[] = [
  { what: 'check' },
  { what: 'update' },
  { what: 'restart' },
  { what: 'run', by: 13 * HOUR },
  { what: 'sleep', by: 13 * HOUR },
  { what: 'jump', by: 13 * HOUR },
  { what: 'jump', by: -13 * HOUR },
];

/** Every order of so many events, after an update and before a check. @returns a sentence on what was seen */
export async function clockOrders(length: number): Promise<string> {
  const counts: Record<string, number> = {};
  let orderCount = 0;
  for (let order = 0; order < EVENTS.length ** length; order++) {
    const events = Array.from(
      { length },
      (_, place) => EVENTS[Math.floor(order / EVENTS.length ** place) % EVENTS.length]!,
    );
    const machine = new Machine(86_400);
    await ran(machine, [{ what: 'update' }, ...events, { what: 'check' }]);
    for (const [what, count] of Object.entries(machine.counts)) counts[what] = (counts[what] ?? 0) + count;
    orderCount++;
  }
  return seen(`${orderCount} orders`, counts);
}

/** Events that the orders leave out, which would be too many. */
const MORE: readonly Event[] = [{ what: 'fail' }, { what: 'load' }, { what: 'update by another' }];
const STEPS = [SECOND, MINUTE, 5 * MINUTE, HOUR, 13 * HOUR, DAY, 400 * DAY];

/** So many events at random. @returns a sentence on what was seen */
export async function clockJumps(count: number): Promise<string> {
  const next = random();
  const step = () => next(STEPS[next(STEPS.length)]! + 1);
  const counts: Record<string, number> = {};
  for (let left = count; left > 0; left -= 40) {
    const events = Array.from({ length: 40 }, (): Event => {
      const { what } = [...EVENTS, ...MORE][next(EVENTS.length + MORE.length)]!;
      if (what === 'jump') return { what, by: (next(2) === 0 ? 1 : -1) * step() };
      return what === 'run' || what === 'sleep' ? { what, by: step() } : { what };
    });
    const machine = new Machine(next(200_000));
    await ran(machine, events);
    for (const [what, times] of Object.entries(machine.counts)) counts[what] = (counts[what] ?? 0) + times;
  }
  return seen(`${count} events`, counts);
}

function seen(what: string, counts: Readonly<Record<string, number>>): string {
  for (const each of ['list', 'unsure: list-stale', 'server', 'cache', 'waiting', 'unchanged'])
    assert.ok(counts[each] !== undefined, `there was no ${each}`);
  return `${what}: ${Object.entries(counts)
    .map(([each, times]) => `${times} ${each}`)
    .join(', ')}`;
}
