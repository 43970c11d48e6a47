import { concatBytes } from '../../core/bytes/growing-bytes.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { quote } from '../../core/quote.ts';
import { keepLooking } from '../../store/watched-file.ts';
import { MAX_PREFIXES } from '../lists/messages/common-fields.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE } from '../lists/messages/hash-list-message.ts';
import { type FullHash, SEARCH_HASHES_RESPONSE } from '../lists/messages/search-hashes.ts';
import { isGlobalCache, threatTypeOf } from '../lists/threats.ts';
import type { HostedList } from './hosted-list.ts';
import { HttpServer } from './http-server.ts';
import {
  bytesAnswer,
  type HttpAnswer,
  type HttpRequest,
  messageAnswer,
  mustKnow,
  type Query,
  RpcError,
  valuesOf,
  wantsJson,
} from './rpc.ts';

const PREFIX_BYTES = 4;

export interface ListServerOptions {
  readonly lists: readonly HostedList[];
  /** How long they may keep an answer of `hashes:search`. */
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
  #stopLooking: (() => void) | undefined;

  constructor(options: ListServerOptions) {
    const { lists, hosts, log, origins = [] } = options;
    this.#options = options;
    this.#lists = new Map(lists.map((list) => [list.name, list]));
    this.#http = new HttpServer({
      answer: (request) => this.#answer(request),
      hosts,
      origins,
      onFault: (error) => log(`a fault: ${error}`),
    });
  }

  /** Settles with the URL below which the methods lie. */
  async listen(address: { readonly host: string; readonly port: number }): Promise<string> {
    const url = await this.#http.listen(address);
    this.#stopLooking = keepLooking(async () => {
      for (const list of this.#lists.values()) await list.look();
    });
    return `${url}v5/`;
  }

  close(): Promise<void> {
    this.#stopLooking?.();
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
    const nothing = { version: new Uint8Array(0), isPartial: false, additions: [], removals: new Uint32Array(0) };
    const times = { checksum: undefined, minimumWaitMs: 0, nextRequestTime: undefined };
    const named = [...this.#lists.keys()].map((name) => ({ name, ...nothing, ...times }));
    return messageAnswer(BATCH_GET_HASH_LISTS_RESPONSE, named, isJson);
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
