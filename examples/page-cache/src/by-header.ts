import { canonicalize, NoVarySearch, profileOf } from 'urlsum';
import { isForAnyone, isForEveryone } from './index.ts';

interface Context {
  waitUntil(promise: Promise<unknown>): void;
}
declare const caches: { readonly default: Cache };

export default {
  async fetch(request: Request, _env: unknown, context: Context): Promise<Response> {
    if (!isForAnyone(request)) return fetch(request);
    const header = await caches.default.match(placeOf(request.url));
    const known = await caches.default.match(keyOf(request.url, await header?.text()));
    if (known !== undefined) return known;
    const page = await fetch(request);
    if (isForEveryone(page)) context.waitUntil(keep(request.url, page.clone()));
    return page;
  },
};

/** Keeps a page under the key by its own header, and for as long the header, by which later requests are looked up. */
async function keep(url: string, page: Response): Promise<void> {
  const header = page.headers.get('No-Vary-Search') ?? '';
  const headers = { 'Cache-Control': page.headers.get('Cache-Control')! };
  await caches.default.put(placeOf(url), new Response(header, { headers }));
  await caches.default.put(keyOf(url, header), page);
}

/** The key of all URLs that a header makes equivalent. It names their form: a page of another header has another key. */
function keyOf(url: string, header: string | undefined): string {
  const options = { excludeFragment: true, noVarySearch: NoVarySearch.of(header).value };
  return keyWith({ profile: profileOf(options), url: canonicalize(url, options) });
}

/** Where the header of a page is: by its host, which may be that of one tenant, and its path. */
function placeOf(url: string): string {
  return keyWith({ page: canonicalize(url).replace(/[?#].*/s, '') });
}

/** A cache takes URLs alone: these are nobody's. */
function keyWith(facts: Record<string, string>): string {
  return `https://page-cache.invalid/?${new URLSearchParams(facts)}`;
}
