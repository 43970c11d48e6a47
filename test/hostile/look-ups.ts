// `urlsum safe-browsing serve` for long: many clients, lists that change each second, and kills.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { heldList } from '../../src/service/check/held-list.ts';
import { FOLDER } from '../support/scratch.ts';
import { random, SEED } from '../support/seed.ts';
import { ServerProcess } from './command.ts';
import { LIST_NAMES, type ListName, MadeUpService } from './made-up-service.ts';

const ENTRIES = 1_000_000;
/** Hosts of the URLs that are checked. A third is always listed, a third never, a third comes and goes. */
const HOSTS = 30_000;
const CLIENTS = 8;
/** Prefixes of each list that are replaced by others each second. */
const REPLACED = 500;

type Below = (below: number) => number;
type Kind = 'always' | 'never' | 'sometimes';

const kindOf = (host: number): Kind => (['always', 'never', 'sometimes'] as const)[host % 3]!;
const expressionOf = (host: number) => `h${host}.example/`;
const urlOf = (host: number, next: Below) =>
  `http://${['', 'www.'][next(2)]}h${host}.example/${['', 'a/b?c', 'x.html'][next(3)]}`;

/** Starts a server of look-ups that keeps the lists of a service in a store. */
function serving(store: string, service: MadeUpService): Promise<ServerProcess> {
  const lists = LIST_NAMES.flatMap((name) => ['--list', name]);
  const args = ['--when-unsure', 'block', '--store', store, '--server', service.url];
  return ServerProcess.start(['safe-browsing', 'serve', ...args, ...lists]);
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

/** The fields of all answers that are looked at. */
interface Answered {
  readonly matches?: readonly { readonly threat: { readonly url: string } }[];
  readonly threats?: readonly { readonly url: string }[];
  readonly lists?: readonly { readonly size: number }[];
}

function ask(url: URL, body?: string): Promise<{ status: number; json: Answered }> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode!, json: JSON.parse(Buffer.concat(chunks).toString()) });
    });
    // a connection that the server ended for being idle, while this process was busy, is one that nobody answers on
    asking.on('error', (error) => (asking.reusedSocket ? resolve(ask(url, body)) : reject(error)));
    asking.end(body);
  });
}

/** Returns the URLs that are listed, of those that are asked for, by v5 or by v4; undefined where nothing can say. */
async function listedOf(base: string, urls: readonly string[], isV4: boolean): Promise<Set<string> | undefined> {
  const v5 = `v5/urls:search?alt=json&${urls.map((url) => `urls=${encodeURIComponent(url)}`).join('&')}`;
  const threatInfo = {
    threatTypes: ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE', 'POTENTIALLY_HARMFUL_APPLICATION'],
    platformTypes: ['ANY_PLATFORM'],
    threatEntryTypes: ['URL'],
    threatEntries: urls.map((url) => ({ url })),
  };
  const { status, json } = isV4
    ? await ask(new URL('v4/threatMatches:find', base), JSON.stringify({ threatInfo }))
    : await ask(new URL(v5, base));
  if (status === 503) return undefined; // on a busy machine the service may answer too late
  assert.is(status, 200, JSON.stringify(json));
  const found = isV4 ? json.matches?.map(({ threat }) => threat.url) : json.threats?.map(({ url }) => url);
  return new Set(found);
}

/** Asks until `isOver`, and judges each answer by what is always and never listed. */
async function client(
  base: string,
  next: Below,
  isOver: () => boolean,
  counts: Record<Kind | 'unsure', number>,
): Promise<void> {
  while (!isOver()) {
    const isV4 = next(2) === 0;
    const hosts = Array.from({ length: 1 + next(isV4 ? 200 : 50) }, () => next(HOSTS));
    const urls = hosts.map((host) => urlOf(host, next));
    const listed = await listedOf(base, urls, isV4);
    if (listed === undefined) counts.unsure += urls.length;
    else
      for (const [index, host] of hosts.entries()) {
        const kind = kindOf(host);
        counts[kind]++;
        if (kind !== 'sometimes')
          assert.is(listed.has(urls[index]!), kind === 'always', `${urls[index]} (seed ${SEED})`);
      }
  }
}

/** Puts hosts on lists, and takes some of those that come and go off them. */
function relist({ listed }: MadeUpService, next: Below): void {
  for (let host = 0; host < HOSTS; host++) {
    const name = LIST_NAMES[host % LIST_NAMES.length]!;
    const kind = kindOf(host);
    const isListed = kind === 'always' || (kind === 'sometimes' && next(2) === 0);
    if (isListed) listed[name].add(expressionOf(host));
    else listed[name].delete(expressionOf(host));
  }
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, 'what was waited for did not happen');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A million made-up entries in four lists that change each second, for so many seconds, with clients all the while. */
export async function lookUpLoad(seconds: number): Promise<string> {
  const next = random();
  const service = new MadeUpService(ENTRIES, next);
  relist(service, next);
  await service.start();
  const server = await serving(mkdtempSync(join(FOLDER, 'load-')), service);
  const base = server.url;
  await until(async () => (await ask(new URL('healthz', base))).status === 200);
  const counts = { always: 0, never: 0, sometimes: 0, unsure: 0 };
  const memory: number[] = [];
  const end = Date.now() + 1000 * seconds;
  let changeCount = 0;
  const changing = setInterval(() => {
    relist(service, next);
    service.change(REPLACED);
    changeCount++;
    memory.push(server.memory());
  }, 1000);
  await Promise.all(Array.from({ length: CLIENTS }, () => client(base, next, () => Date.now() >= end, counts)));
  clearInterval(changing);
  await mustBecomeRight(base, service);
  const { lists } = (await ask(new URL('status', base))).json;
  const status = await server.end();
  await service.stop();
  assert.is(status, 0);
  assert.not.match(server.stderr, /fault|Error|^\s+at /m);
  assert.equal(
    lists?.map(({ size }) => size),
    LIST_NAMES.map((name) => service.newest(name).size),
  );
  mustBeFlat(memory);
  const checks = counts.always + counts.never + counts.sometimes;
  assert.ok(checks > counts.unsure, `${counts.unsure} URLs were unsure, ${checks} were not`);
  const peak = Math.round(Math.max(...memory));
  return `seed ${SEED}, ${checks} checks, ${changeCount} versions of the lists, none wrong, ${counts.unsure} unsure; at most ${peak} MiB`;
}

/** When the lists change no more, every answer is that of the model, once the last update is there and caches are over. */
async function mustBecomeRight(base: string, service: MadeUpService): Promise<void> {
  const hosts = Array.from({ length: 3000 }, (_, host) => host);
  const isListed = (host: number) => LIST_NAMES.some((name: ListName) => service.listed[name].has(expressionOf(host)));
  await until(async () => {
    for (let at = 0; at < hosts.length; at += 200) {
      const some = hosts.slice(at, at + 200);
      const listed = await listedOf(
        base,
        some.map((host) => `http://${expressionOf(host)}`),
        true,
      );
      if (listed === undefined || some.some((host) => listed.has(`http://${expressionOf(host)}`) !== isListed(host)))
        return false;
    }
    return true;
  });
}

/**
 * The second half of a run takes no more memory than the first, but for a tenth and what a collection comes too late
 * for.
 */
function mustBeFlat(memory: readonly number[]): void {
  if (memory.length < 60) return;
  const half = memory.length >> 1;
  const [first, second] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))];
  assert.ok(second < 1.1 * first + 32, `${first} MiB in the first half, ${second} in the second`);
}

/** A server that is killed at random moments while its lists change: each file is whole, and the next one goes on. */
export async function lookUpKills(count: number): Promise<string> {
  const next = random();
  const service = new MadeUpService(ENTRIES / 4, next);
  relist(service, next);
  await service.start();
  service.waitMs = 1;
  const store = mkdtempSync(join(FOLDER, 'kills-'));
  const changing = setInterval(() => service.change(REPLACED), 150);
  let fileCount = 0;
  let leftCount = 0;
  for (let kill = 0; kill < count; kill++) {
    const server = await serving(store, service);
    await new Promise((resolve) => setTimeout(resolve, next(1500)));
    await server.end('SIGKILL');
    assert.is(server.stderr, '');
    const names = readdirSync(store);
    leftCount += names.filter((name) => name.startsWith('.urlsum')).length;
    for (const name of names.filter((each) => each.endsWith('.list'))) {
      heldList(readFileSync(join(store, name))); // throws if it is not whole
      fileCount++;
    }
  }
  clearInterval(changing);
  const last = await serving(store, service);
  const base = last.url;
  await until(async () => (await ask(new URL('healthz', base))).status === 200);
  await mustBecomeRight(base, service);
  assert.equal([await last.end(), last.stderr], [0, '']);
  assert.equal(
    readdirSync(store).filter((name) => name === '.urlsum.lock'),
    [],
  );
  await service.stop();
  assert.ok(fileCount > 0);
  return `seed ${SEED}, ${count} kills, ${fileCount} lists whole, ${leftCount} locks and temporary files left behind`;
}
