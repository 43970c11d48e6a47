// Writes test/SOURCES.md: the files of tests that run most of the functions of each source, by V8's coverage. Builds the
// library and the command as one graph with source maps, runs each file of tests on it, and builds dist/ again.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeWithMaps } from '../tools/bundles.mjs';

const TESTS = 'build/test';
/** Files of tests named for a source; a second one is named only for a tenth of its functions or more. */
const MOST_NAMED = 3;
/** Files of tests that hold a source's promise without running most of it: they compare its tables and messages. */
const HELD_BY = {
  'src/command/read/access-log/known-formats.ts': 'command/read/access-log/log-format',
  'src/core/url/percent.ts': 'assembly/scan',
  'src/tables/outputs.ts': 'command/serve/alone',
};

execFileSync(process.execPath, ['build.mjs', 'test'], { stdio: 'inherit' });
await makeWithMaps();
const names = readdirSync(TESTS, { recursive: true })
  .filter((path) => /\.test\.mjs$/.test(path) && !/^(?:demo|bench|docs|package|by-module)\/|kernel\/proof/.test(path))
  .map((path) => path.replace(/\.test\.mjs$/, ''))
  .sort();
/** Sources, each with its functions that ran, each with the files of tests that ran it. */
const sources = new Map();
for (const name of names) addFunctionsOf(name);
execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' });
writeFileSync('test/SOURCES.md', page());

/** Adds the functions that run in a file of tests, in the processes that it starts, too. */
function addFunctionsOf(name) {
  const folder = mkdtempSync(join(tmpdir(), 'urlsum-coverage-'));
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  const { status } = spawnSync(process.execPath, ['test/run-file.mjs', `${TESTS}/${name}.test.mjs`], { env });
  console.log(`${name}${status === 0 ? '' : ', in which tests failed'}`);
  for (const file of readdirSync(folder)) addFunctions(name, coverageIn(join(folder, file)));
  rmSync(folder, { recursive: true });
}

/** A process that a test kills leaves half a file. */
function coverageIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { result: [] };
  }
}

function addFunctions(name, { result, 'source-map-cache': maps = {} }) {
  for (const { url, functions } of result) {
    const { data, lineLengths } = maps[url] ?? {};
    if (!data) continue;
    const map = new SourceMap(data);
    const starts = [0];
    for (const length of lineLengths) starts.push(starts.at(-1) + length + 1);
    for (const { functionName, ranges } of functions) {
      const [{ startOffset, count }] = ranges;
      if (count === 0 || (startOffset === 0 && functionName === '')) continue;
      const line = starts.findLastIndex((start) => start <= startOffset);
      const { originalSource, originalLine } = map.findEntry(line, startOffset - starts[line]);
      if (originalSource === undefined) continue;
      const source = relative('.', fileURLToPath(new URL(originalSource, url)));
      if (!source.startsWith('src/') || !existsSync(source)) continue; // some packages have a src/, too
      const ran = sources.get(source) ?? new Map();
      sources.set(source, ran);
      ran.set(originalLine, (ran.get(originalLine) ?? new Set()).add(name));
    }
  }
}

/** Names the files that run most of a source, those that run the fewest other sources first among equals. */
function testsOf(source, breadths) {
  const ran = [...sources.get(source).values()];
  const own = source.replace(/^src\/|\.ts$/g, '');
  const counts = new Map();
  for (const tests of ran) for (const test of tests) counts.set(test, (counts.get(test) ?? 0) + 1);
  const first = [own, HELD_BY[source]].filter((test) => names.includes(test));
  for (const test of first) counts.delete(test);
  const best = [...counts].sort((a, b) => b[1] / breadths.get(b[0]) ** 0.5 - a[1] / breadths.get(a[0]) ** 0.5);
  const others = best.filter(([, count]) => count * 10 >= ran.length).map(([test]) => test);
  return [...first, ...others].slice(0, MOST_NAMED);
}

function page() {
  const breadths = new Map(names.map((name) => [name, 1]));
  for (const ran of sources.values())
    for (const name of new Set([...ran.values()].flatMap((tests) => [...tests])))
      breadths.set(name, breadths.get(name) + ran.size);
  const rows = [...sources.keys()].sort().map((source) => `| ${source} | ${testsOf(source, breadths).join(', ')} |`);
  return `# The tests of each source

Made by \`npm run test:long -- coverage\`: the files of tests that run most of a source's functions, first the one of its
name and those that hold its tables and messages. Types and constants alone are not in the table. What is compiled from
assembly/ is tested by core/kernel, core/bulk and module.

| source | tested by |
| --- | --- |
${rows.join('\n')}
`;
}
