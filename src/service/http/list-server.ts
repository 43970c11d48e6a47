import { createHash } from 'node:crypto';
import { concatBytes, GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { quote, withoutUnseen } from '../../core/quote.ts';
import { HASH_BYTES, headAt } from '../../specs/safe-browsing/expressions.ts';
import { listEntries } from '../../specs/safe-browsing/list-entry.ts';
import { type FileCalls, WatchedFile } from '../../store/watched-file.ts';
import { HashList } from '../lists/hash-list.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE, HASH_LIST } from '../lists/messages/hash-list-message.ts';
import { MAX_PREFIXES } from '../lists/messages/message-format.ts';
import { type FullHash, SEARCH_HASHES_RESPONSE } from '../lists/messages/search-responses.ts';
import { HeadIndex } from '../lists/prefix-set.ts';
import { headsOf, sortedPrefixes } from '../lists/sorted-prefixes.ts';
import { isGlobalCache, threatTypeOf } from '../lists/threats.ts';
import { shrinkProblem } from '../lists/update.ts';
import { HttpServer } from './http-server.ts';
import {
  bytesAnswer,
  gauge,
  type HttpAnswer,
  type HttpRequest,
  jsonAnswer,
  messageAnswer,
  metricsAnswer,
  mustKnow,
  type Query,
  RpcError,
  statusOf,
  troubleGauge,
  valuesOf,
  wantsJson,
} from './rpc.ts';

const PREFIX_BYTES = 4;

export interface ListServerOptions {
  readonly lists: readonly HostedList[];
  /** How long clients may keep an answer of `hashes:search`, in milliseconds. */
  readonly cacheMs: number;
  readonly hosts: readonly string[];
  readonly origins?: readonly string[];
  log(message: string): void;
}

/** `urlsum list serve`: lists of one's own by the methods of Safe Browsing v5 that deal with hashes. */
export class ListServer {
  readonly #options: ListServerOptions;
  readonly #lists: ReadonlyMap<string, HostedList>;
  readonly #http: HttpServer;

  constructor(options: ListServerOptions) {
    const { lists, hosts, log, origins = [] } = options;
    this.#options = options;
    this.#lists = new Map(lists.map((list) => [list.name, list]));
    this.#http = new HttpServer({
      answer: (request) => this.#answer(request),
      hosts,
      origins,
      look: async () => {
        for (const list of lists) await list.look();
      },
      onFault: (error) => log(`a fault: ${error}`),
    });
  }

  /** Settles with the URL below which the methods lie. */
  async listen(address: { readonly host: string; readonly port: number }): Promise<string> {
    return `${await this.#http.listen(address)}v5/`;
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /** Parameters that a method does not name are refused: `sizeConstraints` would change the answer. */
  #answer({ method, path, query }: HttpRequest): HttpAnswer {
    if (method !== 'GET') throw RpcError.refused(405, 'only GET is answered');
    const name = /^\/v5\/hashList\/([^/]+)$/.exec(path)?.[1];
    if (name !== undefined) return this.#getOne(name, query);
    if (path === '/v5/hashLists:batchGet') return this.#batchGet(query);
    if (path === '/v5/hashLists') return this.#listNames(query);
    if (path === '/v5/hashes:search') return this.#search(query);
    if (path === '/status' || path === '/metrics') return this.#state(path, query);
    throw new RpcError('NOT_FOUND', `there is no ${path.slice(0, 100)} here`);
  }

  /** `hashLists:batchGet?names=…&version=…`: for each name what has changed since a version that the client has. */
  #batchGet(query: Query): HttpAnswer {
    mustKnow(query, ['names', 'version']);
    const isJson = wantsJson(query);
    const names = valuesOf(query, 'names');
    if (names.length === 0) throw RpcError.badField('names', 'the parameter is missing');
    if (new Set(names).size < names.length) throw RpcError.badField('names', 'a name is there twice');
    const messages = names.map((name) => this.#messageOf(name, query, isJson));
    return bytesAnswer(isJson ? jsonBatch(messages) : protobufBatch(messages), isJson);
  }

  /** `hashList/NAME?version=…`: the same for one list. */
  #getOne(name: string, query: Query): HttpAnswer {
    mustKnow(query, ['version']);
    const isJson = wantsJson(query);
    return bytesAnswer(this.#messageOf(name, query, isJson), isJson);
  }

  #messageOf(name: string, query: Query, isJson: boolean): Uint8Array {
    const list = this.#lists.get(name);
    if (list === undefined) throw new RpcError('NOT_FOUND', `there is no list ${quote(name.slice(0, 100))}`);
    return list.message(valuesOf(query, 'version').map(fromBase64), isJson);
  }

  /**
   * `hashLists`: all names, without versions and prefixes. ListHashListsResponse begins as the answer to batchGet does.
   */
  #listNames(query: Query): HttpAnswer {
    mustKnow(query, []);
    const isJson = wantsJson(query);
    const named = [...this.#lists.keys()].map((name) => ({ ...HashList.empty(name).toUpdate(0), checksum: undefined }));
    return messageAnswer(BATCH_GET_HASH_LISTS_RESPONSE, named, isJson);
  }

  /** `/status` and `/metrics`: the lists with their sizes, and since when one stays as it was although its file changed. */
  #state(path: string, query: Query): HttpAnswer {
    mustKnow(query, []);
    const lists = [...this.#lists.values()];
    if (path === '/status') return jsonAnswer({ lists: lists.map(statusOf) });
    const sizes = lists.map(({ name, size }) => [{ list: name }, size] as const);
    return metricsAnswer([gauge('urlsum_list_prefixes', 'Prefixes in a list.', sizes), troubleGauge(lists)]);
  }

  /** `hashes:search?hashPrefixes=…`: all listed hashes that begin with one of the prefixes, and their threats. */
  #search(query: Query): HttpAnswer {
    mustKnow(query, ['hashPrefixes']);
    const isJson = wantsJson(query);
    const prefixes = valuesOf(query, 'hashPrefixes').map(fromBase64);
    if (prefixes.length === 0) throw RpcError.badField('hashPrefixes', 'the parameter is missing');
    if (prefixes.length > MAX_PREFIXES) throw RpcError.badField('hashPrefixes', `there are more than ${MAX_PREFIXES}`);
    if (prefixes.some(({ length }) => length !== PREFIX_BYTES))
      throw RpcError.badField('hashPrefixes', 'a prefix has four bytes');
    const found = new Map<string, FullHash>();
    for (const list of this.#lists.values()) {
      if (isGlobalCache(list.name)) continue;
      const detail = { threatType: threatTypeOf(list.name) ?? 'MALWARE', attributes: [] } as const;
      for (const hash of prefixes.flatMap((prefix) => list.hashesUnder(prefix))) {
        const key = hexOfBytes(hash);
        const others = (found.get(key)?.details ?? []).filter(({ threatType }) => threatType !== detail.threatType);
        found.set(key, { hash, details: [...others, detail] });
      }
    }
    const { cacheMs } = this.#options;
    return messageAnswer(SEARCH_HASHES_RESPONSE, { fullHashes: [...found.values()], cacheMs }, isJson);
  }
}

/** BatchGetHashListsResponse: `hash_lists`, its field 1, has a message for each list. */
function protobufBatch(messages: readonly Uint8Array[]): Uint8Array {
  return concatBytes(messages.flatMap((message) => [Uint8Array.of(0x0a, ...varint(message.length)), message]));
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

function jsonBatch(messages: readonly Uint8Array[]): Uint8Array {
  return Buffer.from(`{"hashLists":[${messages.map((message) => Buffer.from(message).toString()).join(',')}]}`);
}

/** Both alphabets, with or without padding. */
function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64url');
}

/** The names of Safe Browsing v5: NAME-4b is a list with prefixes of four bytes, and so on. */
const WIDTH = /-(4|8|16|32)b$/;
const VERSIONS_KEPT = 100;
/** How long requests wait, in milliseconds, while a list is made of its file. */
const SLICE_MS = 10;

export interface HostedListOptions {
  /** The share of its entries that a list may lose at once, 0 to 1. */
  readonly maxShrink: number;
  /** How long clients wait until they fetch the list again, in milliseconds. */
  readonly waitMs: number;
  /** Called with a sentence when the list begins or ceases to differ from its file, or differs for another reason. */
  onTrouble(message: string): void;
  /** The calls of the system that tests replace. */
  readonly calls?: Partial<FileCalls>;
}

/**
 * A list made of a file with one URL per line, which is watched. If the file cannot be read, has a bad line, or has lost
 * more entries than it may at once, the list stays as it last was, and `onTrouble` is told why.
 */
export class HostedList {
  readonly name: string;
  readonly #file: WatchedFile;
  readonly #width: number;
  readonly #options: HostedListOptions;
  #trouble = '';
  /** The hashes of the listed expressions: 32 bytes each, packed, ascending, each once. */
  #hashes: Uint8Array = new Uint8Array(0);
  #index = new HeadIndex(new Uint32Array(0));
  /** The lists that were served, the newest last, by their versions in hex. */
  readonly #versions = new Map<string, HashList>();
  /** The messages that bring clients to the newest list, by format and by the version that the client has. */
  readonly #messages = new Map<string, Uint8Array>();

  /** @throws {RangeError} where the name does not say how long prefixes are */
  constructor(name: string, path: string, options: HostedListOptions) {
    const found = WIDTH.exec(name);
    if (found === null) throw new RangeError(`the name ${withoutUnseen(name)} does not end in -4b, -8b, -16b or -32b`);
    this.name = name;
    this.#file = new WatchedFile(path, (content) => this.#set(Buffer.from(content).toString()), options.calls);
    this.#options = options;
    this.#width = Number(found[1]);
  }

  /** The number of its entries. */
  get size(): number {
    return this.#hashes.length / HASH_BYTES;
  }

  /** What is wrong with the file; empty if nothing is. */
  get trouble(): string {
    return this.#file.trouble;
  }

  /** Since when the list stays as it was, in milliseconds since 1970. */
  get troubleSince(): number | undefined {
    return this.#file.troubleSince;
  }

  /** Reads the file for the first time. Without a good version to keep, what is wrong is thrown. */
  load(): Promise<void> {
    return this.#file.load();
  }

  /** Reads the file again where it has changed. What is wrong with it is told once, and does not concern other lists. */
  async look(): Promise<void> {
    await this.#file.look();
    const { trouble } = this.#file;
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const state = trouble === '' ? 'it is served as its file is again' : `it stays as it was: ${trouble}`;
    this.#options.onTrouble(`${this.name}: ${state}`);
  }

  /**
   * Returns a `HashList` message, in JSON or in protobuf, for a client that names the versions it has: what has changed
   * since, or the whole list. Each is encoded once.
   */
  message(versions: readonly Uint8Array[], isJson: boolean): Uint8Array {
    const known = versions.map((version) => hexOfBytes(version)).find((version) => this.#versions.has(version)) ?? '';
    const key = `${isJson ? 'json' : 'proto'} ${known}`;
    const message = this.#messages.get(key) ?? this.#encoded(known, isJson);
    this.#messages.set(key, message);
    return message;
  }

  #encoded(known: string, isJson: boolean): Uint8Array {
    const { waitMs } = this.#options;
    const newest = [...this.#versions.values()].at(-1)!;
    const update = this.#versions.get(known)?.updateTo(newest, waitMs) ?? newest.toUpdate(waitMs);
    return isJson ? Buffer.from(JSON.stringify(HASH_LIST.toJson(update))) : HASH_LIST.encode(update);
  }

  /** Returns the listed hashes that begin with a prefix of four bytes. */
  hashesUnder(prefix: Uint8Array): readonly Uint8Array[] {
    const head = headAt(prefix, 0);
    const first = this.#index.indexOf(head);
    if (first === -1) return [];
    const found: Uint8Array[] = [];
    let at = first * HASH_BYTES;
    do found.push(this.#hashes.subarray(at, (at += HASH_BYTES)));
    while (at < this.#hashes.length && headAt(this.#hashes, at) === head);
    return found;
  }

  /** Makes the list of the file's text, in pieces: it takes seconds, in which requests are answered with the old one. */
  async #set(text: string): Promise<void> {
    const hashes = await sortedHashes(text, this.#file.path);
    const [size, before] = [hashes, this.#hashes].map(({ length }) => length / HASH_BYTES) as [number, number];
    const problem = shrinkProblem(size, before, this.#options.maxShrink);
    if (problem !== undefined) throw new RangeError(`${this.#file.path}: ${problem} (--shrink)`);
    if (size === 0 && this.#options.maxShrink < 1)
      throw new RangeError(
        `${this.#file.path}: it has no entries, so nothing would be unsafe (--shrink 100 serves it)`,
      );
    // a request names versions and not whose they are: no two lists have the same
    const version = createHash('sha256').update(`${this.name}\n${text}`).digest();
    const list = HashList.from(prefixesOf(hashes, this.#width), this.#width, { name: this.name, version });
    this.#hashes = hashes;
    this.#index = new HeadIndex(headsOf(hashes, HASH_BYTES));
    this.#messages.clear();
    this.#versions.delete(hexOfBytes(version));
    this.#versions.set(hexOfBytes(version), list);
    if (this.#versions.size > VERSIONS_KEPT) this.#versions.delete(this.#versions.keys().next().value!);
  }
}

/** Returns the beginnings of ascending hashes. */
function prefixesOf(hashes: Uint8Array, width: number): Uint8Array {
  const prefixes = new Uint8Array((hashes.length / HASH_BYTES) * width);
  for (let from = 0, to = 0; from < hashes.length; from += HASH_BYTES, to += width)
    for (let byte = 0; byte < width; byte++) prefixes[to + byte] = hashes[from + byte]!;
  return prefixes;
}

/**
 * Hashes the entries of a file, and sorts them by their first bytes, then each part for itself.
 *
 * @throws {RangeError} on a line that cannot be listed
 */
async function sortedHashes(text: string, path: string): Promise<Uint8Array> {
  const parts = Array.from({ length: 256 }, () => new GrowingBytes(HASH_BYTES));
  const slices = new TimeSlices();
  for (let start = 0, number = 1; start <= text.length; number++) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    for (const hash of hashesOf(text.slice(start, end), `${path}:${number}`)) parts[hash[0]!]!.bytes(hash);
    start = end + 1;
    if (slices.isOver) await slices.next();
  }
  const sorted: Uint8Array[] = [];
  for (const part of parts) {
    sorted.push(sortedPrefixes(part.written, HASH_BYTES));
    if (slices.isOver) await slices.next();
  }
  return concatBytes(sorted);
}

/** Divides long work into slices of time, between which the event loop does what has come in meanwhile. */
class TimeSlices {
  #end = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#end = performance.now() + SLICE_MS;
  }
}

/** Blank lines and comments have no hashes. */
function hashesOf(line: string, place: string): Uint8Array[] {
  try {
    return line.trim() === '' ? [] : listEntries(line).entries.map(({ hash }) => hash);
  } catch (error) {
    throw new RangeError(`${place}: ${(error as Error).message}`, { cause: error });
  }
}
