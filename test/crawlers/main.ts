// Recipes of docs/cookbook.md for packages that no other test installs, with the packages: `npm run test:long -- crawlers`.
// They are 140, so it is not one of the tests that every change runs. test/engines runs the recipes in Python.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { consumer } from '../docs/consumer.ts';
import { documents } from '../docs/document.ts';
import { runExamples, typeErrors } from '../docs/example.ts';
import { runAll } from '../support/long-runs.ts';
import { outputOf } from '../support/programs.ts';

/** Packages, and how many blocks import the first of each row. */
const RECIPES = [
  { packages: ['@crawlee/core@3.18.1'], blockCount: 2 },
  { packages: ['undici@7.30.2', 'workbox-core@7.4.1'], blockCount: 1 },
] as const;

const nameOf = (specifier: string) => specifier.replace(/@[\d.]+$/, '');

/** Types and values of the blocks that import a package. */
function recipe({ packages, blockCount }: (typeof RECIPES)[number]): string {
  const { blocks } = documents().find(({ path }) => path === 'docs/cookbook.md')!;
  const found = blocks.filter(({ text }) => text.includes(`from '${nameOf(packages[0])}'`));
  assert.is(found.length, blockCount);
  const folder = mkdtempSync(join(tmpdir(), 'urlsum-recipes-'));
  const links: string[] = [];
  try {
    outputOf('npm', ['install', '--silent', '--no-save', '--prefix', folder, ...packages]);
    const { root } = consumer();
    for (const name of packages.map(nameOf)) {
      const link = join(root, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(folder, 'node_modules', name), link);
      links.push(link);
    }
    const texts = found.map(({ text }, at) => ({ text, name: `recipe-${at}` }));
    for (const { text, name } of texts) writeFileSync(join(root, `${name}.ts`), `${text}export {};\n`);
    assert.is(typeErrors(root), '');
    const { valueCount, failures } = runExamples(texts, root);
    assert.equal(failures, []);
    for (const file of readdirSync(root).filter((name) => name.startsWith('recipe-'))) rmSync(join(root, file));
    return `${valueCount} values`;
  } finally {
    for (const link of links) rmSync(link);
    rmSync(folder, { recursive: true });
  }
}

await runAll(RECIPES.map((each) => [`the recipe for ${nameOf(each.packages[0])}`, 1, () => recipe(each)]));
