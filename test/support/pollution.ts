// Options of the package as it is built, in a program where someone set a property of Object.prototype: a result, its
// profile and its errors are those of the options given.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import * as assert from 'uvu/assert';
import { type Entries, namesOf, type OptionCall, optionCalls, outcomeOf } from './option-calls.ts';
import { FOLDER } from './scratch.ts';

/** Values that some option takes, and others. */
const VALUES: readonly unknown[] = [
  ...[true, false, 0, 1, 4, 8, 16, 17, 300, 1e6],
  ...['', 'x', 'page-2026', 'N', 'P', 'both', 'md5', 'sha1', 'frag', 'web-risk', 'v5', 'spec', 'browser', 'union'],
  ...['lines', 'hosts'],
  ...['adblock', 'FA', 'RA', 'RB', 'utf16', 'code-points', 'java', '/', '#', '-', 'nquads', 'turtle', 'trig'],
  ...['ntriples'],
  ...['text', 'number', 'escape', 'reject', 'tracking-2026', 'http://b.example/', 'url/1+unicode17', 'simd', 'js'],
  ...['hashed-uri', 'hash-uri', 'url', 'no-storage', 'real-time', 'local-list', 'allow', 'block'],
  ...[['c'], ['https'], ['slash'], ['frag'], ['http'], ['mw-4b'], []],
  ...[{}, { mode: 'spec' }, { bnodeChar: '-' }, { refusedMs: 1 }, { defaultPort: 'text' }, { 'X-Key': 'x' }],
  ...[() => 0, new AbortController().signal],
];
/** Started threads take too long for a thousand rounds; nothing of their results is read here. */
const LEFT_OUT = ['UrlHashPool'];

async function builtEntries(): Promise<Entries> {
  const folder = join(process.cwd(), 'dist/esm');
  const names = readdirSync(folder).map((file) => file.replace(/\.js$/, ''));
  const wanted = ['index', 'explain', 'hash-index', 'hash-uri', 'hash-uri-rdf', 'hashed-uri', 'pool', 'safe-browsing'];
  wanted.push('safe-browsing-check', 'safe-browsing-lists');
  assert.equal(
    wanted.filter((name) => !names.includes(name)),
    [],
  );
  const entries = wanted.map(async (name) => [name, await import(join(folder, `${name}.js`))] as const);
  return Object.fromEntries(await Promise.all(entries)) as never;
}

/** The outcome as text, written when Object.prototype is clean again. */
async function shown([, , call]: OptionCall, options: object, polluted: Readonly<Record<string, unknown>> = {}) {
  let outcome: unknown;
  const prototype = Object.prototype as Record<string, unknown>;
  try {
    for (const [name, value] of Object.entries(polluted))
      Object.defineProperty(prototype, name, { value, configurable: true, writable: true, enumerable: true });
    outcome = await outcomeOf(call, options);
  } finally {
    for (const name of Object.keys(polluted)) delete prototype[name];
  }
  return inspect(outcome, { depth: 8 }).replace(/\n +at .*/g, '');
}

/** Names that the language or Node reads of objects: a program that adds one of these has broken its host. */
const OF_HOSTS = new Set([
  ...['then', 'get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'return', 'toHex'],
  ...['start', 'cancel', 'BYTES_PER_ELEMENT', 'error'], // of web streams, of writing files
  'direction', // of terms of RDF/JS, which a class may inherit
]);

/** Every name that the package's code reads or writes, and the first index. */
function memberNames(): string[] {
  const names = new Set(['0']);
  for (const file of readdirSync('dist/esm').filter((name) => !/^(?:cli|n3-|duckdb|public-)/.test(name)))
    for (const [, name] of readFileSync(join('dist/esm', file), 'utf8').matchAll(/[.{,]([A-Za-z_]\w{2,})/g))
      names.add(name!);
  return [...names].filter((name) => !OF_HOSTS.has(name) && !(name in {}));
}

/** Members that had changed a result, which each run tries. */
const KNOWN = [
  ...['0', 'bytes', 'checksum', 'extension', 'headers', 'host', 'matched', 'part', 'path', 'reason', 'scheme'],
  ...['hostHex', 'suffixList', 'threats', 'username'],
];

/**
 * Every function and some that take no options, under names of members, each with values of two kinds: each result is as
 * without them.
 *
 * @param count of names besides those that are known
 */
export async function memberPollution(count: number, next: (below: number) => number): Promise<string> {
  const entries = await builtEntries();
  const calls = [...optionCalls(entries).filter(([name]) => !LEFT_OUT.includes(name)), ...plainCalls(entries)];
  const expected = await Promise.all(calls.map((call) => shown(call, call[1])));
  const all = memberNames();
  assert.ok(all.length > 1000 && KNOWN.every((name) => all.includes(name)), `${all.length} names`);
  const picked = count >= all.length ? all : Array.from({ length: count }, () => all[next(all.length)]!);
  let results = 0;
  for (const name of new Set([...KNOWN, ...picked])) {
    for (const value of ['x', new Uint8Array(32)]) {
      for (const [at, call] of calls.entries()) {
        const label = `${call[0]} where Object.prototype.${name} is ${inspect(value)}`;
        assert.is(await shown(call, call[1], { [name]: value }), expected[at], label);
        results++;
      }
    }
  }
  return `${results} results under ${new Set([...KNOWN, ...picked]).size} names of members`;
}

/** Functions without options, or whose results are those of several objects. */
function plainCalls(entries: Entries): OptionCall[] {
  const { index, explain: steps, 'hash-index': indexes, 'safe-browsing': browsing } = entries;
  const { 'safe-browsing-lists': lists, 'safe-browsing-check': check } = entries;
  const url = 'http://a.example/b?c#d';
  const [hash] = browsing.hashes(url) as [Uint8Array];
  const details = [{ threatType: 'MALWARE', attributes: [] }] as const;
  const listed = lists.SEARCH_HASHES_RESPONSE.encode({ fullHashes: [{ hash, details }], cacheMs: 300_000 });
  const answer = (body: Uint8Array, status = 200, headers = {}) => {
    const fetch = async () => new Response(Buffer.from(body), { status, headers });
    const server = { server: 'http://127.0.0.1/', procedure: 'no-storage', whenUnsure: 'allow', now: () => 0 } as const;
    return new check.SafeBrowsingChecker({ ...server, fetch }).check(url);
  };
  const list = () => lists.HashList.from(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 4);
  const column = () => new index.UrlHasher({ width: 8 }).hashMany([url, 'x', 'http://a:b/']);
  const path = join(FOLDER, 'polluted.idx');
  const builtIndex = () => {
    const builder = new indexes.HashIndexBuilder();
    builder.add(column());
    builder.write(path);
    const built = indexes.HashIndex.open(path);
    const found = [built.size, built.has(hash), built.has(column().at(0)!), [...built.matches(column())]];
    built.close();
    return found;
  };
  return [
    ['HashList', {}, () => [list(), lists.HashList.fromBytes(list().toBytes()), list().toBytes()]],
    ['SEARCH_HASHES_RESPONSE', {}, () => lists.SEARCH_HASHES_RESPONSE.decode(listed)],
    ['PrefixSet', {}, () => browsing.PrefixSet.from(hash, 32).has(hash)],
    ['a listed URL', {}, () => answer(listed)],
    ['an unlisted URL', {}, () => answer(new Uint8Array(0))],
    ['a server that is busy', {}, () => answer(new Uint8Array(0), 503, { 'retry-after': '3' })],
    ['HashColumn', {}, () => [column().hex(0), column().errorAt(0), column().errorAt(1), column().at(2)]],
    ['HashIndex', {}, builtIndex],
    ['explain a wrong URL', {}, () => steps.explain('http://a:b')],
    ['optionsOf', {}, () => [index.optionsOf('url/1+unicode18;drop-params=a'), index.compatible('url/1', 'url/2')]],
  ];
}

/**
 * Every name of an option × every function, with each value that changes some result where it is given; and `count` times
 * several names at once.
 */
export async function pollution(count: number, next: (below: number) => number): Promise<string> {
  const calls = optionCalls(await builtEntries()).filter(([name]) => !LEFT_OUT.includes(name));
  const expected = await Promise.all(calls.map((call) => shown(call, call[1])));
  const effective = new Map<string, Set<unknown>>();
  for (const [at, call] of calls.entries()) {
    for (const name of await namesOf(call)) {
      const values = effective.get(name) ?? new Set();
      effective.set(name, values);
      for (const value of VALUES)
        if (values.size < 2 && (await shown(call, { ...call[1], [name]: value })) !== expected[at]) values.add(value);
    }
  }
  const pairs = [...effective].flatMap(([name, values]) => [...values].map((value) => [name, value] as const));
  const without = [...effective].filter(([, values]) => values.size === 0).map(([name]) => name);
  assert.equal(without, [], 'a value that changes something is needed of each');
  for (const [at, call] of calls.entries()) {
    for (const [name, value] of pairs) {
      const label = `${call[0]} where Object.prototype.${name} is ${inspect(value)}`;
      assert.is(await shown(call, call[1], { [name]: value }), expected[at], label);
    }
  }
  for (let round = 0; round < count; round++) {
    const polluted = Object.fromEntries(Array.from({ length: 2 + next(8) }, () => pairs[next(pairs.length)]!));
    const at = next(calls.length);
    const call = calls[at]!;
    assert.is(await shown(call, call[1], polluted), expected[at], `${call[0]} under ${inspect(polluted)}`);
  }
  return `${effective.size} names, ${pairs.length} values, ${calls.length} functions`;
}
