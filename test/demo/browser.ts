import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type { Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--headless',
];

/** Loaded by Node itself: the bundler of the tests would take it apart. */
export const requireFromNode = createRequire(import.meta.url);

/** Chromium, where PATH has it; undefined, said loudly, where not. @throws where URLSUM_BROWSER_REQUIRED=1 and there is none */
export async function openBrowser(): Promise<Browser | undefined> {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
  if (path === undefined) {
    if (process.env['URLSUM_BROWSER_REQUIRED'] === '1')
      throw new Error(`none of ${NAMES.join(', ')} is on PATH, and URLSUM_BROWSER_REQUIRED=1`);
    console.log(`\n!!! none of ${NAMES.join(', ')} is on PATH: the tests of the page did not run\n`);
    return undefined;
  }
  const playwright = requireFromNode('playwright-core') as { readonly chromium: typeof chromium };
  return playwright.chromium.launch({ executablePath: path, args: ARGUMENTS });
}
