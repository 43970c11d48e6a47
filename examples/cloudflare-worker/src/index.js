// GET /hash?url=…    the identity of a URL
// GET /check?url=…   whether a list of unsafe URLs may hold it
import { canonicalize, PROFILE, UrlHash, UrlsumError } from 'urlsum';
import { mayBeListed } from './blocklist.js';

const ROUTES = {
  '/hash': (url) => {
    const hash = UrlHash.of(url);
    return { profile: PROFILE, canonical: canonicalize(url), sha256: hash.hex, words: hash.words.map(String) };
  },
  '/check': (url) => ({ url, verdict: mayBeListed(url) ? 'ask' : 'safe' }),
};

export default {
  fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const route = ROUTES[pathname];
    const url = searchParams.get('url');
    if (route === undefined) return Response.json({ error: `there is no ${pathname}` }, { status: 404 });
    if (url === null) return Response.json({ error: 'the parameter url is missing' }, { status: 400 });
    return answer(route, url);
  },
};

/** What is not a URL is the caller's mistake: both kinds of error say where it lies and why. */
function answer(route, url) {
  try {
    return Response.json(route(url));
  } catch (error) {
    if (!(error instanceof UrlsumError)) throw error;
    const { message, input, place, reason } = error;
    return Response.json({ error: message, input, place, reason }, { status: 400 });
  }
}
