import { mustBeList, mustBeOptions, mustBeUrlOrBytes } from '../../core/argument.ts';
import { type AbortSource, signalOf, untilAborted } from '../../core/lifetime.ts';
import { Failure } from '../../core/url/failure.ts';
import { isBarred, type TextSource } from '../../specs/safe-browsing/doubt.ts';
import { type AskedExpressions, askedExpressions, expressionList } from '../../specs/safe-browsing/expressions.ts';
import { mustBeFound, type SafeBrowsingFailure, SafeBrowsingUrlError } from '../../specs/safe-browsing/failure.ts';
import type { UrlInput } from '../../specs/safe-browsing/url-bytes.ts';
import { type Answer, type AnswerReason, type CheckerStatus, CheckFailure, type Verdict } from './answer.ts';
import { BackgroundUpdates } from './background-updates.ts';
import { HashSearch } from './hash-search.ts';
import { type ListReport, ListUpdates, SharedWork } from './list-updates.ts';
import { type ListSnapshot, LocalLists } from './local-lists.ts';
import { type CheckerOptions, type CheckerSettings, checkerSettings, mustBeFunction } from './options.ts';
import { type Finding, Procedures, unsure } from './procedures.ts';
import { RemoteMethod } from './remote-method.ts';
import type { SteadyClock } from './steady-clock.ts';

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
  readonly #search: HashSearch;
  readonly #procedures: Procedures;
  readonly #lists: LocalLists;
  readonly #batchGet: RemoteMethod;
  readonly #updates: ListUpdates;
  readonly #background: BackgroundUpdates;
  readonly #firstLoad: SharedWork<void>;
  readonly #verdicts: Record<Verdict, number> = { safe: 0, unsafe: 0, unsure: 0 };
  readonly #reasons: Partial<Record<AnswerReason, number>> = {};
  #isLoaded = false;

  /**
   * @param options the server, the procedure and what becomes of URLs without an answer have no default
   * @throws {TypeError} on an option of the wrong kind, and without `server`
   * @throws {RangeError} on an option, or a value of one, that does not exist, and without `procedure` or `whenUnsure`
   */
  constructor(options: CheckerOptions) {
    const settings = checkerSettings(options);
    const { connection, updates, backOff } = settings;
    const search = new RemoteMethod(connection, 'hashes:search', backOff());
    this.#settings = settings;
    this.#lists = new LocalLists(settings);
    this.#batchGet = new RemoteMethod(updates, 'hashLists:batchGet', backOff());
    this.#updates = new ListUpdates(this.#lists, this.#batchGet);
    this.#firstLoad = new SharedWork(() => this.load(), connection.clock.now, connection.timeoutMs);
    this.#search = new HashSearch(search, settings.prefixesPerRequest);
    this.#procedures = new Procedures(this.#search);
    this.#background = new BackgroundUpdates(
      (stop) => this.#update(stop),
      () => this.#nextUpdateAt,
      connection.clock.now,
    );
  }

  /**
   * Whether a URL is listed, and on what evidence. A URL without a host or a failing server gives the answer `unsure`:
   * they never reject the promise.
   *
   * @param url a string, which counts as its UTF-8, a `URL`, or bytes of any kind; the scheme may be missing
   * @param options a signal that ends the wait, not the request, for which others may wait too: the promise is then
   * rejected with its reason
   * @throws {TypeError} on anything else, and on options, or a signal, of the wrong kind
   * @throws {RangeError} on an option that does not exist
   */
  async check(
    url: UrlInput,
    options: {
      /** Ends the wait. */
      readonly signal?: AbortSource | undefined;
    } = {},
  ): Promise<Answer> {
    const signal = signalOf(options);
    const [answer] = await untilAborted(Promise.resolve(this.answersFor([ownCopy('url', url)])), signal);
    return answer!;
  }

  /**
   * Whether each of many URLs is listed: they share requests with each other and with other calls under way.
   *
   * @param urls strings, `URL`s and bytes; not one of them alone
   * @param options a signal that ends the wait, not the request, for which others may wait too: the promise is then
   * rejected with its reason
   * @returns one answer per URL, in order
   * @throws {TypeError} on one string or bytes in place of a list, on an item that is not a URL, and on options, or a
   * signal, of the wrong kind
   * @throws {RangeError} on an option that does not exist
   */
  async checkMany(
    urls: Iterable<UrlInput>,
    options: {
      /** Ends the wait. */
      readonly signal?: AbortSource | undefined;
    } = {},
  ): Promise<Answer[]> {
    const signal = signalOf(options);
    const own = Array.from(mustBeList('urls', urls), (url, index) => ownCopy(`urls[${index}]`, url));
    return untilAborted(Promise.resolve(this.answersFor(own)), signal);
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
  async update(
    options: {
      /** Ends the wait. */
      readonly signal?: AbortSource | undefined;
    } = {},
  ): Promise<ListReport[]> {
    const signal = signalOf(options);
    return untilAborted(this.#update(), signal);
  }

  /**
   * May this update run now? Whoever calls for one, the background or `update`, goes this way:
   *
   *     is one under way? ─── yes ──▶ its reports are shared, unless it is lost: older than all its time limits together
   *      │ no                         (SharedWork of ListUpdates)
   *     is a list due? ────── no ───▶ waiting. One is due when it is missing or of unknown age, its wait is over, or
   *      │ yes                        the pause after a wrong update or a 404 is (LocalLists.due)
   *     lock of the store ─── none ─▶ failed (store): another process does not let it go (ListStore.lock)
   *      │ the lists are read again: what another process has fetched is not due
   *     is a list still due? ─ no ──▶ waiting
   *      │ yes
   *     is the server open? ─ no ───▶ failed (back-off): it failed before (BackOff of RemoteMethod)
   *      │ yes
   *     hashLists:batchGet, again while the server says that there is more to fetch
   */
  async #update(stop?: AbortSource): Promise<ListReport[]> {
    await this.#ready();
    return this.#updates.run(stop);
  }

  /**
   * Reads the lists from the store again, after another process or isolate has updated them there. The first check or
   * update reads them by itself.
   */
  async load(): Promise<void> {
    await this.#lists.load();
    this.#isLoaded = true;
  }

  /**
   * Updates the lists in the background from now on, at once and then whenever they are due; a failing server is left
   * alone as long as `backOff` says. A process that has nothing else to do ends all the same.
   *
   * @param options called with the outcome of each update
   * @throws {TypeError} where `onUpdate` is not a function
   * @throws {RangeError} on an option that does not exist
   */
  start(
    options: {
      /** Called with the outcome of each update. */
      readonly onUpdate?: ((reports: readonly ListReport[]) => void) | undefined;
    } = {},
  ): void {
    const { onUpdate } = mustBeOptions('options', options, ['onUpdate']);
    this.#background.start(onUpdate === undefined ? onUpdate : mustBeFunction('onUpdate', onUpdate));
  }

  /**
   * Ends what `start` began. Settles when no update is under way.
   *
   * @param options a signal that aborts the update that is under way: lists that it has not fetched stay as they are
   * @throws {TypeError} on options, or a signal, of the wrong kind
   * @throws {RangeError} on an option that does not exist
   */
  async stop(
    options: {
      /** Aborts the update that is under way. */
      readonly signal?: AbortSource | undefined;
    } = {},
  ): Promise<void> {
    await this.#background.stop(signalOf(options));
  }

  /** @internal Called after each request of `hashes:search`, with its seconds and, where it failed, why. */
  set onSearch(called: (seconds: number, failure: CheckFailure | undefined) => void) {
    this.#search.onAnswer = called;
  }

  /** Describes the lists, and counts the answers and what was sent to the server for them. */
  status(): CheckerStatus {
    const nextUpdateAt = this.#nextUpdateAt;
    return {
      lists: this.#lists.statuses(this.#lists.snapshot(nextUpdateAt)),
      verdicts: { ...this.#verdicts },
      answers: { ...this.#reasons },
      prefixesSent: this.#search.prefixesSent,
      nextUpdateAt: this.#clock.wallOf(nextUpdateAt),
    };
  }

  /** When the next `update` has something to do, in milliseconds since 1970: now, or later; Infinity without lists. */
  get nextUpdateAt(): number {
    return this.#clock.wallOf(this.#nextUpdateAt);
  }

  /** The same by the steady clock, as all times within. */
  get #nextUpdateAt(): number {
    return this.#lists.nextUpdateAt(this.#batchGet.openAt);
  }

  get #clock(): SteadyClock {
    return this.#settings.connection.clock;
  }

  async #ready(): Promise<void> {
    if (!this.#isLoaded) await this.#firstLoad.run();
  }

  /** @internal Settles with what `checkMany` gives: at once where neither the store nor the server has to be waited for. */
  answersFor(urls: readonly UrlInput[], source: TextSource = 'value'): Answer[] | Promise<Answer[]> {
    return this.answersTo(this.asked(urls, source));
  }

  /** @internal Yields URLs with their expressions: other lists may be asked for them, too. */
  *asked(urls: Iterable<UrlInput>, source: TextSource = 'value'): Generator<AskedUrl> {
    for (const url of urls) {
      const found = askedExpressions(url, this.#settings.expressions, source);
      const isRefused = !(found instanceof Failure) && found.doubt !== undefined && isBarred(found.doubt, source);
      yield { url, asked: isRefused ? found.doubt! : found };
    }
  }

  /** @internal Settles with an answer for each URL, as `answersFor`. */
  answersTo(asked: Iterable<AskedUrl>): Answer[] | Promise<Answer[]> {
    return this.#isLoaded ? this.#answers(asked) : this.#ready().then(() => this.#answers(asked));
  }

  #answers(asked: Iterable<AskedUrl>): Answer[] | Promise<Answer[]> {
    const lists = this.#lists.snapshot(this.#nextUpdateAt);
    const answers: (Answer | Promise<Answer>)[] = [];
    try {
      for (const each of asked) {
        const found = this.#finding(each, lists);
        const answerTo = (finding: Finding) => this.#answer(each.url, finding);
        answers.push(found instanceof Promise ? found.then(answerTo) : answerTo(found));
      }
    } catch (error) {
      answers.push(Promise.reject(error)); // of a clock that was given: what was begun is waited for all the same
    }
    return answers.some((answer) => answer instanceof Promise) ? Promise.all(answers) : (answers as Answer[]);
  }

  #finding({ url, asked }: AskedUrl, lists: ListSnapshot): Finding | Promise<Finding> {
    if (asked instanceof Failure) return notLookedUp(url, asked, lists);
    const { hashes, doubt } = asked;
    const found = this.#procedures.run(this.#settings.procedure, hashes, lists);
    if (doubt === undefined) return found;
    const judged = (finding: Finding) => (finding.verdict === 'unsafe' ? finding : notLookedUp(url, doubt, lists));
    return found instanceof Promise ? found.then(judged) : judged(found);
  }

  #answer(url: UrlInput, found: Finding): Answer {
    const { verdict, reason, threats, matched, detail, expiresAt } = found;
    this.#verdicts[verdict]++;
    this.#reasons[reason] = (this.#reasons[reason] ?? 0) + 1;
    const texts = threats.length === 0 ? [] : mustBeFound(url, expressionList(url, this.#settings.expressions));
    const named = threats.map(({ type, isFrameOnly, position, expiresAt }) => ({
      type,
      isFrameOnly,
      expression: texts[position]!,
      expiresAt: this.#clock.wallOf(expiresAt),
    }));
    return {
      url,
      verdict,
      reason,
      isAllowed: verdict === 'safe' || (verdict === 'unsure' && this.#settings.whenUnsure === 'allow'),
      threats: named,
      expression: named[0]?.expression,
      matched,
      detail,
      expiresAt: this.#clock.wallOf(expiresAt),
    };
  }
}

/** A URL, and what lists are asked for it, or why they are not. */
export interface AskedUrl {
  readonly url: UrlInput;
  readonly asked: AskedExpressions | SafeBrowsingFailure;
}

function notLookedUp(url: UrlInput, failure: SafeBrowsingFailure, { now }: ListSnapshot): Finding {
  const { message } = new SafeBrowsingUrlError(url, failure);
  return unsure(new CheckFailure('no-host', message), [], now);
}

/**
 * The caller may overwrite the bytes, or change the `URL`, that it passed, while the server is asked.
 *
 * @throws {TypeError} on what is not a URL
 */
function ownCopy(name: string, url: UrlInput): UrlInput {
  const given = mustBeUrlOrBytes(name, url);
  return typeof given === 'string' ? given : Uint8Array.from(given);
}
