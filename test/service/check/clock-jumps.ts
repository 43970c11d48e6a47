// A clock that jumps at random, back and forth, by milliseconds and by years: what holds for a time holds from a moment
// that the clock has seen, and for a day at most.
import * as assert from 'uvu/assert';
import { type Answer, SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE, HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { random, SEED } from '../../seed.ts';
import { ScriptedServer, sha256 } from './scripted-server.ts';
import { duration } from './search-response.ts';

const [SECOND, MINUTE, DAY] = [1000, 60_000, 86_400_000];
const STEPS = [1, SECOND, MINUTE, 5 * MINUTE, 60 * MINUTE, DAY, 400 * DAY];
const GOOD = 'http://good.example/';
const LIST = HashList.from(sha256('evil.example/').subarray(0, 4), 4, { name: 'mw-4b' });

/** When the clock said what, by what the checker asked for: a second account of its state. */
interface Account {
  /** Of the last good list. */
  updatedAt: number;
  /** Of the last good answer to a search, and how long it was to hold. */
  searchedAt: number;
  cacheDuration: number;
  /** Of the last failure of each method. */
  searchFailedAt: number;
  listFailedAt: number;
}

/** @returns a sentence on what was seen */
export async function clockJumps(count: number): Promise<string> {
  const next = random();
  const server = new ScriptedServer();
  const account: Account = {
    updatedAt: Number.NaN,
    searchedAt: Number.NaN,
    cacheDuration: 0,
    searchFailedAt: Number.NaN,
    listFailedAt: Number.NaN,
  };
  const fails = () => next(5) === 0;
  const options = {
    server: 'http://127.0.0.1:9/v5/',
    whenUnsure: 'block',
    now: server.now,
    random: () => 0,
    fetch: async (url: string, init: Parameters<typeof server.fetch>[1]) => {
      const isSearch = url.includes('hashes:search');
      if (fails()) {
        account[isSearch ? 'searchFailedAt' : 'listFailedAt'] = server.time;
        return new Response(null, { status: 503, headers: { 'retry-after': String(next(1e9)) } });
      }
      if (!isSearch) return new Response(BATCH_GET_HASH_LISTS_RESPONSE.encode([LIST.toUpdate(1000 * next(1e6))]));
      const seconds = next(1e6);
      server.cacheDuration = duration(seconds);
      account.searchedAt = server.time;
      account.cacheDuration = Math.min(seconds * SECOND, DAY);
      return server.fetch(url, init);
    },
  } as const;
  const local = new SafeBrowsingChecker({ ...options, procedure: 'local-list', lists: ['mw-4b'] });
  const searching = new SafeBrowsingChecker({ ...options, procedure: 'no-storage' });
  const seen = new Map<string, number>();
  for (let round = 0; round < count; round++) {
    server.time += (next(2) === 0 ? 1 : -1) * next(STEPS[next(STEPS.length)]! + 1);
    if (Math.abs(server.time) > 4e15) server.time = 0;
    const what = `seed ${SEED}, round ${round}`;
    mustFit(await local.check(GOOD), server.time, account, what, seen);
    mustFit(await searching.check(GOOD), server.time, account, what, seen);
    if (next(3) === 0) await update(local, server.time, account, what, seen);
  }
  for (const each of ['list', 'unsure: list-stale', 'server', 'cache', 'unsure: back-off', 'waiting', 'unchanged'])
    assert.ok(seen.has(each), `there was no ${each}`);
  return `${count} jumps: ${[...seen].map(([each, times]) => `${times} ${each}`).join(', ')}`;
}

const holds = (from: number, now: number, most: number) => now - from <= most && from - now <= 5 * MINUTE;

function mustFit({ reason }: Answer, now: number, account: Account, what: string, seen: Map<string, number>): void {
  seen.set(reason, (seen.get(reason) ?? 0) + 1);
  if (reason === 'list') assert.ok(holds(account.updatedAt, now, DAY), `${what}: ${reason}`);
  if (reason === 'unsure: list-stale') assert.not(holds(account.updatedAt, now, DAY), `${what}: ${reason}`);
  if (reason === 'cache') assert.ok(holds(account.searchedAt, now, account.cacheDuration), `${what}: ${reason}`);
  if (reason === 'unsure: back-off') assert.ok(holds(account.searchFailedAt, now, DAY), `${what}: ${reason}`);
}

async function update(
  checker: SafeBrowsingChecker,
  now: number,
  account: Account,
  what: string,
  seen: Map<string, number>,
): Promise<void> {
  const dueAt = checker.nextUpdateAt;
  assert.ok(dueAt <= now + DAY + 5 * MINUTE, `${what}: the next update is at ${dueAt}, at ${now}`);
  const [{ status, detail }] = (await checker.update()) as [Awaited<ReturnType<typeof checker.update>>[number]];
  seen.set(status, (seen.get(status) ?? 0) + 1);
  if (status === 'updated' || status === 'unchanged') account.updatedAt = now;
  assert.is(
    status === 'waiting' || detail?.includes('left alone') === true,
    dueAt > now,
    `${what}: ${status}, ${detail}`,
  );
  if (status === 'waiting') assert.ok(holds(account.updatedAt, now, DAY), `${what}: ${status}`);
  if (status === 'failed') assert.ok(holds(account.listFailedAt, now, DAY), `${what}: ${detail}`);
}
