import { type Browser, CHROMIUM, FIREFOX, versionOf, visit } from '../browser.ts';
import type { Consumers } from '../consumer.ts';
import { bundlePages, type Page, PAGES } from '../pages.ts';
import type { Outcome } from '../probe/outcome.ts';
import type { Runtime } from '../runtime.ts';

/** Every page in every browser: one start of each, and the bundles made once, when the first row asks. */
export async function browsers(consumers: Consumers): Promise<Runtime[]> {
  const bundled = once(() => bundlePages(consumers));
  const rows = [CHROMIUM, FIREFOX].map(async (browser) => {
    const host = await versionOf(browser);
    const visited = once(() => visitAll(browser, consumers, bundled));
    return PAGES.map((page) => ({ host, way: page.way, kernel: page.kernel, outcome: async () => sentBy(page, await visited()) }));
  });
  return (await Promise.all(rows)).flat();
}

async function visitAll(browser: Browser, { module }: Consumers, bundled: () => Promise<void>): Promise<ReadonlyMap<string, string>> {
  await bundled();
  return visit(browser, module, PAGES.map(({ name }) => `/pages/${name}`));
}

function sentBy({ name }: Page, received: ReadonlyMap<string, string>): Outcome {
  const outcome = JSON.parse(received.get(`/pages/${name}`) ?? '{ "error": "the page sent nothing" }') as Outcome | { readonly error: string };
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
