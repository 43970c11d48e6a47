// How long does `urlsum safe-browsing serve` take to answer, beside Google's client of version 4 in Go, which is what
// sbserver is made of? Lists of a million made-up prefixes, each server on one core: `npm run bench -- look-ups`, which
// no other run has. --entries changes how many.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { HASH_LIST } from '../src/entries/safe-browsing/lists.ts';
import { LIST_NAMES, MadeUpService, TYPES } from '../test/hostile/made-up-service.ts';
import { random } from '../test/support/seed.ts';
import { isSmoke } from './corpus.ts';
import { measured, type Turn } from './measure.ts';
import { Report } from './report.ts';

const { values: options } = parseArgs({
  options: { entries: { type: 'string', default: isSmoke ? '10000' : '1000000' }, smoke: { type: 'boolean' } },
});
const ENTRIES = Number(options.entries);
const ROUND_MS = isSmoke ? 300 : 4000;
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

/** The answer of version 4, in protobuf: https://github.com/google/safebrowsing, internal/safebrowsing_proto */
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
    process.once('exit', () => this.process.kill()); // after a failure, too
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

async function post(url: URL, body: string): Promise<string> {
  const asking = request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, agent });
  asking.end(body);
  const [response] = await once(asking, 'response');
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${answer}`);
  return answer;
}

/** The time that a rival needed for requests of one size. */
interface Load {
  readonly rival: Rival;
  readonly urlCount: number;
  /** Nanoseconds of each request. */
  readonly times: number[];
  /** Milliseconds. */
  processorTime: number;
}

const groupOf = ({ urlCount }: Load) => `URLs a request: ${urlCount}`;

/** A URL, as all clients ask at once. */
function turnOf(load: Load): Turn {
  const { rival, urlCount, times } = load;
  const client = async (end: number): Promise<number> => {
    let count = 0;
    for (; performance.now() < end; count++) {
      const asked = Array.from({ length: urlCount }, anyUrl);
      const start = performance.now();
      const listed = await rival.listed(asked.map(({ url }) => url));
      times.push(1e6 * (performance.now() - start));
      const wrong = asked.find(({ url, isListed }) => listed.has(url) !== isListed);
      if (wrong !== undefined) throw new Error(`${rival.name}: ${wrong.url} is ${wrong.isListed ? '' : 'not '}listed`);
    }
    return count;
  };
  const round = async () => {
    const [start, before] = [performance.now(), rival.processorTime()];
    const counts = await Promise.all(Array.from({ length: CLIENTS }, () => client(start + ROUND_MS)));
    load.processorTime += rival.processorTime() - before;
    return { elapsed: (1e6 * (performance.now() - start)) / (urlCount * counts.reduce((sum, count) => sum + count)) };
  };
  return { name: rival.name, group: groupOf(load), round };
}

/** With everything that it is made of, which only this program needs. */
function builtGo(): string | undefined {
  const program = resolve('build/native/go-look-ups');
  mkdirSync('build/native', { recursive: true });
  const args = ['build', '-C', 'bench/rivals/go', '-o', program, './look-ups'];
  return spawnSync('go', args, { stdio: 'inherit' }).status === 0 ? program : undefined;
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
const command = [process.execPath, 'dist/esm/cli.js', 'safe-browsing'];
const updating = spawn(command[0]!, [...command.slice(1), 'update', ...held], { stdio: 'inherit' });
if ((await once(updating, 'close'))[0] !== 0) throw new Error('the lists cannot be fetched');
const firstBytes = service.sentBytes['hashLists:batchGet']!;
const serve = [...command, 'serve', '--when-unsure', 'block', '--listen', '127.0.0.1:0', ...held];
const rivals = [await new Rival('urlsum safe-browsing serve', serve).ready()];
const go = builtGo();
if (go !== undefined)
  rivals.push(await new Rival('google/safebrowsing (v4)', [go, service.url.replace(/\/v5\/$/, '')]).ready());
const absent = go === undefined ? ['there is no Go here, or google/safebrowsing cannot be had'] : [];
const report = new Report('look-ups', absent, `${ENTRIES} prefixes in four lists, `);
const loads = [1, 50, 500].flatMap((urlCount) =>
  rivals.map((rival): Load => ({ rival, urlCount, times: [], processorTime: 0 })),
);
const rival = rivals.at(-1)!.name;
await report.time('look-ups', 'A URL that is looked up', loads.map(turnOf), rival, { seconds: 80, warmUps: 1 });
for (const [share, name] of [
  [0.5, 'median'],
  [0.99, '99 %'],
] as const) {
  const late = loads.map((load) => {
    const sorted = load.times.toSorted((one, other) => one - other);
    return measured(load.rival.name, sorted[Math.floor(share * (sorted.length - 1))]!, groupOf(load));
  });
  report.add(`requests-${name}`, `A request of eight clients at once, ${name}`, late, rival, { unit: 'ms' });
}
const processor = loads.map((load) =>
  measured(load.rival.name, (1e6 * load.processorTime) / load.times.length, groupOf(load)),
);
report.add('requests-processor', 'A request, of the processor', processor, rival, { unit: 'ms' });
const memory = rivals.map((each) => measured(each.name, each.memory()));
report.add('servers-memory', 'Memory of the server', memory, rival, { unit: 'MiB' });
for (const { process: child } of rivals) {
  const closed = once(child, 'close');
  child.kill();
  await closed;
}
await service.stop();
rmSync(folder, { recursive: true });
const before = service.newest('mw-4b');
service.change(ENTRIES / 400);
const updates = [
  measured('all four lists', firstBytes),
  measured('one list', HASH_LIST.encode(before.toUpdate()).length),
  measured(
    'one list, of which 1 % was replaced',
    HASH_LIST.encode(before.updateTo(service.newest('mw-4b'), 1000)).length,
  ),
];
report.add('updates', 'An update', updates, 'one list', { unit: 'bytes' });
report.write();
process.exit();
