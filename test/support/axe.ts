import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { requireFromNode } from './chromium.ts';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
  readonly passes: readonly unknown[];
}

/** All rules in the light theme; in the dark one, which changes colors alone, those of colors. */
const THEMES = [
  ['light', '{}', 20],
  ['dark', "{ runOnly: ['color-contrast'] }", 0],
] as const;

/** Checks that axe finds nothing in a page, in either theme. */
export async function axe(page: Page, when: string): Promise<void> {
  await page.evaluate(readFileSync(requireFromNode.resolve('axe-core/axe.min.js'), 'utf8'));
  for (const [colorScheme, options, ruleCount] of THEMES) {
    await page.emulateMedia({ colorScheme });
    const { violations, passes } = await page.evaluate<AxeResult>(`axe.run(${options})`);
    assert.ok(passes.length > ruleCount, `axe checked only ${passes.length} rules`);
    const sentences = violations.map(
      ({ id, nodes }) => `${id} in ${nodes.length} places, first ${nodes[0]!.html}: ${nodes[0]!.failureSummary}`,
    );
    assert.equal(sentences, [], `${when}, ${colorScheme}`);
  }
}
