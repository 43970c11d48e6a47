import { createRequire } from 'node:module';
import type { Browser, chromium } from 'playwright-core';
import { CHROMIUM } from '../runtimes/browser.ts';
import { Skipped } from '../runtimes/row.ts';
import { found } from '../runtimes/tool.ts';
import { reportAbsent } from './absent.ts';

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
 * The path of Chromium; undefined, reported as absent, if it is not on PATH. @throws if it is not and
 * URLSUM_BROWSER_REQUIRED=1
 */
export function chromiumPath(): string | undefined {
  try {
    return found(CHROMIUM.commands);
  } catch (error) {
    if (!(error instanceof Skipped) || process.env['URLSUM_BROWSER_REQUIRED'] === '1') throw error;
    reportAbsent('a Chromium on PATH');
    return undefined;
  }
}

/** Opens the browser; undefined where `chromiumPath` is. */
export async function openBrowser(): Promise<Browser | undefined> {
  const path = chromiumPath();
  if (path === undefined) return undefined;
  const playwright = requireFromNode('playwright-core') as { readonly chromium: typeof chromium };
  return playwright.chromium.launch({ executablePath: path, args: ARGUMENTS });
}
