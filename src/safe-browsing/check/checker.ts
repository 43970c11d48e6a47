import { type AbortSource, signalOf } from '../../abort-signal.ts';
import { isBytes, mustBeList } from '../../argument.ts';
import type { ExpressionColumn } from '../column.ts';
import { expressions } from '../expressions.ts';
import { ExpressionHasher } from '../hasher.ts';
import type { UrlInput } from '../input.ts';
import { type Answer, CheckFailure } from './answer.ts';
import { HashSearch } from './hash-search.ts';
import { type ListReport, ListUpdates } from './list-updates.ts';
import { LocalLists } from './local-lists.ts';
import { type CheckerOptions, type CheckerSettings, checkerSettings } from './options.ts';
import { type Finding, hashesOf, Procedures, unsure } from './procedures.ts';
import { RemoteMethod } from './remote-method.ts';
import { SharedWork, untilAborted } from './shared-work.ts';

/**
 * Checks URLs by the procedures of Safe Browsing v5, against Google's service or a server of your own: prefixes of
 * exactly four bytes leave the machine, whole hashes are compared here. Its state is the lists, the cached answers and
 * the back-off: keep one checker for many URLs.
 *
 * @see https://developers.google.com/safe-browsing/reference
 * @example
 * const checker = new SafeBrowsingChecker({
 *   server: 'http://127.0.0.1:8080/v5/',
 *   procedure: 'no-storage',
 *   whenUnsure: 'block',
 *   fetch: async () => new Response(null, { status: 503 }),
 * });
 * const { verdict, reason, isAllowed } = await checker.check('http://example.com/');
 * [verdict, reason, isAllowed]; //=> ['unsure', 'unsure: status', false]
 */
export class SafeBrowsingChecker {
  /** @internal */
  static readonly name = 'SafeBrowsingChecker';
  readonly #settings: CheckerSettings;
  readonly #hasher: ExpressionHasher;
  readonly #procedures: Procedures;
  readonly #lists: LocalLists;
  readonly #updates: ListUpdates;
  readonly #firstLoad: SharedWork<void>;
  #isLoaded = false;

  /**
   * @param options the server, the procedure and what becomes of URLs without an answer have no default
   * @throws {TypeError} on an option of the wrong kind
   * @throws {RangeError} on an option, or a value of one, that does not exist, and where one is missing
   */
  constructor(options: CheckerOptions) {
    const settings = checkerSettings(options);
    const { connection, backOff } = settings;
    const search = new RemoteMethod(connection, 'hashes:search', backOff());
    const batchGet = new RemoteMethod(connection, 'hashLists:batchGet', backOff());
    this.#settings = settings;
    this.#hasher = new ExpressionHasher(settings.expressions);
    this.#lists = new LocalLists({ ...settings, now: connection.now });
    this.#updates = new ListUpdates(this.#lists, batchGet, connection.now, connection.timeoutMs);
    this.#firstLoad = new SharedWork(() => this.load(), connection.now, connection.timeoutMs);
    this.#procedures = new Procedures(this.#lists, new HashSearch(search, settings.prefixesPerRequest, connection));
  }

  /**
   * Whether a URL is listed, and on what evidence. A URL without a host or a failing server gives the answer `unsure`:
   * they never reject the promise.
   *
   * @param url a string, which counts as its UTF-8, or bytes of any kind; the scheme may be missing
   * @param options a signal that ends the wait, not the request, for which others may wait too: the promise is then
   * rejected with its reason
   * @throws {TypeError} on options, or a signal, of the wrong kind
   * @throws {RangeError} on an option that does not exist
   */
  async check(url: UrlInput, options: { readonly signal?: AbortSource } = {}): Promise<Answer> {
    const [answer] = await this.checkMany([url], options);
    return answer!;
  }

  /**
   * The same for many URLs, which share requests with each other and with other calls under way.
   *
   * @param urls strings and bytes; not one of them alone
   * @param options a signal that ends the wait, not the request, for which others may wait too: the promise is then
   * rejected with its reason
   * @returns one answer per URL, in order
   * @throws {TypeError} on one string or bytes in place of a list, and on options, or a signal, of the wrong kind
   * @throws {RangeError} on an option that does not exist
   */
  async checkMany(urls: Iterable<UrlInput>, options: { readonly signal?: AbortSource } = {}): Promise<Answer[]> {
    const signal = signalOf(options);
    const list = Array.from(mustBeList('urls', urls), ownCopy);
    const column = this.#hasher.hashMany(list);
    return untilAborted(this.#answers(list, column), signal);
  }

  /**
   * Fetches what has changed in the lists that are due. A list whose update is wrong stays as it is and is fetched
   * whole the next time. Calls at the same time share one update.
   *
   * @param options a signal that ends the wait, not the request, for which others may wait too: the promise is then
   * rejected with its reason
   * @returns the outcome for each list; one that fails never affects the others
   * @throws {TypeError} on options, or a signal, of the wrong kind
   * @throws {RangeError} on an option that does not exist
   */
  async update(options: { readonly signal?: AbortSource } = {}): Promise<ListReport[]> {
    const signal = signalOf(options);
    const reports = this.#ready().then(() => this.#updates.run());
    return untilAborted(reports, signal);
  }

  /**
   * Reads the lists from the store again, after another process or isolate has updated them there. The first check or
   * update reads them by itself.
   */
  async load(): Promise<void> {
    await this.#lists.load();
    this.#isLoaded = true;
  }

  /** When the next `update` has something to do, in milliseconds since 1970; Infinity for a checker without lists. */
  get nextUpdateAt(): number {
    return this.#updates.nextUpdateAt;
  }

  async #ready(): Promise<void> {
    if (!this.#isLoaded) await this.#firstLoad.run();
  }

  async #answers(urls: readonly UrlInput[], column: ExpressionColumn): Promise<Answer[]> {
    await this.#ready();
    return Promise.all(urls.map(async (url, row) => this.#answer(url, await this.#finding(column, row))));
  }

  async #finding(column: ExpressionColumn, row: number): Promise<Finding> {
    const error = column.errorAt(row);
    if (error !== undefined) return unsure(new CheckFailure('no-host', error.message));
    return this.#procedures.run(this.#settings.procedure, hashesOf(column, row));
  }

  #answer(url: UrlInput, { verdict, reason, threats = [], detail }: Finding): Answer {
    const texts = threats.length === 0 ? [] : expressions(url, this.#settings.expressions);
    const named = threats.map(({ type, isFrameOnly, position }) => {
      return { type, isFrameOnly, expression: texts[position]! };
    });
    return {
      url,
      verdict,
      reason,
      isAllowed: verdict === 'safe' || (verdict === 'unsure' && this.#settings.whenUnsure === 'allow'),
      threats: named,
      expression: named[0]?.expression,
      detail,
    };
  }
}

/** The caller may overwrite the bytes that it passed, while the server is asked. */
function ownCopy(url: UrlInput): UrlInput {
  return isBytes(url) ? Uint8Array.from(url) : url;
}
