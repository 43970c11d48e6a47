import { CHROMIUM } from '../runtimes/browser.ts';
import { Skipped } from '../runtimes/row.ts';
import { found } from '../runtimes/tool.ts';
import { reportAbsent } from './absent.ts';

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
