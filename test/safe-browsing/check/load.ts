// Many checks at once, over real HTTP, by a server that fails in every way: no answer may be wrong, and where there is
// none it must say so.
import * as assert from 'uvu/assert';
import { type Answer, type Procedure, SafeBrowsingChecker } from '../../../src/safe-browsing/check/index.ts';
import { random, SEED } from '../../seed.ts';
import { FAULTS, FaultyProxy } from './faulty-proxy.ts';
import { ListServer } from './list-server.ts';
import { ListedUrls } from './listed-urls.ts';

const HOSTS = 4000;
const LISTED = 600;
const PROCEDURES: readonly Procedure[] = ['local-list', 'real-time', 'no-storage'];

/** URLs that are checked at once. */
const BURSTS = [1, 20, 100, 1000];

/** Of one request in so many the answer is spoiled. */
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

/** Checks of one procedure, in bursts of single checks and of lists of URLs. */
class Burst {
  readonly counts = new Map<string, number>();
  readonly #checker: SafeBrowsingChecker;
  readonly #listed: ListedUrls;
  readonly #next: Below;

  constructor(checker: SafeBrowsingChecker, listed: ListedUrls, next: Below) {
    this.#checker = checker;
    this.#listed = listed;
    this.#next = next;
  }

  async run(urlCount: number): Promise<void> {
    const urls = Array.from({ length: urlCount }, () => anyUrl(this.#next));
    const half = urlCount >> 1;
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
  const listed = listedUrls(next);
  const lists = { 'mw-4b': listed.slice(0, 400), 'se-8b': listed.slice(400), 'gc-32b': ['http://h1.example/login'] };
  const server = await ListServer.start(lists, ['--cache', '0.3']);
  const proxy = await FaultyProxy.start(server.url);
  const counts = new Map<string, number>();
  try {
    for (const procedure of PROCEDURES) {
      const burst = new Burst(await checkerOf(procedure, proxy), new ListedUrls(listed), next);
      spoilSearches(proxy, next);
      const checkCount = Math.ceil(count / PROCEDURES.length);
      for (let checked = 0; checked < checkCount; ) {
        const urlCount = Math.min(BURSTS[next(BURSTS.length)]!, checkCount - checked);
        await burst.run(urlCount);
        checked += urlCount;
      }
      for (const [what, each] of burst.counts) counts.set(what, (counts.get(what) ?? 0) + each);
    }
  } finally {
    await proxy.stop();
    await server.stop();
  }
  assert.equal([...proxy.prefixLengths], [4]);
  assert.ok(proxy.mostPrefixes <= 1000, `${proxy.mostPrefixes} prefixes in a request`);
  return summary(counts, proxy);
}

/** At random moments, in turn, so that none is left out. */
function spoilSearches(proxy: FaultyProxy, next: Below): void {
  let faultCount = 0;
  proxy.fault = (path) => {
    const isSpoiled = path.includes('hashes:search') && next(FAULT_ODDS) === 0;
    return isSpoiled ? FAULTS[faultCount++ % FAULTS.length] : undefined;
  };
}

async function checkerOf(procedure: Procedure, proxy: FaultyProxy): Promise<SafeBrowsingChecker> {
  proxy.fault = () => undefined;
  const checker = new SafeBrowsingChecker({
    server: proxy.url,
    procedure,
    whenUnsure: 'block',
    ...(procedure === 'no-storage' ? {} : { lists: ['mw-4b', 'se-8b'] }),
    ...(procedure === 'real-time' && { globalCache: 'gc-32b' }),
    timeout: 100,
    backOff: { refused: 5, unanswered: 2, most: 20 },
  });
  for (const { name, status, detail } of await checker.update()) assert.is(status, 'updated', `${name}: ${detail}`);
  return checker;
}

function summary(counts: ReadonlyMap<string, number>, { requestCount, faultCounts }: FaultyProxy): string {
  const sorted = [...counts].sort(([one], [other]) => one.localeCompare(other));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const faults = [...faultCounts.values()].reduce((sum, each) => sum + each, 0);
  for (const fault of FAULTS) assert.ok(faultCounts.has(fault), `there was no fault of the kind ${fault}`);
  for (const what of [
    'safe, list',
    'safe, cache',
    'safe, server',
    'unsafe, cache',
    'unsafe, server',
    'unsure: back-off',
  ])
    assert.ok(counts.has(what), `there was no answer of the kind ${what}`);
  const parts = sorted.map(([what, count]) => `${count} ${what}`);
  return `seed ${SEED}, ${total} checks, none wrong: ${parts.join('; ')}; ${requestCount} requests, ${faults} spoiled`;
}
