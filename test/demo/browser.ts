import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type { Browser, chromium } from 'playwright-core';
import { reportAbsent } from '../absent.ts';

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

/**
 * Chromium, where PATH has it; undefined, reported as absent, where not. @throws where URLSUM_BROWSER_REQUIRED=1 and
 * there is none
 */
export async function openBrowser(): Promise<Browser | undefined> {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
  if (path === undefined) {
    if (process.env['URLSUM_BROWSER_REQUIRED'] === '1')
      throw new Error(`none of ${NAMES.join(', ')} is on PATH, and URLSUM_BROWSER_REQUIRED=1`);
    reportAbsent('a Chromium on PATH');
    return undefined;
  }
  const playwright = requireFromNode('playwright-core') as { readonly chromium: typeof chromium };
  return playwright.chromium.launch({ executablePath: path, args: ARGUMENTS });
}
