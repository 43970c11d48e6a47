// docs/api.md is the whole list of public names: its tables have those that the built entries and their declarations
// export, and no others.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENTRIES } from '../../tools/entries.mjs';

const tests = suite('every name');

/** The limit of names of all entries together, each once: so many can be learnt. */
const MOST_NAMES = 177;

/** The names in the table below `### \`ENTRY\``. */
function documented(entry: string): string[] {
  const [, section = ''] = readFileSync('docs/api.md', 'utf8').split(`\n### \`${entry}\`\n`);
  const rows = section.split('\n### ')[0]!.matchAll(/^\| `(\w+)`/gm);
  return Array.from(rows, ([, name]) => name!).sort();
}

interface Exported {
  readonly name: string;
  readonly isType: boolean;
  /** The same for what several entries export: their declarations take it from one file. */
  readonly thing: string;
}

/** Returns what a file of declarations exports under which name, and the names of the classes that it declares. */
function declared(file: string): { readonly exported: readonly Exported[]; readonly classes: readonly string[] } {
  const { body } = parseAst(readFileSync(`dist/types/${file}.d.ts`, 'utf8'), { lang: 'dts' });
  const exported: Exported[] = [];
  const classes: string[] = [];
  const shared = new Map<string, string>();
  const nameOf = (node: object) => (node as { readonly name: string }).name;
  for (const statement of body) {
    if (statement.type === 'ClassDeclaration') classes.push(statement.id!.name);
    if (statement.type === 'ImportDeclaration')
      for (const each of statement.specifiers)
        if (each.type === 'ImportSpecifier') shared.set(each.local.name, nameOf(each.imported));
    if (statement.type !== 'ExportNamedDeclaration') continue;
    for (const { exported: name, local, exportKind } of statement.specifiers)
      exported.push({
        name: nameOf(name),
        isType: exportKind === 'type',
        thing: shared.get(nameOf(local)) ?? `${file} ${nameOf(local)}`,
      });
  }
  return { exported, classes };
}

const names = new Map(ENTRIES.map(({ name, file }) => [name, declared(file).exported]));

for (const { name: entry, file } of ENTRIES) {
  tests(`${entry}: the table has what the declarations export`, () => {
    const exported = names.get(entry)!.map(({ name }) => name);
    assert.ok(exported.length > 0, 'no export was found');
    assert.equal(documented(entry), exported.sort());
  });

  tests(`${entry}: the declarations export what the modules do`, async () => {
    const values = names.get(entry)!.filter(({ isType }) => !isType);
    const built = Object.keys((await import(resolve(`dist/esm/${file}.js`))) as object);
    assert.equal(built.sort(), values.map(({ name }) => name).sort());
  });
}

tests('no section is of an entry that there is not', () => {
  const sections = Array.from(readFileSync('docs/api.md', 'utf8').matchAll(/^### `(.+)`$/gm), ([, entry]) => entry);
  assert.equal(sections.sort(), ENTRIES.map(({ name }) => name).sort());
});

tests(`there are no more than ${MOST_NAMES}`, () => {
  const { size } = new Set([...names.values()].flat().map(({ thing }) => thing));
  assert.ok(size > ENTRIES.length && size <= MOST_NAMES, `there are ${size}`);
});

tests('no class is declared that no entry exports', () => {
  const exported = new Set([...names.values()].flat().map(({ name }) => name));
  const classes = [...ENTRIES.map(({ file }) => file), 'shared'].flatMap((file) => declared(file).classes);
  assert.ok(classes.length >= 15, `only ${classes.length} classes were found`);
  assert.equal(
    classes.filter((name) => !exported.has(name)),
    [],
  );
});

/** The kinds of declarations for which an editor shows a sentence. */
const SHOWN = [
  'ClassDeclaration',
  'FunctionDeclaration',
  'MethodDefinition',
  'PropertyDefinition',
  'TSInterfaceDeclaration',
  'TSMethodSignature',
  'TSPropertySignature',
  'TSTypeAliasDeclaration',
  'VariableDeclaration',
];

/** The first lines of what has no docstring, in the tree below a node. */
function* undocumented(code: string, node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { type, start, accessibility, key } = node as Record<string, unknown>;
  // a type that is compared with, not one that has members
  if (type === 'TSConditionalType') return;
  const isHidden = accessibility === 'private' || (key as { readonly type?: string })?.type === 'PrivateIdentifier';
  if (SHOWN.includes(type as string) && !isHidden && !/\*\/\s*(?:declare )?$/.test(code.slice(0, start as number)))
    yield code.slice(start as number).split('\n', 1)[0]!;
  for (const child of Object.values(node)) yield* undocumented(code, child);
}

tests('every name, member and option that an editor shows has a sentence', () => {
  for (const file of [...ENTRIES.map(({ file }) => file), 'shared']) {
    const code = readFileSync(`dist/types/${file}.d.ts`, 'utf8');
    assert.equal([...undocumented(code, parseAst(code, { lang: 'dts' }))], [], file);
  }
});

tests.run();
