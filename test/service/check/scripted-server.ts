import { createHash } from 'node:crypto';
import type { Fetch } from '../../../src/entries/safe-browsing/check.ts';
import { expressions } from '../../../src/entries/safe-browsing.ts';
import { type Detail, duration, fullHash, searchResponse } from './search-response.ts';

export const MALWARE: Detail = { threatType: 1 };

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A server of `hashes:search` without a network, that does what a test tells it and notes what it was asked. */
export class ScriptedServer {
  /** Details by expression. */
  readonly listed = new Map<string, readonly Detail[]>();
  /** The prefixes of each request, in hex. */
  readonly requests: string[][] = [];
  /** Sent along with every answer. */
  readonly extra: Buffer[] = [];
  cacheDuration: Buffer | undefined = duration(300);
  /** Answers in place of the next ones. */
  readonly answers: (() => Response | Promise<Response>)[] = [];
  /** Milliseconds. */
  time = Date.UTC(2026, 0, 1);

  readonly now = (): number => this.time;

  readonly fetch: Fetch = async (url, { signal }) => {
    const { pathname, searchParams } = new URL(url);
    if (!pathname.endsWith('/hashes:search')) return new Response(null, { status: 404 });
    const prefixes = searchParams.getAll('hashPrefixes').map((each) => Buffer.from(each, 'base64url'));
    this.requests.push(prefixes.map((each) => each.toString('hex')));
    const answer = this.answers.shift();
    if (answer === undefined) return new Response(new Uint8Array(this.#response(prefixes)));
    return Promise.race([
      Promise.resolve().then(answer),
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ]);
  };

  #response(prefixes: readonly Buffer[]): Buffer {
    const all = [...this.listed].map(([expression, details]) => ({ hash: sha256(expression), details }));
    const found = all.filter(({ hash }) => prefixes.some((prefix) => hash.subarray(0, 4).equals(prefix)));
    return searchResponse(
      [...found.map(({ hash, details }) => fullHash(hash, details)), ...this.extra],
      this.cacheDuration,
    );
  }

  /** Everything that left the machine for these URLs, and nothing else. */
  static prefixesOf(...urls: readonly string[]): string[] {
    return [...new Set(urls.flatMap((url) => expressions(url).map((each) => sha256(each).toString('hex', 0, 4))))];
  }
}
