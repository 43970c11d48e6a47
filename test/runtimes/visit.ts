import { type Browser, open } from './browser.ts';
import { Site } from './site.ts';

/** So long that only a browser that has died takes it: all pages take 30 seconds of an idle processor. */
const VISIT_SECONDS = 900;

export interface Visit {
  /** The text that each page has sent back, by its path. */
  readonly received: ReadonlyMap<string, string>;
  /** All that the browser has asked for. */
  readonly requested: readonly string[];
}

/** Opens the pages in one start of the browser. */
export async function visit(browser: Browser, folder: string, pages: readonly string[]): Promise<Visit> {
  const site = new Site(folder, pages);
  const process = open(browser, await site.open());
  const timeout = AbortSignal.timeout(VISIT_SECONDS * 1000);
  try {
    await Promise.race([site.finished, new Promise((resolve) => timeout.addEventListener('abort', resolve))]);
    return site;
  } finally {
    await process.stop();
    site.close();
  }
}
