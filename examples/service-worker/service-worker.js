// A link's card is fetched once, however the link is spelled: the cache's key is the hash of its canonical form.
import { canonicalize, UrlHash } from 'urlsum';

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { pathname, searchParams } = new URL(event.request.url);
  if (pathname.endsWith('/card.json')) event.respondWith(cardOf(searchParams.get('link')));
});

async function cardOf(link) {
  const key = `card/${UrlHash.of(link).hex}`;
  const cards = await caches.open('cards');
  const known = await cards.match(key);
  if (known !== undefined) return known;
  const card = await fetch(`card.json?link=${encodeURIComponent(canonicalize(link))}`);
  if (card.ok) await cards.put(key, new Response(await card.clone().blob(), { headers: { 'x-from': 'the cache' } }));
  return card;
}
