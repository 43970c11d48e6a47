// How long does `urlsum safe-browsing serve` take to answer, beside Google's client of version 4 in Go, which is what
// sbserver is made of? Lists of a million made-up prefixes, each server on one core: `npm run bench -- look-ups`, which
// no other run has. --entries and --seconds change how many and how long.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { LIST_NAMES, MadeUpService, TYPES } from '../test/hostile/made-up-service.ts';
import { random } from '../test/seed.ts';

const { values: options } = parseArgs({
  options: {
    entries: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '4' },
    smoke: { type: 'boolean', default: false },
  },
});
const ENTRIES = options.smoke ? 10_000 : Number(options.entries);
const SECONDS = options.smoke ? 0.3 : Number(options.seconds);
const ROUNDS = options.smoke ? 1 : 3;
const CLIENTS = 8;
const HOSTS = 20_000;
/** One host in so many is listed. */
const LISTED_ODDS = 50;

const next = random();
const expressionOf = (host: number) => `h${host}.example/`;
const anyUrl = () => {
  const host = next(HOSTS);
  return {
    url: `http://www.h${host}.example/${['', 'login', 'a/b.html?c=d'][next(3)]}`,
    isListed: host % LISTED_ODDS === 0,
  };
};

/** What version 4 answers, in protobuf: https://github.com/google/safebrowsing, internal/safebrowsing_proto */
function answerOfV4(service: MadeUpService, path: string, body: Buffer): Uint8Array {
  if (path.endsWith('/threatListUpdates:fetch')) return listsOfV4(service);
  const writer = new BinaryWriter();
  for (const { hash, details } of prefixesIn(body).flatMap((prefix) => service.hashesUnder(prefix))) {
    const type = numberOf(details[0]!.threatType);
    writer.tag(1, WireType.LengthDelimited).fork().tag(1, WireType.Varint).int32(type).tag(2, WireType.Varint).int32(6);
    writer.tag(6, WireType.Varint).int32(1).tag(3, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).bytes(hash).join();
    writer.tag(5, WireType.LengthDelimited).fork().tag(1, WireType.Varint).int32(300).join().join();
  }
  writer.tag(3, WireType.LengthDelimited).fork().tag(1, WireType.Varint).int32(300).join();
  return writer.finish();
}

/** FetchThreatListUpdatesResponse: each list whole, its prefixes raw. */
function listsOfV4(service: MadeUpService): Uint8Array {
  const writer = new BinaryWriter();
  for (const name of LIST_NAMES) {
    const { groups, version, checksum } = service.newest(name);
    writer.tag(1, WireType.LengthDelimited).fork().tag(1, WireType.Varint).int32(numberOf(TYPES[name]));
    writer.tag(2, WireType.Varint).int32(1).tag(3, WireType.Varint).int32(6).tag(4, WireType.Varint).int32(2);
    for (const { width, prefixes } of groups) {
      writer.tag(5, WireType.LengthDelimited).fork().tag(1, WireType.Varint).int32(1);
      writer.tag(2, WireType.LengthDelimited).fork().tag(1, WireType.Varint).int32(width);
      writer.tag(2, WireType.LengthDelimited).bytes(prefixes).join().join();
    }
    writer.tag(7, WireType.LengthDelimited).bytes(version);
    writer.tag(8, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).bytes(checksum).join().join();
  }
  return writer.tag(2, WireType.LengthDelimited).fork().tag(1, WireType.Varint).int32(1800).join().finish();
}

const numberOf = (type: string) => (Object.values(TYPES) as string[]).indexOf(type) + 1;

/** threat_info.threat_entries.hash of a FindFullHashesRequest. */
function prefixesIn(body: Uint8Array): Uint8Array[] {
  return [3, 3, 1].reduce<Uint8Array[]>((messages, field) => messages.flatMap((each) => fieldsIn(each, field)), [body]);
}

function fieldsIn(message: Uint8Array, wanted: number): Uint8Array[] {
  const reader = new BinaryReader(message);
  const found: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === wanted && type === WireType.LengthDelimited) found.push(reader.bytes());
    else reader.skip(type, field);
  }
  return found;
}

/** A server on the first core; what asks it is on the others, where there are some. */
class Rival {
  readonly name: string;
  readonly process: ChildProcess;
  url = '';

  constructor(name: string, command: readonly string[]) {
    this.name = name;
    const pinned = spawnSync('taskset', ['--version']).status === 0 ? ['taskset', '-c', '0', ...command] : command;
    this.process = spawn(pinned[0]!, pinned.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  /** Settles when it has its lists. */
  async ready(): Promise<this> {
    [this.url] = (await once(createInterface(this.process.stdout!), 'line')) as [string];
    while (!(await this.listed([`http://${expressionOf(0)}`]).catch(() => new Set())).has(`http://${expressionOf(0)}`))
      await new Promise((resolve) => setTimeout(resolve, 100));
    return this;
  }

  async listed(urls: readonly string[]): Promise<Set<string>> {
    const threatInfo = {
      threatTypes: Object.values(TYPES),
      platformTypes: ['ANY_PLATFORM'],
      threatEntryTypes: ['URL'],
      threatEntries: urls.map((url) => ({ url })),
    };
    const text = await post(new URL('v4/threatMatches:find', this.url), JSON.stringify({ threatInfo }));
    const { matches = [] } = JSON.parse(text) as { matches?: { threat: { url: string } }[] };
    return new Set(matches.map(({ threat }) => threat.url));
  }

  /** Milliseconds of a processor so far, on Linux, which counts them in hundredths of a second. */
  processorTime(): number {
    const fields = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  }

  memory(): number {
    const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'))!;
    return Number(kib) / 1024;
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

function post(url: URL, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const asking = request(url, { method: 'POST', headers, agent }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      if (response.statusCode === 200) resolve(text);
      else reject(new Error(`${response.statusCode}: ${text}`));
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** Asks for so many URLs at a time, with all clients at once. Returns milliseconds of each request. */
async function round(rival: Rival, urlCount: number, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + 1000 * seconds;
  const client = async () => {
    while (performance.now() < end) {
      const asked = Array.from({ length: urlCount }, anyUrl);
      const start = performance.now();
      const listed = await rival.listed(asked.map(({ url }) => url));
      times.push(performance.now() - start);
      const wrong = asked.find(({ url, isListed }) => listed.has(url) !== isListed);
      if (wrong !== undefined) throw new Error(`${rival.name}: ${wrong.url} is ${wrong.isListed ? '' : 'not '}listed`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return times;
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;

function builtGo(): string | undefined {
  const program = resolve('build/native/go-look-ups');
  mkdirSync('build/native', { recursive: true });
  const { status } = spawnSync('go', ['build', '-o', program, '.'], {
    cwd: 'bench/rivals/go-safe-browsing',
    stdio: 'inherit',
  });
  return status === 0 ? program : undefined;
}

const service = new MadeUpService(ENTRIES, next);
for (let host = 0; host < HOSTS; host += LISTED_ODDS)
  service.listed[LIST_NAMES[(host / LISTED_ODDS) % LIST_NAMES.length]!].add(expressionOf(host));
service.waitMs = 1_800_000;
service.cacheMs = 300_000;
service.otherwise = (path, body) => answerOfV4(service, path, body);
await service.start();
const folder = mkdtempSync(join(tmpdir(), 'urlsum-look-ups-'));
const lists = LIST_NAMES.flatMap((name) => ['--list', name]);
const held = ['--store', folder, '--server', service.url, ...lists];
const updating = spawn(process.execPath, ['dist/esm/cli.js', 'safe-browsing', 'update', ...held], { stdio: 'inherit' });
if ((await once(updating, 'close'))[0] !== 0) throw new Error('the lists cannot be fetched');
console.log(`${ENTRIES} prefixes in four lists; the first update has ${service.sentBytes['hashLists:batchGet']} bytes`);
const serve = [
  'dist/esm/cli.js',
  'safe-browsing',
  'serve',
  '--when-unsure',
  'block',
  '--listen',
  '127.0.0.1:0',
  ...held,
];
const rivals = [await new Rival('urlsum safe-browsing serve', [process.execPath, ...serve]).ready()];
const go = builtGo();
if (go === undefined) console.log('there is no Go here, or google/safebrowsing cannot be had: urlsum alone');
else rivals.push(await new Rival('google/safebrowsing (v4)', [go, service.url.replace(/\/v5\/$/, '')]).ready());
for (const urlCount of [1, 50, 500]) {
  const results = rivals.map((rival) => ({ rival, times: [] as number[], processorMs: 0 }));
  for (const rival of rivals) await round(rival, urlCount, SECONDS / 2); // caches and compilers warm up
  for (let count = 0; count < ROUNDS; count++)
    for (const result of results) {
      const before = result.rival.processorTime();
      result.times.push(...(await round(result.rival, urlCount, SECONDS)));
      result.processorMs += result.rival.processorTime() - before;
    }
  for (const { rival, times, processorMs } of results) {
    const sorted = times.sort((one, other) => one - other);
    const processor = `${((1000 * processorMs) / sorted.length).toFixed(0)} us of a processor`;
    const perSecond = (sorted.length * urlCount) / (ROUNDS * SECONDS);
    const [median, late] = [at(sorted, 0.5), at(sorted, 0.99)].map((ms) => ms.toFixed(2));
    console.log(
      `${urlCount} per request\t${rival.name}\t${perSecond.toFixed(0)} checks/s\tmedian ${median} ms\t99 % ${late} ms\t${processor}`,
    );
  }
}
for (const rival of rivals) console.log(`memory\t${rival.name}\t${rival.memory().toFixed(0)} MiB`);
for (const { process: child } of rivals) {
  const closed = once(child, 'close');
  child.kill();
  await closed;
}
await service.stop();
const before = service.newest('mw-4b');
service.change(ENTRIES / 400);
const { HASH_LIST } = await import('../src/entries/safe-browsing/lists.ts');
const changed = HASH_LIST.encode(before.updateTo(service.newest('mw-4b'), 1000)).length;
console.log(
  `an update of one list, of which 1 % was replaced, has ${changed} bytes of ${HASH_LIST.encode(before.toUpdate()).length}`,
);
rmSync(folder, { recursive: true });
process.exit();
