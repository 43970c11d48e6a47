// Every block of code in the documents that users read is run, or says before it why it is not:
// CONTRIBUTING.md, "Examples in documents", has the conventions.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Consumer, consumer } from './consumer.ts';
import { type Block, documents } from './document.ts';
import { runExamples, typeErrors } from './example.ts';
import { runScript, runTranscript } from './shell.ts';

const tests = suite('code in documents');

const RUN = documents().filter(({ path }) => /^(?:README|CONTRIBUTING)\.md$|^docs\//.test(path));
const CODE = ['ts', 'js', 'console', 'sh', 'json'];
/** Run by test/engines. */
const ON_ENGINES = ['python', 'sql'];
/** Output, grammar and drawings: not code. */
const TEXT = ['text'];

/** How often a pattern occurs in the fenced blocks of some languages that are run, by a reader of its own. */
function countOf(languages: string, pattern: RegExp): number {
  const fence = new RegExp('(?:<!-- not run: [^\n]*-->\\n\\n)?^```(?:' + languages + ')\\n(.*?)^```$', 'gms');
  const texts = RUN.flatMap(({ text }) => [...text.matchAll(fence)]).filter(([all]) => !all!.startsWith('<!--'));
  return texts.reduce((sum, [, text]) => sum + (text!.match(pattern)?.length ?? 0), 0);
}

const nameOf = ({ path, line, language }: Block): string => `${path.replaceAll('/', '_')}_${line}.${language}`;

tests('every block names its language, and each comment on one that is not run stands before a block', () => {
  for (const { path, text, blocks } of RUN) {
    for (const { line, language, reasonNotRun } of blocks)
      assert.ok(
        reasonNotRun !== undefined || [...CODE, ...ON_ENGINES, ...TEXT].includes(language),
        `${path}:${line}: '${language}' cannot be run: say why`,
      );
    const notRun = blocks.filter(({ reasonNotRun }) => reasonNotRun !== undefined);
    assert.is(notRun.length, text.match(/^<!-- not run: .+ -->$/gm)?.length ?? 0, path);
  }
});

tests('the examples in TypeScript and JavaScript have the types that the package declares', () => {
  const { root } = consumer();
  const blocks = RUN.flatMap((each) => each.blocks).filter(
    (block) => isExample(block) && block.reasonNotRun === undefined,
  );
  for (const block of blocks) writeFileSync(join(root, nameOf(block)), `${block.text}export {};\n`);
  assert.is(typeErrors(root), '');
  assert.is(blocks.length, countOf('ts|js', /^.*$/s));
});

const ran = { examples: 0, values: 0, commands: 0 };

for (const document of RUN) {
  tests(`${document.path} does what it says`, () => {
    const folder = consumer();
    const failures: string[] = [];
    for (const blocks of groupsOf(document.blocks.filter(({ reasonNotRun }) => reasonNotRun === undefined))) {
      try {
        if (isExample(blocks[0]!)) failures.push(...runAll(blocks, folder));
        else run(blocks[0]!, folder);
      } catch (error) {
        failures.push(`${blocks[0]!.path}:${blocks[0]!.line}: ${(error as Error).message}`);
      }
    }
    if (failures.length > 0) throw new Error(failures.join('\n\n'));
  });
}

const isExample = ({ language }: Block): boolean => language === 'ts' || language === 'js';

/** Examples that follow one another are run together, each other block alone. */
function groupsOf(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const before = groups.at(-1);
    if (before !== undefined && isExample(before[0]!) && isExample(block)) before.push(block);
    else groups.push([block]);
  }
  return groups;
}

function runAll(examples: readonly Block[], { root }: Consumer): readonly string[] {
  const { valueCount, failures } = runExamples(
    examples.map((block) => ({ text: block.text, name: nameOf(block) })),
    root,
  );
  ran.values += valueCount;
  ran.examples += examples.length;
  return failures;
}

function run(block: Block, { root, ...shell }: Consumer): void {
  const { language, text, printed } = block;
  if (language === 'console') ran.commands += runTranscript(text, { ...shell, logs: join(root, nameOf(block)) });
  if (language === 'sh') runScript(text, shell, printed);
  if (language === 'json') JSON.parse(text);
}

tests('the Worker of the cookbook is examples/page-cache, which test/runtimes runs in workerd', () => {
  const { blocks } = RUN.find(({ path }) => path === 'docs/cookbook.md')!;
  const worker = blocks.filter(({ text }) => text.includes('caches.default'));
  assert.equal(
    worker.map(({ text }) => text),
    [readFileSync('examples/page-cache/src/index.ts', 'utf8')],
  );
});

tests('as many ran as there are', () => {
  const there = {
    examples: countOf('ts|js', /^.*$/s),
    values: countOf('ts|js', /\/\/=> /g),
    commands: countOf('console', /^\$ /gm),
  };
  assert.equal(ran, there);
  assert.ok(Object.values(there).every((count) => count > 0));
});

tests.run();
