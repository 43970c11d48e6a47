// The version is package.json's: `npm version …` writes it wherever else it stands, and a release and the tests refuse
// another. `node tools/version.mjs` writes, with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs';

/** PEP 440 writes 1.0.0-rc.1 as 1.0.0rc1. */
export const pythonVersion = (version) =>
  version.replace(
    /-(rc|alpha|beta)\.(\d+)$/,
    (_, word, number) => `${{ alpha: 'a', beta: 'b' }[word] ?? word}${number}`,
  );

/** Where it stands, and what stands before and after it. */
const PLACES = [
  { file: 'engines/python/pyproject.toml', pattern: /(?<=^version = ").*?(?="$)/gm },
  { file: 'docs/engines.md', pattern: /(?<=\burlsum-)[\w.]+?(?=-py3-none-any\.whl)/g },
];

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The places where another version stands, as sentences. */
export function versionProblems() {
  const expected = pythonVersion(version);
  return PLACES.flatMap(({ file, pattern }) => {
    const found = readFileSync(file, 'utf8').match(pattern) ?? [];
    if (found.length === 0) return [`${file} names no version`];
    return found.filter((each) => each !== expected).map((each) => `${file} has the version ${each}, not ${expected}`);
  });
}

if (process.argv[1]?.endsWith('version.mjs')) {
  if (!process.argv.includes('--check'))
    for (const { file, pattern } of PLACES)
      writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, pythonVersion(version)));
  const problems = versionProblems();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
