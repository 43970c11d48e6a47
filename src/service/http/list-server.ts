import { createHash } from 'node:crypto';
import { concatBytes } from '../../core/bytes/growing-bytes.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { quote, withoutUnseen } from '../../core/quote.ts';
import { HASH_BYTES, headAt } from '../../specs/safe-browsing/hash-prefix.ts';
import { HashList } from '../lists/hash-list.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE, HASH_LIST } from '../lists/messages/hash-list-message.ts';
import { MAX_PREFIXES } from '../lists/messages/message-format.ts';
import { type FullHash, SEARCH_HASHES_RESPONSE } from '../lists/messages/search-responses.ts';
import { PrefixSet } from '../lists/prefix-set.ts';
import { isGlobalCache, threatTypeOf } from '../lists/threats.ts';
import { HttpServer } from './http-server.ts';
import { gauge, metricsAnswer, statusOf, troubleGauge } from './metrics.ts';
import {
  bytesAnswer,
  type HttpAnswer,
  type HttpRequest,
  jsonAnswer,
  messageAnswer,
  mustKnow,
  type Query,
  RpcError,
  valuesOf,
  wantsJson,
} from './rpc.ts';
import { WatchedList, type WatchedListOptions } from './watched-list.ts';

const PREFIX_BYTES = 4;

export interface ListServerOptions {
  readonly lists: readonly HostedList[];
  /** The time that clients may keep an answer of `hashes:search`, in milliseconds. */
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
      lists,
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
    if (path === '/healthz') return jsonAnswer({ status: 'ok' }); // it listens once all lists are read
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

  /**
   * `/status` and `/metrics`: the lists with their sizes, and since when one stays as it was although its file changed.
   */
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

/** Decodes base64 and base64url, padded or not. */
function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64url');
}

/** The names of Safe Browsing v5: NAME-4b is a list with prefixes of four bytes, and so on. */
const WIDTH = /-(4|8|16|32)b$/;
const VERSIONS_KEPT = 100;

export interface HostedListOptions extends WatchedListOptions {
  /** The time that clients wait until they fetch the list again, in milliseconds. */
  readonly waitMs: number;
}

/** A list served from a file. Clients ask for whole hashes, so a built list must hold 32 bytes of each. */
export class HostedList extends WatchedList {
  readonly name: string;
  protected readonly shortest = HASH_BYTES;
  readonly #width: number;
  readonly #waitMs: number;
  /** The hashes of the listed expressions. */
  #hashes = PrefixSet.from(new Uint8Array(0), HASH_BYTES);
  /** The lists that were served, the newest last, by their versions in hex. */
  readonly #versions = new Map<string, HashList>();
  /** The messages that bring clients to the newest list, by format and by the version that the client has. */
  readonly #messages = new Map<string, Uint8Array>();

  /** @throws {RangeError} where the name does not say how long prefixes are */
  constructor(name: string, path: string, options: HostedListOptions) {
    super(path, options);
    const found = WIDTH.exec(name);
    if (found === null) throw new RangeError(`the name ${withoutUnseen(name)} does not end in -4b, -8b, -16b or -32b`);
    this.name = name;
    this.#width = Number(found[1]);
    this.#waitMs = options.waitMs;
  }

  get size(): number {
    return this.#hashes.size;
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
    const newest = [...this.#versions.values()].at(-1)!;
    const update = this.#versions.get(known)?.updateTo(newest, this.#waitMs) ?? newest.toUpdate(this.#waitMs);
    return isJson ? Buffer.from(JSON.stringify(HASH_LIST.toJson(update))) : HASH_LIST.encode(update);
  }

  /** Returns the listed hashes that begin with a prefix of four bytes. */
  hashesUnder(prefix: Uint8Array): readonly Uint8Array[] {
    return this.#hashes.withHead(headAt(prefix, 0));
  }

  protected hold({ size, groups }: HashList, content: Uint8Array): void {
    if (size === 0 && this.size === 0 && this.options.maxShrink < 1)
      throw new RangeError('it has no entries, so nothing would be unsafe (--shrink 100 serves it)');
    const hashes = groups[0]?.prefixes ?? new Uint8Array(0);
    // a request names versions and not whose they are: no two lists have the same
    const digest = createHash('sha256').update(`${this.name}\n`).update(content).digest();
    const list = HashList.from(prefixesOf(hashes, this.#width), this.#width, { name: this.name, version: digest });
    const version = hexOfBytes(digest);
    this.#hashes = PrefixSet.ofGroup({ width: HASH_BYTES, prefixes: hashes });
    this.#messages.clear();
    this.#versions.delete(version);
    this.#versions.set(version, list);
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
