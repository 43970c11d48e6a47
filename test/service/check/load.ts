// Many checks at once, over real HTTP, by a server that fails in every way: no answer may be wrong, and where there is
// none it must say so.
import * as assert from 'uvu/assert';
import {
  type Answer,
  type CheckerOptions,
  type Procedure,
  SafeBrowsingChecker,
} from '../../../src/entries/safe-browsing/check.ts';
import { random, SEED } from '../../support/seed.ts';
import { ListProcess } from '../http/served-lists.ts';
import { FAULTS, FaultyProxy } from './faulty-proxy.ts';
import { ListedUrls } from './listed-urls.ts';

const HOSTS = 4000;
const LISTED = 600;
const PROCEDURES: readonly Procedure[] = ['local-list', 'real-time', 'no-storage'];

/** Bursts at once, and how many URLs are in one. */
const LANES = 4;
const BURSTS = [1, 10, 50, 500];

/** The answers that must occur. */
const ANSWERS = ['safe, list', 'safe, cache', 'safe, server', 'unsafe, cache', 'unsafe, server', 'unsure: back-off'];

/** One answer in so many is spoiled. */
const FAULT_ODDS = 4;

type Below = (below: number) => number;

function anyUrl(next: Below): string {
  const scheme = ['http://', 'HTTPS://', ''][next(3)]!;
  const sub = ['', 'www.', 'a.b.'][next(3)]!;
  const path = ['', '/', '/login', '/a/../login?x', `/${next(50)}/x.html`][next(5)]!;
  return `${scheme}${sub}h${next(HOSTS)}.example${path}`;
}

function listedUrls(next: Below): string[] {
  return Array.from({ length: LISTED }, () => `http://h${next(HOSTS)}.example/${['', 'login', '7/'][next(3)]}`);
}

/** Checks of one procedure in several lanes at once, in bursts of single checks and of lists of URLs. */
class Checks {
  readonly counts = new Map<string, number>();
  readonly #checker: SafeBrowsingChecker;
  readonly #listed: ListedUrls;
  readonly #next: Below;
  #left: number;

  constructor(checker: SafeBrowsingChecker, listed: ListedUrls, next: Below, count: number) {
    this.#checker = checker;
    this.#listed = listed;
    this.#next = next;
    this.#left = count;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: LANES }, () => this.#lane()));
  }

  async #lane(): Promise<void> {
    while (this.#left > 0) {
      const urlCount = Math.min(BURSTS[this.#next(BURSTS.length)]!, this.#left);
      this.#left -= urlCount;
      await this.burst(Array.from({ length: urlCount }, () => anyUrl(this.#next)));
      if (this.#next(5) === 0) await this.#checker.update();
    }
  }

  async burst(urls: readonly string[]): Promise<void> {
    const half = urls.length >> 1;
    const answers = await Promise.all([
      this.#checker.checkMany(urls.slice(0, half)),
      ...urls.slice(half).map((url) => this.#checker.check(url)),
    ]);
    const flat = answers.flat();
    assert.equal(
      flat.map(({ url }) => url),
      urls,
    );
    for (const answer of flat) this.#judge(answer);
  }

  #judge({ url, verdict, reason, isAllowed, expression }: Answer): void {
    const isListed = this.#listed.has(url as string);
    if (verdict === 'unsure') assert.match(reason, /^unsure: (?:network|status|time-out|malformed|back-off)$/);
    else assert.is(verdict, isListed ? 'unsafe' : 'safe', `${String(url)}: ${reason} (seed ${SEED})`);
    assert.is(isAllowed, verdict === 'safe');
    assert.is(expression !== undefined, verdict === 'unsafe');
    const what = `${verdict}, ${reason}`.replace('unsure, ', '');
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

/** `count` checks, spread over the three procedures. */
export async function load(count: number): Promise<string> {
  const next = random();
  const urls = listedUrls(next);
  const lists = { 'mw-4b': urls.slice(0, 400), 'se-8b': urls.slice(400), 'gc-32b': ['http://h1.example/login'] };
  const server = await ListProcess.start(lists, ['--cache', '0.3', '--wait', '0.05']);
  const proxy = await FaultyProxy.start(server.url);
  const fault = faultsInTurn(next);
  const listed = new ListedUrls(urls);
  const all: Checks[] = [];
  const checksOf = async (procedure: Procedure, options?: Partial<CheckerOptions>) => {
    all.push(
      new Checks(await checkerOf(procedure, proxy, options), listed, next, Math.ceil(count / PROCEDURES.length)),
    );
    return all.at(-1)!;
  };
  try {
    for (const procedure of PROCEDURES) {
      const checks = await checksOf(procedure);
      proxy.fault = fault;
      await checks.run();
    }
    await oneOfEach(proxy, urls[0]!, checksOf);
  } finally {
    await proxy.stop();
    await server.stop();
  }
  const counts = new Map<string, number>();
  for (const checks of all) for (const [what, each] of checks.counts) counts.set(what, (counts.get(what) ?? 0) + each);
  mustHaveTriedAll(counts, proxy);
  return summary(counts, proxy);
}

/** At random moments, in turn, so that none is left out. */
function faultsInTurn(next: Below): FaultyProxy['fault'] {
  let faultCount = 0;
  return () => (next(FAULT_ODDS) === 0 ? FAULTS[faultCount++ % FAULTS.length] : undefined);
}

/**
 * Each fault, and each kind of answer, whatever the speed of the machine: on a busy one the answers above may all come
 * too late to be kept, or at all. Here the clock stands still, and there is time.
 */
async function oneOfEach(
  proxy: FaultyProxy,
  listedUrl: string,
  checksOf: (procedure: Procedure, options?: Partial<CheckerOptions>) => Promise<Checks>,
): Promise<void> {
  const urls = ['http://safe.example/', listedUrl];
  for (const fault of FAULTS) {
    const checks = await checksOf('no-storage');
    proxy.fault = () => fault;
    await checks.burst(urls);
  }
  const now = Date.now();
  const still = { now: () => now, timeoutMs: 60_000 };
  await (await checksOf('local-list', still)).burst(urls);
  const checks = await checksOf('no-storage', still);
  for (let asked = 0; asked < 2; asked++) await checks.burst(urls); // the server, then the cache
  proxy.fault = () => 'status 500';
  for (const host of ['one', 'other']) await checks.burst([`http://${host}.example/`]); // then back-off
}

async function checkerOf(
  procedure: Procedure,
  proxy: FaultyProxy,
  options: Partial<CheckerOptions> = {},
): Promise<SafeBrowsingChecker> {
  proxy.fault = () => undefined;
  const checker = new SafeBrowsingChecker({
    server: proxy.url,
    procedure,
    whenUnsure: 'block',
    ...(procedure === 'no-storage' ? {} : { lists: ['mw-4b', 'se-8b'] }),
    ...(procedure === 'real-time' && { globalCache: 'gc-32b' }),
    timeoutMs: 200,
    backOff: { refusedMs: 5, unansweredMs: 2, maxDelayMs: 20 },
    ...options,
  });
  for (let sizes: number[] = [0], deadline = Date.now() + 20_000; sizes.includes(0); ) {
    assert.ok(Date.now() < deadline, 'the lists cannot be fetched');
    sizes = (await checker.update()).map(({ size }) => size); // on a busy machine an answer may come too late
  }
  return checker;
}

/** Otherwise the run would prove nothing. */
function mustHaveTriedAll(counts: ReadonlyMap<string, number>, proxy: FaultyProxy): void {
  for (const fault of FAULTS) assert.ok(proxy.faultCounts.has(fault), `there was no fault of the kind ${fault}`);
  for (const answer of ANSWERS) assert.ok(counts.has(answer), `there was no answer of the kind ${answer}`);
  assert.equal([...proxy.prefixLengths], [4]);
  assert.ok(proxy.maxPrefixes <= 1000, `${proxy.maxPrefixes} prefixes in a request`);
}

function summary(counts: ReadonlyMap<string, number>, { requestCount, faultCounts }: FaultyProxy): string {
  const sorted = [...counts].sort(([one], [other]) => one.localeCompare(other));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const faults = [...faultCounts.values()].reduce((sum, each) => sum + each, 0);
  const parts = sorted.map(([what, count]) => `${count} ${what}`);
  return `seed ${SEED}, ${total} checks, none wrong: ${parts.join('; ')}; ${requestCount} requests, ${faults} spoiled`;
}
