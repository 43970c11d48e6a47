import { reportAbsent } from './absent.ts';
import { CHROMIUM } from './runtimes/browser.ts';
import { Skipped } from './runtimes/row.ts';
import { found } from './runtimes/tool.ts';

/**
 * Chromium, where PATH has it; undefined, reported as absent, where not. @throws where URLSUM_BROWSER_REQUIRED=1 and
 * there is none
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
