import { SEARCH_URLS_RESPONSE } from '../lists/messages/search-urls.ts';
import type { HttpAnswer, HttpRequest } from './http-server.ts';
import { messageAnswer, mustKnow, wantsJson } from './method.ts';
import { valuesOf } from './query.ts';
import { RpcError } from './rpc-error.ts';
import type { UrlChecks } from './url-checks.ts';

/** "Clients MUST NOT send more than 50 URLs" (SearchUrlsRequest.urls). */
const MAX_URLS = 50;

/**
 * `urls:search?urls=…` of Safe Browsing v5: the URLs of the request that are listed, each once.
 *
 * @throws {RpcError}
 */
export async function searchUrls({ query }: HttpRequest, checks: UrlChecks): Promise<HttpAnswer> {
  mustKnow(query, ['urls']);
  const isJson = wantsJson(query);
  const urls = valuesOf(query, 'urls');
  if (urls.length === 0) throw RpcError.badField('urls', 'the parameter is missing');
  if (urls.length > MAX_URLS)
    throw RpcError.badField('urls', `there are ${urls.length}, and at most ${MAX_URLS} are taken`);
  const checked = await checks.of(urls, (index) => `urls[${index}]`);
  const listed = new Map(checked.filter(({ threats }) => threats.length > 0).map((each) => [each.url, each]));
  const threats = [...listed.values()].map(({ url, threats }) => ({
    url,
    threatTypes: threats.map(({ type }) => type),
  }));
  const least = Math.min(...checked.map(({ expiresAt }) => expiresAt));
  return messageAnswer(SEARCH_URLS_RESPONSE, { threats, cacheMs: 1000 * checks.secondsLeft(least) }, isJson);
}
