// Every block of code in the documents that users read is run, or says before it why it is not:
// CONTRIBUTING.md, "Examples in documents", has the conventions.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Consumer, consumer } from './consumer.ts';
import { type Block, documents } from './document.ts';
import { runExample, typeErrors } from './example.ts';
import { runScript, runTranscript } from './shell.ts';

const tests = suite('code in documents');

const RUN = documents().filter(({ path }) => /^(?:README|CONTRIBUTING)\.md$|^docs\//.test(path));
/** Blocks that say why they are not run. */
const NOT_RUN: Record<string, number> = {
  'CONTRIBUTING.md': 2,
  'README.md': 2,
  'docs/engines.md': 2,
  'docs/performance.md': 1,
  'docs/safe-browsing-check.md': 1,
};
/** What ran when this was last changed: fewer would mean that the blocks are no longer found. */
const LEAST = { examples: 21, values: 74, commands: 62 };
const CODE = ['ts', 'js', 'console', 'sh', 'json'];
/** Run by test/engines. */
const ON_ENGINES = ['python', 'sql'];
/** Output, grammar and drawings: not code. */
const TEXT = ['text'];

const nameOf = ({ path, line, language }: Block): string => `${path.replaceAll('/', '_')}_${line}.${language}`;

tests('every block names its language, and those not run are these', () => {
  const notRun: Record<string, number> = {};
  for (const { path, blocks } of RUN) {
    for (const { line, language, reasonNotRun } of blocks) {
      if (reasonNotRun !== undefined) notRun[path] = (notRun[path] ?? 0) + 1;
      else
        assert.ok(
          [...CODE, ...ON_ENGINES, ...TEXT].includes(language),
          `${path}:${line}: '${language}' cannot be run: say why`,
        );
    }
  }
  assert.equal(notRun, NOT_RUN);
});

tests('the examples in TypeScript and JavaScript have the types that the package declares', () => {
  const { root } = consumer();
  const blocks = RUN.flatMap((each) => each.blocks).filter(
    ({ language, reasonNotRun }) => ['ts', 'js'].includes(language) && reasonNotRun === undefined,
  );
  for (const block of blocks) writeFileSync(join(root, nameOf(block)), `${block.text}export {};\n`);
  assert.is(typeErrors(root), '');
  assert.ok(blocks.length >= LEAST.examples, `only ${blocks.length} examples`);
});

const ran = { examples: 0, values: 0, commands: 0 };

for (const document of RUN) {
  tests(`${document.path} does what it says`, () => {
    const folder = consumer();
    const failures: string[] = [];
    for (const block of document.blocks.filter(({ reasonNotRun }) => reasonNotRun === undefined)) {
      try {
        run(block, folder);
      } catch (error) {
        failures.push(`${block.path}:${block.line}: ${(error as Error).message}`);
      }
    }
    if (failures.length > 0) throw new Error(failures.join('\n\n'));
  });
}

function run(block: Block, { root, ...shell }: Consumer): void {
  const { language, text } = block;
  if (language === 'console') ran.commands += runTranscript(text, { ...shell, logs: join(root, nameOf(block)) });
  if (language === 'sh') runScript(text, shell);
  if (language === 'json') JSON.parse(text);
  if (language === 'ts' || language === 'js') {
    ran.values += runExample(text, root, nameOf(block));
    ran.examples++;
  }
}

tests('as many ran as there were', () => {
  for (const name of ['examples', 'values', 'commands'] as const) {
    assert.ok(ran[name] >= LEAST[name], `only ${ran[name]} ${name}`);
  }
});

tests.run();
