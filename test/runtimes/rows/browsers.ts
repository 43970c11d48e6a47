import { equal, match } from 'node:assert/strict';
import { type Browser, CHROMIUM, FIREFOX, versionOf } from '../browser.ts';
import type { Consumers } from '../consumer.ts';
import { bundlePages, PAGES, type Page, pathOf, SERVICE_WORKER_PATH } from '../pages.ts';
import type { Outcome } from '../probe/outcome.ts';
import type { Row } from '../row.ts';
import type { Runtime } from '../runtime.ts';
import { type Visit, visit } from '../visit.ts';

export interface BrowserRows {
  readonly runtimes: readonly Runtime[];
  readonly serviceWorkers: readonly Row[];
}

/** Every page in every browser. Each is started once, and the bundles are made once, when the first row asks. */
export async function browsers(consumers: Consumers): Promise<BrowserRows> {
  const bundled = once(() => bundlePages(consumers));
  const visitors = await Promise.all([CHROMIUM, FIREFOX].map((browser) => visitor(browser, consumers, bundled)));
  return {
    runtimes: PAGES.flatMap((page) => visitors.map(({ host, visited }) => pageRuntime(page, host, visited))),
    serviceWorkers: visitors.map(({ host, visited }) => {
      return { name: `examples/service-worker in ${host}`, run: async () => cached(await visited()) };
    }),
  };
}

async function visitor(browser: Browser, { module }: Consumers, bundled: () => Promise<void>) {
  const paths = [...PAGES.map(pathOf), SERVICE_WORKER_PATH];
  const visited = once(async () => {
    await bundled();
    return visit(browser, module, paths);
  });
  return { host: await versionOf(browser), visited };
}

function pageRuntime(page: Page, host: string, visited: () => Promise<Visit>): Runtime {
  const { use, kernel } = page;
  return { host, use, kernel, outcome: async () => sentBy(page, await visited()) };
}

function sentBy(page: Page, { received }: Visit): Outcome {
  const outcome = JSON.parse(received.get(pathOf(page)) ?? '{ "error": "the page sent nothing" }') as
    | Outcome
    | { readonly error: string };
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome;
}

/** The page asks for the cards of three links, the first two of which are one URL. */
function cached({ received, requested }: Visit): string {
  const said = received.get(SERVICE_WORKER_PATH) ?? 'nothing';
  const requests = requested.filter((url) => url.includes('/card.json'));
  match(said, /a b: from the network\n.*a%20b: from the cache\n.*other: from the network$/);
  equal(requests.length, 2, requests.join(' '));
  return '3 links, 2 requests';
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
