import { createRequire } from 'node:module';
import type { Browser, chromium } from 'playwright-core';
import { chromiumPath } from '../support/chromium.ts';

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

/** `undefined` if Chromium is not on PATH. @throws if it is not and URLSUM_BROWSER_REQUIRED=1 */
export async function openBrowser(): Promise<Browser | undefined> {
  const path = chromiumPath();
  if (path === undefined) return undefined;
  const playwright = requireFromNode('playwright-core') as { readonly chromium: typeof chromium };
  return playwright.chromium.launch({ executablePath: path, args: ARGUMENTS });
}
