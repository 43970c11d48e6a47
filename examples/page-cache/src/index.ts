import { canonicalize } from 'urlsum';

/** Yours: the parameters that a page depends on, and whether their order is without effect. */
const PAGE = { keepParams: ['id', 'page'], sortParams: true };

interface Context {
  waitUntil(promise: Promise<unknown>): void;
}
declare const caches: { readonly default: Cache };

export default {
  async fetch(request: Request, _env: unknown, context: Context): Promise<Response> {
    if (!isForAnyone(request)) return fetch(request);
    const url = canonicalize(request.url, PAGE);
    const known = await caches.default.match(url);
    if (known !== undefined) return known;
    const page = await fetch(new Request(url, request)); // by this URL, so no other parameter can change the page
    if (isForEveryone(page)) context.waitUntil(caches.default.put(url, page.clone()));
    return page;
  },
};

/** A part of a page, and a page for one user, go past the cache; so does whoever reloads. */
export function isForAnyone({ method, headers }: Request): boolean {
  const isPersonal = ['Range', 'Authorization', 'Cookie'].some((name) => headers.has(name));
  return method === 'GET' && !isPersonal && !/no-cache|no-store/i.test(headers.get('Cache-Control') ?? '');
}

/** A page whose origin says how long it may be kept, and for whom: for all. */
export function isForEveryone({ status, headers }: Response): boolean {
  const control = headers.get('Cache-Control') ?? '';
  const isPublic = /max-?age=[1-9]/i.test(control) && !/private|no-cache|no-store/i.test(control);
  const varies = !/^(?:accept-encoding)?$/i.test(headers.get('Vary') ?? '');
  return status === 200 && isPublic && !varies && !headers.has('Set-Cookie');
}
