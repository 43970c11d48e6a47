import { createHash } from 'node:crypto';
import {
  type Answer,
  type CheckerOptions,
  type Fetch,
  SafeBrowsingChecker,
} from '../../../src/entries/safe-browsing/check.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE, HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { expressions } from '../../../src/entries/safe-browsing.ts';
import { type Detail, duration, fullHash, searchResponse } from './search-response.ts';

export const MALWARE: Detail = { threatType: 1 };
export const PHISHING: Detail = { threatType: 2 };
/** An answer of a server that is down. */
export const refusal = async (): Promise<Response> => new Response(null, { status: 503 });

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A list of expressions; its prefixes have as many bytes as its name says, or four. */
export function listOf(name: string, ...listed: readonly string[]): HashList {
  const width = Number(/-(\d+)b$/.exec(name)?.[1] ?? 4);
  return HashList.from(Buffer.concat(listed.map((each) => sha256(each).subarray(0, width))), width, { name });
}

export const shown = ({ verdict, reason }: Pick<Answer, 'verdict' | 'reason'>): string => `${verdict}, ${reason}`;

type Reply = () => Response | Promise<Response>;

/** The v5 service without a network, and its clock: it does what a test tells it, and notes what it was asked. */
export class ScriptedServer {
  /** Milliseconds. */
  time = Date.UTC(2026, 0, 1);
  readonly now = (): number => this.time;

  /** Details that `hashes:search` lists, by expression. */
  readonly listed = new Map<string, readonly Detail[]>();
  /** The prefixes of each request of it, in hex. */
  readonly requests: string[][] = [];
  /** Sent along with every answer. */
  readonly extra: Buffer[] = [];
  cacheDuration: Buffer | undefined = duration(300);
  /** Answers in place of the next ones. */
  readonly answers: Reply[] = [];

  /** Expressions of each list that `hashLists:batchGet` sends, whole each time. */
  readonly lists = new Map<string, readonly string[]>();
  waitMs = 1_800_000;
  /** The number of versions that each request of it named. */
  readonly listRequests: number[] = [];
  /** Answers in place of the next ones. */
  readonly listAnswers: Reply[] = [];

  readonly fetch: Fetch = (url, init) => {
    const { pathname, searchParams } = new URL(url);
    const isSearch = pathname.endsWith('/hashes:search');
    const usual = isSearch ? this.#search(searchParams) : this.#batchGet(searchParams);
    const answer = (isSearch ? this.answers : this.listAnswers).shift();
    if (answer === undefined) return Promise.resolve(new Response(usual()));
    return Promise.race([
      Promise.resolve().then(answer),
      new Promise<never>((_, reject) => init.signal.addEventListener('abort', () => reject(init.signal.reason))),
    ]);
  };

  #search(query: URLSearchParams): () => Uint8Array<ArrayBuffer> {
    const prefixes = query.getAll('hashPrefixes').map((each) => Buffer.from(each, 'base64url'));
    this.requests.push(prefixes.map((each) => each.toString('hex')));
    return () => {
      const all = [...this.listed].map(([expression, details]) => ({ hash: sha256(expression), details }));
      const found = all.filter(({ hash }) => prefixes.some((prefix) => hash.subarray(0, 4).equals(prefix)));
      const hashes = found.map(({ hash, details }) => fullHash(hash, details));
      return new Uint8Array(searchResponse([...hashes, ...this.extra], this.cacheDuration));
    };
  }

  #batchGet(query: URLSearchParams): () => Uint8Array<ArrayBuffer> {
    this.listRequests.push(query.getAll('version').length);
    return () => {
      const lists = query.getAll('names').map((name) => listOf(name, ...(this.lists.get(name) ?? [])));
      return BATCH_GET_HASH_LISTS_RESPONSE.encode(lists.map((list) => list.toUpdate(this.waitMs)));
    };
  }

  /** A checker that asks this server and has its clock: of the list mw-4b, where `options` do not say otherwise. */
  checker(options: Partial<CheckerOptions> = {}): SafeBrowsingChecker {
    return new SafeBrowsingChecker({
      server: 'http://127.0.0.1:9/v5/',
      procedure: 'local-list',
      whenUnsure: 'block',
      lists: options.procedure === 'no-storage' ? [] : ['mw-4b'],
      fetch: this.fetch,
      now: this.now,
      random: () => 0,
      ...options,
    });
  }

  /** Everything that left the machine for these URLs, and nothing else. */
  static prefixesOf(...urls: readonly string[]): string[] {
    return [...new Set(urls.flatMap((url) => expressions(url).map((each) => sha256(each).toString('hex', 0, 4))))];
  }
}

/** A server, and a checker that asks it for every URL. */
export function opened(options: Partial<CheckerOptions> = {}): {
  server: ScriptedServer;
  checker: SafeBrowsingChecker;
} {
  const server = new ScriptedServer();
  return { server, checker: server.checker({ procedure: 'no-storage', ...options }) };
}
