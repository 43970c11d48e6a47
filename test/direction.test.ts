import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const tests = suite('direction');

/** Data flows down this list: a file imports from its own stage and those before it. */
const STAGES = [
  'assembly',
  'src/argument.ts',
  'src/abort-signal.ts',
  'src/dispose.ts',
  'src/error.ts',
  'src/builtin-module.ts',
  'src/node-module.ts',
  'src/standard-streams.ts',
  'src/temporary-file.ts',
  'src/bytes',
  'src/url',
  'src/kernel',
  'src/digest',
  'src/site',
  'src/bulk',
  'src/hash-index',
  'src/pool',
  'src/hashed-uri',
  'src/hash-uri',
  'src/index.ts',
  'src/safe-browsing',
  'src/place',
  'src/explain',
  'src/entries',
  'src/http',
  'src/serve',
  'src/cli',
];

function stageOf(path: string): number {
  const stage = STAGES.findIndex((each) => path === each || path.startsWith(`${each}/`));
  assert.ok(stage !== -1, `${path} belongs to no stage`);
  return stage;
}

/** What each file of src imports, types and what is loaded later included. */
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

tests('every import goes to the same stage or an earlier one', () => {
  let imports = 0;
  for (const [file, targets] of IMPORTS) {
    for (const imported of targets) {
      assert.ok(stageOf(imported) <= stageOf(file), `${file} imports ${imported}`);
      imports++;
    }
  }
  assert.ok(imports > 100, `only ${imports} imports found`);
});

/** Open to all files, having no invariants: bytes, layouts of memory, and the files of src itself. */
const OPEN = /^src\/bytes\/|^assembly\/(?:.+\/)?layout\.ts$|^src\/[\w-]+\.ts$/;
const INDEX = /^src\/(?!entries\/).+\/index\.ts$/;

/** The imports of the command's two folders from others: [file, target]. */
const ENTERED = [...IMPORTS].flatMap(([file, targets]) => {
  const [folder] = /^src\/(?:cli|serve)\//.exec(file) ?? [];
  const others = folder === undefined ? [] : targets.filter((target) => !target.startsWith(folder));
  return others.map((target) => [file, target] as const);
});

tests('src/cli and src/serve import other folders by their index.ts only', () => {
  const inner = ENTERED.filter(([, target]) => !OPEN.test(target) && !INDEX.test(target));
  assert.equal(inner, []);
  assert.ok(new Set(ENTERED.map(([, target]) => target).filter((target) => INDEX.test(target))).size > 10);
});

/** The names in braces of what a file imports from `target`, or of all that it exports, types included. */
function namesIn(file: string, target?: string): string[] {
  const statements = readFileSync(file, 'utf8').matchAll(
    /\b(?:import|export|const) (?:type )?\{([^}]*)\} (?:from |= await import\()'([^']+)'/g,
  );
  return [...statements]
    .filter(([, , path]) => target === undefined || normalize(join(dirname(file), path!)) === target)
    .flatMap(([, names]) => [...names!.matchAll(/(?:^|,)\s*(?:type )?(\w+)/g)].map(([, name]) => name!));
}

tests('an inner index.ts exports what the command uses, and nothing else', () => {
  for (const index of [...IMPORTS.keys()].filter((file) => INDEX.test(file))) {
    const users = new Set(ENTERED.filter(([, target]) => target === index).map(([file]) => file));
    const used = new Set([...users].flatMap((file) => namesIn(file, index)));
    assert.equal(namesIn(index).sort(), [...used].sort(), index);
    assert.equal(readFileSync(index, 'utf8').match(/^(?!\/\/|export (?:type )?\{| {2}\S|\} from|$).*/gm), null, index);
  }
});

tests('what one file of the package holds for all others, one file of the sources imports', () => {
  const importers = (name: RegExp) =>
    [...IMPORTS.keys()].filter((file) => name.test(readFileSync(file, 'utf8').replaceAll(/^import type .*$/gm, '')));
  assert.equal(importers(/from '@bufbuild\//), ['src/safe-browsing/lists/messages/protobuf.ts']);
  assert.equal(importers(/from 'n3'/).sort(), ['src/cli/commands/hash-uri/make.ts', 'src/hash-uri/rdf/n3-parser.ts']);
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

tests('src/cli: at most six files outside of its folders, and no circle of folders', () => {
  const folderOf = (file: string) => /^src\/cli\/([^/]+)\//.exec(file)?.[1];
  const files = [...IMPORTS.keys()].filter((file) => file.startsWith('src/cli/'));
  const outside = files.filter((file) => folderOf(file) === undefined);
  assert.ok(outside.length <= 6, outside.join(', '));
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = folderOf(file) ?? file;
    const targets = IMPORTS.get(file)!.filter((target) => target.startsWith('src/cli/'));
    const others = targets.map((target) => folderOf(target) ?? target).filter((other) => other !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  assert.equal(circleIn(folders), undefined);
});

tests(
  'src/url asks no host for its answer: no URL, no normalize, no Unicode properties but what is well-formed',
  () => {
    for (const name of readdirSync('src/url')) {
      const source = readFileSync(join('src/url', name), 'utf8');
      assert.not.match(source, /new URL\(|URL\.(?:parse|canParse)|\.normalize\(|\\p\{(?!Surrogate)/, name);
    }
  },
);

tests.run();
