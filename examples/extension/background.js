// Each navigation is checked with lists in the browser. Only four bytes of the hash of what may be listed leave it.
import { SafeBrowsingChecker } from 'urlsum/safe-browsing/check';

const checker = new SafeBrowsingChecker({
  server: 'http://127.0.0.1:8080/v5/',
  procedure: 'local-list',
  lists: ['mw-4b', 'se-4b'],
  whenUnsure: 'allow', // until the lists are here, and while the server cannot be asked about a match
  store: { get: listOf, set: keepList },
});

// The browser ends a service worker that is idle: the lists outlive it, the timers that `start` would set do not.
chrome.alarms.create('update', { periodInMinutes: 1 });
chrome.alarms.onAlarm.addListener(update);
chrome.runtime.onInstalled.addListener(update);
chrome.runtime.onStartup.addListener(update);

/** Asks nothing of the server before it wants to be asked. */
async function update() {
  const failed = (await checker.update()).filter(({ status }) => status === 'failed');
  for (const { name, detail } of failed) console.warn(`${name}: ${detail}`);
}

chrome.webNavigation.onBeforeNavigate.addListener(check);
chrome.webNavigation.onCommitted.addListener(check); // where redirects have led to

async function check({ tabId, frameId, url }) {
  if (!/^https?:/.test(url)) return;
  const { isAllowed, threats } = await checker.check(url);
  const types = threats.filter(({ isFrameOnly }) => frameId !== 0 || !isFrameOnly).map(({ type }) => type);
  if (isAllowed || (threats.length > 0 && types.length === 0)) return;
  const query = new URLSearchParams({ url, why: types.join(', ') || 'no list could be asked' });
  await chrome.tabs.update(tabId, { url: `blocked.html?${query}` });
}

/** A key of this cache is a URL, of which only the end matters. */
const keyOf = (name) => `https://lists.invalid/${name}`;

async function listOf(name) {
  const response = await (await caches.open('lists')).match(keyOf(name));
  return response === undefined ? undefined : new Uint8Array(await response.arrayBuffer());
}

async function keepList(name, bytes) {
  await (await caches.open('lists')).put(keyOf(name), new Response(bytes));
}
