// The version is package.json's: `npm version …` writes it wherever else it stands, and a release and the tests refuse
// another. `node tools/release/version.mjs` writes, with --check it only compares.

import { readFileSync, writeFileSync } from 'node:fs';

/** PEP 440 writes 1.0.0-rc.1 as 1.0.0rc1. */
export const pythonVersion = (version) =>
  version.replace(
    /-(rc|alpha|beta)\.(\d+)$/,
    (_, word, number) => `${{ alpha: 'a', beta: 'b' }[word] ?? word}${number}`,
  );

/** Where it stands, what stands before and after it, and how it is written there. */
const PLACES = [
  { file: 'engines/python/pyproject.toml', pattern: /(?<=^version = ").*?(?="$)/gm, written: pythonVersion },
  { file: 'engines/python/README.md', pattern: /(?<=\burlsum-)[\w.]+?(?=-py3-none-\w+\.whl)/g, written: pythonVersion },
  { file: 'CITATION.cff', pattern: /(?<=^version: ).*$/gm, written: String },
  { file: 'CITATION.cff', pattern: /(?<=^date-released: ).*$/gm, written: dateOf },
];

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The day of a release, as its section of CHANGELOG.md has it: `## 1.0.0 - 2026-11-24`. */
export function dateOf(version) {
  const headings = readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## ([\w.-]+) - (\d{4}-\d\d-\d\d)$/gm);
  return new Map(Array.from(headings, ([, name, date]) => [name, date])).get(version);
}

/** The places where another version stands, as sentences. */
export function versionProblems() {
  if (dateOf(version) === undefined) return [`CHANGELOG.md has no section \`## ${version} - YYYY-MM-DD\``];
  return PLACES.flatMap(({ file, pattern, written }) => {
    const expected = written(version);
    const found = readFileSync(file, 'utf8').match(pattern) ?? [];
    if (found.length === 0) return [`${file} names no version`];
    return found.filter((each) => each !== expected).map((each) => `${file} has ${each}, not ${expected}`);
  });
}

if (process.argv[1]?.endsWith('version.mjs')) {
  if (!process.argv.includes('--check') && dateOf(version) !== undefined)
    for (const { file, pattern, written } of PLACES)
      writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, written(version)));
  const problems = versionProblems();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
