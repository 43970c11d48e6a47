import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { documents } from './document.ts';

const tests = suite('documents');
const all = documents();
const byPath = new Map(all.map((document) => [document.path, document]));

tests('every relative link goes to a file that is there, and to a heading in it', () => {
  let count = 0;
  for (const { path, links } of all) {
    for (const link of links.filter((each) => !/^[a-z]+:/.test(each))) {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : normalize(join(dirname(path), decodeURI(file)));
      assert.ok(existsSync(target), `${path}: ${link} is not there`);
      if (anchor !== undefined) assert.ok(byPath.get(target)?.anchors.has(anchor), `${path}: ${link}: no such heading`);
      count++;
    }
  }
  assert.ok(count >= 3, `only ${count} links`);
});

/** The files of the package, once asked for. */
const packedPaths = once(() => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8', stdio: 'pipe' }),
  ) as [{ readonly files: readonly { readonly path: string }[] }];
  return packed.files.map(({ path }) => path);
});

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

tests('documents of the package link to files of the package', () => {
  const paths = packedPaths();
  const shipped = all.filter(({ path }) => paths.includes(path));
  assert.ok(shipped.length > 10, `${shipped.length} documents`);
  for (const { path, links } of shipped) {
    for (const link of links.filter((each) => !/^[a-z]+:|^#/.test(each))) {
      const target = normalize(join(dirname(path), decodeURI(link.replace(/#.*/, ''))));
      const isPacked = paths.some((each) => each === target || each.startsWith(`${target}/`));
      assert.ok(isPacked, `${path}: ${link} is not in the package`);
    }
  }
});

/** A path in the project, in prose or in a drawing. */
const PATH = /(?:^|(?<=\s))(?:src|assembly|test|bench|docs|demo|vectors|examples|tools)\/[\w./-]*/g;

tests('every file that is named in code spans and drawings is there', () => {
  let count = 0;
  for (const { path, spans, blocks } of all) {
    const drawings = blocks.filter(({ language }) => language === 'text').map(({ text }) => text);
    for (const name of [...spans, ...drawings].flatMap((text) => text.match(PATH) ?? [])) {
      assert.ok(existsSync(name), `${path}: ${name} is not there`);
      count++;
    }
  }
  assert.ok(count >= 50, `only ${count} names`);
});

tests('documents of the package name files of the package, but for commands that are run in a clone', () => {
  const paths = packedPaths();
  let count = 0;
  for (const { path, spans } of all.filter((document) => paths.includes(document.path)))
    for (const name of spans.filter((span) => !/^(?:node|npm) /.test(span)).flatMap((span) => span.match(PATH) ?? [])) {
      const isPacked = paths.some((each) => each === name || each.startsWith(name.replace(/\/?$/, '/')));
      assert.ok(isPacked, `${path}: ${name} is not in the package`);
      count++;
    }
  assert.ok(count >= 3, `only ${count} names`);
});

tests('every source and every file of tests that test/SOURCES.md names is there', () => {
  const rows = Array.from(readFileSync('test/SOURCES.md', 'utf8').matchAll(/^\| (src\S+) +\| (.+?) +\|$/gm));
  assert.ok(rows.length > 200, `${rows.length} rows`);
  for (const [, source = '', names = ''] of rows) {
    assert.ok(existsSync(source), `${source} is not there`);
    for (const name of names.split(', '))
      assert.ok(existsSync(`test/${name}.test.ts`), `${source}: ${name} is not there`);
  }
});

tests('every npm script that a document, a program or a workflow runs is there', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const programs = ['.ci/run', '.github', 'build.mjs', 'tools', 'test', 'bench', 'engines'].flatMap((path) =>
    execFileSync('git', ['ls-files', '-z', path], { encoding: 'utf8' }).split('\0').filter(Boolean),
  );
  const texts = [...programs.map((path) => ({ path, text: readFileSync(path, 'utf8') })), ...all];
  const named = texts.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/\bnpm[\s/*]+run[\s/*]+([a-z][\w:-]*)|'run', '([a-z][\w:-]*)'/g), ([, one, other]) => ({
      path,
      name: one ?? other!,
    })),
  );
  const lost = named.filter(({ name }) => scripts[name] === undefined);
  assert.equal(lost, []);
  assert.ok(named.length >= 50, `only ${named.length} names`);
});

tests('the architecture names every folder of src', () => {
  const { spans } = byPath.get('ARCHITECTURE.md')!;
  for (const { name } of readdirSync('src', { withFileTypes: true }).filter((each) => each.isDirectory())) {
    assert.ok(spans.includes(`src/${name}/`), `src/${name}/ is not in ARCHITECTURE.md`);
  }
});

tests('the README is at most 110 lines long', () => {
  const lines = byPath.get('README.md')!.text.trimEnd().split('\n');
  assert.ok(lines.length <= 110, `${lines.length} lines`);
});

tests('prose is at most 120 columns wide', () => {
  for (const { path, text } of all) {
    let isCode = false;
    text.split('\n').forEach((line, index) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      const isProse = !isCode && !/^\s*\||\]\(\S{60,}\)|^\[.+\]: /.test(line);
      if (isProse) assert.ok(line.length <= 120, `${path}:${index + 1}: ${line.length} columns`);
    });
  }
});

tests.run();
