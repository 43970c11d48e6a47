// The recipe for Crawlee in docs/cookbook.md, with the package: `npm run test:long -- crawlers`. It installs 130 packages, so it
// is not one of the tests that every change runs. test/engines runs that for Scrapy.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { consumer } from '../docs/consumer.ts';
import { documents } from '../docs/document.ts';
import { runExamples, typeErrors } from '../docs/example.ts';
import { outputOf } from '../rdf/folder.ts';
import { runAll } from '../support/long-runs.ts';

const CRAWLEE = '@crawlee/core@3.18.1';

/** Types and values of the one block that imports Crawlee. */
function crawlee(): string {
  const { blocks } = documents().find(({ path }) => path === 'docs/cookbook.md')!;
  const [block, ...others] = blocks.filter(({ text }) => text.includes("from '@crawlee/core'"));
  assert.is(others.length, 0);
  const folder = mkdtempSync(join(tmpdir(), 'urlsum-crawlee-'));
  try {
    outputOf('npm', ['install', '--silent', '--no-save', '--prefix', folder, CRAWLEE]);
    const { root } = consumer();
    symlinkSync(join(folder, 'node_modules/@crawlee'), join(root, 'node_modules/@crawlee'));
    writeFileSync(join(root, 'crawlee.ts'), `${block!.text}export {};\n`);
    assert.is(typeErrors(root), '');
    const { valueCount, failures } = runExamples([{ text: block!.text, name: 'crawlee' }], root);
    assert.equal(failures, []);
    return `${valueCount} values`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await runAll([['the recipe for Crawlee', 1, crawlee]]);
