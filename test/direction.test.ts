import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FORM_FLAGS, FORM_OPTIONS } from '../src/core/url/options.ts';

const tests = suite('direction');

/** The rooms: a file imports from its own and those before it. */
const ROOMS = ['core', 'store', 'specs', 'service', 'tables', 'command', 'entries'];

/** Inside core, where data flow down this list. */
const STAGES = ['bytes', 'url', 'kernel', 'digest', 'sites', 'bulk'];

const ORDER = [
  'assembly',
  /^src\/core\/[\w-]+\.ts$/,
  ...STAGES.map((stage) => `src/core/${stage}`),
  ...ROOMS.slice(1).map((room) => `src/${room}`),
  'src/index.ts',
];

function stageOf(path: string): number {
  const stage = ORDER.findIndex((each) =>
    typeof each === 'string' ? path === each || path.startsWith(`${each}/`) : each.test(path),
  );
  assert.ok(stage !== -1, `${path} belongs to no room`);
  return stage;
}

/** The imports of each file of src, types and what is loaded later included. */
const IMPORTS = importsIn('src');

function importsIn(folder: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => [join(folder, name), importsOf(join(folder, name))]),
  );
}

/** AssemblyScript imports without an ending. */
function importsOf(file: string): string[] {
  const targets = readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+?)(?:\.ts)?'/g);
  return [...targets]
    .map(([, target]) => normalize(join(dirname(file), `${target!}.ts`)))
    .filter((target) => existsSync(target));
}

/** A circle among the nodes of a graph, the first node again at its end, or undefined. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const search = (node: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const circle = search(next, [...path, node]);
      if (circle !== undefined) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const circle = search(node, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

tests('every import goes to the same room or an earlier one', () => {
  let imports = 0;
  for (const [file, targets] of IMPORTS) {
    for (const imported of targets) {
      assert.ok(stageOf(imported) <= stageOf(file), `${file} imports ${imported}`);
      imports++;
    }
  }
  assert.ok(imports > 100, `only ${imports} imports found`);
});

tests('src has these rooms, and core these stages, beside its own files', () => {
  const foldersIn = (path: string) =>
    readdirSync(path, { withFileTypes: true })
      .filter((each) => each.isDirectory())
      .map(({ name }) => name)
      .sort();
  assert.equal(foldersIn('src'), [...ROOMS].sort());
  assert.equal(foldersIn('src/core'), [...STAGES].sort());
});

tests('core imports no module of Node', () => {
  for (const file of [...IMPORTS.keys()].filter((name) => name.startsWith('src/core/')))
    assert.not.match(readFileSync(file, 'utf8'), /(?:from|import\()\s*'node:/, file);
});

tests('what one file of the package holds for all others, one file of the sources imports', () => {
  const importers = (name: RegExp) =>
    [...IMPORTS.keys()].filter((file) => name.test(readFileSync(file, 'utf8').replaceAll(/^import type .*$/gm, '')));
  assert.equal(importers(/from '@bufbuild\//), ['src/service/lists/messages/protobuf.ts']);
  assert.equal(importers(/from 'n3'/).sort(), [
    'src/command/commands/hash-uri-make.ts',
    'src/specs/hash-uri/rdf/n3-parser.ts',
  ]);
});

/** Where the command opens a file by its path, and what that is. */
const OPENERS: Readonly<Record<string, string>> = {
  'src/command/read/inputs.ts': 'operands, and what options name',
  'src/command/write/output.ts': 'the target of --out, and terminals',
  'src/command/work/statistics.ts': '/proc',
  'src/command/arguments/diagnostics.ts': 'the package',
  'src/command/database.ts': 'what a query names, to tell files of ours',
  'src/command/commands/list-files.ts': 'the list that --out replaces',
  'src/command/commands/checker.ts': 'a file with a key',
};

tests('the command opens the path of an operand in one place', () => {
  const opening = /\b(?:openSync|readFileSync|createReadStream|readFile|open)\(/;
  const imported = /import \{[^}]*\b(?:openSync|readFileSync|createReadStream|readFile|open)\b[^}]*\} from 'node:fs/;
  const found = [...IMPORTS.keys()].filter((file) => {
    const source = readFileSync(file, 'utf8');
    return file.startsWith('src/command/') && imported.test(source) && opening.test(source);
  });
  assert.equal(found.sort(), Object.keys(OPENERS).sort());
});

tests('an option of the form is spelled in one file of src, and in no file of engines/ or tools/ that is kept', () => {
  for (const name of ['dropList', 'dropParams', 'keepParams', 'sortParams']) {
    const naming = [...IMPORTS.keys()].filter((file) => {
      const code = readFileSync(file, 'utf8').replace(/^ *(?:\/\*\*|\*|\/\/).*$/gm, '');
      return new RegExp(`\\b${name}\\b`).test(code);
    });
    const others = naming.filter((file) => file !== 'src/specs/explain/comparison.ts'); // which tries some of them
    assert.equal(others, ['src/core/url/options.ts'], name);
  }
  const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const names = FORM_OPTIONS.flatMap(({ name }) => [snakeCase(name), `--${FORM_FLAGS[name].flag}`]);
  const spelled = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?![\\w-])`);
  const built = /\/(?:tables\.py|udf_config\.xml|urlsum-serve\.mjs)$|^engines\/python\/README\.md$/;
  const aboutUnicode = /^tools\/(?:tables|checks\/notices)/; // its versions and its licence, not the option
  const kept = ['engines', 'tools']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
    .filter((path) => /\.(?:py|mjs|sh|md|toml)$|urlsum-serve$/.test(path) && !/\/tests\/|node_modules/.test(path))
    .filter((path) => !built.test(path) && !aboutUnicode.test(path));
  assert.ok(kept.length > 25, `${kept.length}`);
  assert.equal(
    kept.filter((path) => spelled.test(readFileSync(path, 'utf8'))),
    [],
  );
});

tests('no circle of files', () => {
  assert.equal(circleIn(IMPORTS), undefined);
  const assembly = importsIn('assembly');
  assert.ok([...assembly.values()].flat().length > 50);
  assert.equal(circleIn(assembly), undefined);
  assert.equal(
    circleIn(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
      ]),
    ), // what it finds where there is one
    ['b', 'c', 'b'],
  );
});

tests(
  'src/core/url asks no host for its answer: no URL, no normalize, no Unicode properties but what is well-formed',
  () => {
    for (const name of readdirSync('src/core/url')) {
      const source = readFileSync(join('src/core/url', name), 'utf8');
      assert.not.match(source, /new URL\(|URL\.(?:parse|canParse)|\.normalize\(|\\p\{(?!Surrogate)/, name);
    }
  },
);

tests.run();
