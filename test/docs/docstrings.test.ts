// The examples in docstrings, which the API reference shows: they need no imports, have the types that the package
// declares and give what they say.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENTRIES } from '../../tools/entries.mjs';
import { consumer } from './consumer.ts';
import { type DocExample, docExamples, docstringOf } from './docstring.ts';
import { runExamples, typeErrors } from './example.ts';

const tests = suite('examples in docstrings');

type Entry = (typeof ENTRIES)[number];
const [INDEX] = ENTRIES as [Entry];
const exportsOf = async ({ file }: Entry): Promise<Record<string, unknown>> =>
  (await import(`${process.cwd()}/dist/esm/${file}.js`)) as Record<string, unknown>;

/** Whether an example is run: those of hash-index open a file that is not there. */
const isRun = ({ path }: DocExample) => !path.startsWith('src/store/hash-index/');
const examples = docExamples().filter(isRun);

/** The entries that export from the file of an example, and those above them: of `urlsum/hash-uri/rdf`, two. */
function entriesOf(path: string): Entry[] {
  const own = ENTRIES.filter(({ source }) => readFileSync(source, 'utf8').includes(path.slice('src'.length)));
  return ENTRIES.filter((entry) => entry !== INDEX && own.some(({ name }) => `${name}/`.startsWith(`${entry.name}/`)));
}

/** Imports what the example names: from its own entry or one above that, else from `urlsum`. */
async function withImports({ path, text }: DocExample): Promise<string> {
  const names = new Set(text.match(/\b[A-Za-z]\w+\b/g));
  const imports: string[] = [];
  for (const entry of [...entriesOf(path).reverse(), INDEX]) {
    const found = Object.keys(await exportsOf(entry)).filter((name) => names.delete(name));
    if (found.length > 0) imports.push(`import { ${found.join(', ')} } from '${entry.name}';`);
  }
  return `${imports.join(' ')}\n${text}export {};\n`;
}

const nameOf = ({ path, line }: DocExample) => `${path.replaceAll('/', '_')}_${line}`;

tests('every function and class that is exported has an example', async () => {
  const lacking: string[] = [];
  for (const entry of ENTRIES) {
    for (const [name, value] of Object.entries(await exportsOf(entry))) {
      const docstring = docstringOf(entry.source, name) ?? '';
      const isError = value instanceof Function && value.prototype instanceof Error;
      const isNeeded = typeof value === 'function' && !isError && !docstring.includes('@deprecated');
      if (isNeeded && !docstring.includes('@example')) lacking.push(`${entry.name} ${name}`);
    }
  }
  assert.equal(lacking, []);
});

tests('their types are right', async () => {
  const { root } = consumer();
  for (const each of examples) writeFileSync(join(root, `${nameOf(each)}.ts`), await withImports(each));
  assert.is(typeErrors(root), '');
});

tests('they give what they say', async () => {
  const { root } = consumer();
  const texts = await Promise.all(examples.map(withImports));
  const silent = examples.filter((_, index) => !texts[index]!.includes('//=> ')).map(nameOf);
  assert.equal(silent, [], 'no value is given after //=>');
  const { failures } = runExamples(
    examples.map((each, index) => ({ text: texts[index]!, name: nameOf(each) })),
    root,
  );
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
  assert.ok(examples.length >= 12, `only ${examples.length} examples`);
});

tests.run();
