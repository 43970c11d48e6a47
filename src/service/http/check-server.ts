import type { CheckFailure } from '../check/answer.ts';
import { SEARCH_URLS_RESPONSE } from '../lists/messages/search-responses.ts';
import { isGlobalCache, type ThreatType } from '../lists/threats.ts';
import { HttpServer } from './http-server.ts';
import {
  counter,
  Durations,
  dateOf,
  gauge,
  histogram,
  metricsAnswer,
  type Samples,
  statusOf,
  Tally,
  troubleGauge,
} from './metrics.ts';
import {
  type HttpAnswer,
  type HttpRequest,
  jsonAnswer,
  messageAnswer,
  mustKnow,
  RpcError,
  valuesOf,
  wantsJson,
} from './rpc.ts';
import { findThreatMatches, listThreatLists } from './threat-matches.ts';
import { type UrlCheckOptions, UrlChecks } from './url-checks.ts';

// The command loads both from one file of the package.
export { OwnList } from './own-list.ts';

export interface CheckServerOptions extends UrlCheckOptions {
  /** The types of threats that can be told. */
  readonly types: readonly ThreatType[];
  readonly hosts: readonly string[];
  readonly origins?: readonly string[];
  /** Writes a message about an update that failed, a file that is wrong or a fault. No message has a URL or a key. */
  log(message: string): void;
}

type Route = (request: HttpRequest) => Promise<HttpAnswer> | HttpAnswer;

/** `urlsum safe-browsing serve`: look-ups of versions 4 and 5 for programs of this machine, from lists held here. */
export class CheckServer {
  readonly #options: CheckServerOptions;
  readonly #checks: UrlChecks;
  readonly #http: HttpServer;
  /** Requests answered, by path and status. */
  readonly #requests = new Tally('path', 'status');
  readonly #requestTimes = new Durations();
  /** Requests of `hashes:search`. */
  readonly #searchTimes = new Durations();
  /** Updates that failed, by list and reason. */
  readonly #failedUpdates = new Tally('list', 'reason');
  #isSearchDown = false;
  readonly #routes: Readonly<Record<string, { readonly method: 'GET' | 'POST'; readonly answer: Route }>>;

  constructor(options: CheckServerOptions) {
    const { types, log, hosts, origins = [] } = options;
    this.#options = options;
    this.#checks = new UrlChecks(options);
    this.#http = new HttpServer({
      answer: (request) => this.#answer(request),
      hosts,
      origins,
      lists: options.ownLists,
      onAnswer: (path, status, seconds) => this.#count(path, status, seconds),
      onFault: (error) => log(`a fault: ${faultText(error, options.logUrl !== undefined)}`),
    });
    const get = (answer: Route) => ({ method: 'GET', answer }) as const;
    this.#routes = {
      '/v5/urls:search': get((request) => searchUrls(request, this.#checks)),
      '/v4/threatMatches:find': {
        method: 'POST',
        answer: (request) => findThreatMatches(request, this.#checks, types),
      },
      '/v4/threatLists': get((request) => listThreatLists(request, types)),
      '/status': get(() => jsonAnswer(this.#status())),
      '/healthz': get(() => this.#health()),
      '/metrics': get(() => this.#metrics()),
    };
  }

  /** Begins to update the lists and to answer. Settles with the server's URL. */
  async listen(address: { readonly host: string; readonly port: number }): Promise<string> {
    const { checker, log } = this.#options;
    const url = await this.#http.listen(address);
    checker.onSearch = (seconds, failure) => this.#searched(seconds, failure);
    checker.start({
      onUpdate: (reports) => {
        for (const { name, detail, cause } of reports) {
          if (detail !== undefined) log(`${name}: ${detail}`);
          if (cause !== undefined) this.#failedUpdates.add(name, cause);
        }
      },
    });
    return url;
  }

  /** Settles when what runs is answered. An update of lists that waits for the server is aborted. */
  async close(): Promise<void> {
    await Promise.all([this.#http.close(), this.#options.checker.stop({ signal: AbortSignal.abort() })]);
  }

  #answer(request: HttpRequest): Promise<HttpAnswer> | HttpAnswer {
    const route = Object.hasOwn(this.#routes, request.path) ? this.#routes[request.path] : undefined;
    if (route === undefined) throw new RpcError('NOT_FOUND', `there is no ${request.path.slice(0, 100)} here`);
    if (route.method !== request.method) throw RpcError.refused(405, `${request.path} takes ${route.method}`);
    return route.answer(request);
  }

  #count(path: string, status: number, seconds: number): void {
    this.#requests.add(Object.hasOwn(this.#routes, path) ? path : 'other', String(status));
    this.#requestTimes.add(seconds);
  }

  /** Logs that `hashes:search` is down once, however many look-ups need it, until it answers again. */
  #searched(seconds: number, failure: CheckFailure | undefined): void {
    this.#searchTimes.add(seconds);
    if (failure !== undefined && !this.#isSearchDown)
      this.#options.log(`hashes:search: ${failure.detail}; URLs that need it are unsure until it answers again`);
    this.#isSearchDown = failure !== undefined;
  }

  #status(): object {
    const { checker, ownLists } = this.#options;
    const { lists, nextUpdateAt, prefixesSent } = checker.status();
    return {
      lists: lists.map((list) => ({ ...list, updatedAt: dateOf(list.updatedAt) })),
      ownLists: ownLists.map((list) => {
        const { name, ...state } = statusOf(list);
        return { name, type: list.type, ...state };
      }),
      nextUpdateAt: dateOf(nextUpdateAt),
      verdicts: this.#checks.verdicts,
      answers: this.#checks.reasons,
      prefixesSent,
      unsureAllowed: this.#checks.allowedCount,
    };
  }

  #metrics(): HttpAnswer {
    const { checker, ownLists } = this.#options;
    const { lists, prefixesSent } = checker.status();
    const { verdicts, reasons, allowedCount } = this.#checks;
    const sizes = lists.map(({ name, size }) => [{ list: name }, size] as const);
    const freshness = lists.map(({ name, isFresh }) => [{ list: name }, Number(isFresh)] as const);
    const ages = lists.flatMap(({ name, ageMs }) =>
      ageMs === undefined ? [] : [[{ list: name }, ageMs / 1000] as const],
    );
    return metricsAnswer([
      counter('urlsum_verdicts', 'URLs answered, by verdict.', labelled('verdict', verdicts)),
      counter('urlsum_answers', 'URLs answered, by what decided.', labelled('reason', reasons)),
      counter('urlsum_unsure_allowed', 'Unsure URLs that were left out of an answer.', [[{}, allowedCount]]),
      counter('urlsum_prefixes_sent', 'Hash prefixes sent to the server.', [[{}, prefixesSent]]),
      histogram('urlsum_search_seconds', 'Durations of hashes:search.', this.#searchTimes),
      counter('urlsum_requests', 'Requests answered, by path and status.', this.#requests.samples),
      histogram('urlsum_request_seconds', 'Durations of requests.', this.#requestTimes),
      gauge('urlsum_list_prefixes', 'Prefixes in a list.', sizes),
      gauge('urlsum_list_fresh', 'Whether a list may say that a URL is safe.', freshness),
      gauge('urlsum_list_age_seconds', 'Time since the last good update.', ages),
      counter('urlsum_updates_failed', 'Updates that failed, by list and reason.', this.#failedUpdates.samples),
      troubleGauge(ownLists),
    ]);
  }

  /** Whether the lists can say that a URL is safe. */
  #health(): HttpAnswer {
    const { lists } = this.#options.checker.status();
    const old = lists.filter(({ name, isFresh }) => !isFresh && !isGlobalCache(name));
    return jsonAnswer({ status: old.length === 0 ? 'ok' : 'lists are missing or stale' }, old.length === 0 ? 200 : 503);
  }
}

/** "Clients MUST NOT send more than 50 URLs" (SearchUrlsRequest.urls). */
const MAX_URLS = 50;

/**
 * `urls:search?urls=…` of Safe Browsing v5: the URLs of the request that are listed, each once.
 *
 * @throws {RpcError}
 */
function searchUrls({ query }: HttpRequest, checks: UrlChecks): Promise<HttpAnswer> | HttpAnswer {
  mustKnow(query, ['urls']);
  const isJson = wantsJson(query);
  const urls = valuesOf(query, 'urls');
  if (urls.length === 0) throw RpcError.badField('urls', 'the parameter is missing');
  if (urls.length > MAX_URLS)
    throw RpcError.badField('urls', `there are ${urls.length}, and at most ${MAX_URLS} are taken`);
  return checks.answer(
    urls,
    (index) => `urls[${index}]`,
    undefined,
    (checked) => {
      const listed = new Map(checked.filter(({ threats }) => threats.length > 0).map((each) => [each.url, each]));
      const threats = [...listed.values()].map(({ url, threats }) => ({
        url,
        threatTypes: threats.map(({ type }) => type),
      }));
      const least = Math.min(...checked.map(({ expiresAt }) => expiresAt));
      return messageAnswer(SEARCH_URLS_RESPONSE, { threats, cacheMs: 1000 * checks.secondsLeft(least) }, isJson);
    },
  );
}

/** The messages of JavaScript's errors may quote a URL, which only a server that logs URLs may write. */
function faultText(error: unknown, mayQuote: boolean): string {
  const { name = 'unknown error', message } = Object(error) as { name?: string; message?: string };
  return mayQuote ? `${name}: ${message}` : name;
}

function labelled(name: string, counts: Readonly<Record<string, number>>): Samples {
  return Object.entries(counts).map(([label, count]) => [{ [name]: label }, count]);
}
