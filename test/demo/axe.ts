import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { requireFromNode } from './browser.ts';

export interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
  readonly passes: readonly unknown[];
}

export function axeSource(): string {
  return readFileSync(requireFromNode.resolve('axe-core/axe.min.js'), 'utf8');
}

export function mustFindNothing({ violations, passes }: AxeResult, ruleCount: number, when: string): void {
  assert.ok(passes.length > ruleCount, `axe checked only ${passes.length} rules`);
  const sentences = violations.map(
    ({ id, nodes }) => `${id} in ${nodes.length} places, first ${nodes[0]!.html}: ${nodes[0]!.failureSummary}`,
  );
  assert.equal(sentences, [], when);
}

/** All rules in the light theme; in the dark one, which changes colors alone, those of colors. */
export async function axe(page: Page, when: string): Promise<void> {
  await page.evaluate(axeSource());
  for (const [colorScheme, options, ruleCount] of [
    ['light', '{}', 20],
    ['dark', "{ runOnly: ['color-contrast'] }", 0],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    mustFindNothing(await page.evaluate<AxeResult>(`axe.run(${options})`), ruleCount, `${when}, ${colorScheme}`);
  }
}
