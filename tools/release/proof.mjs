// Compares an installed package with published sums: `node tools/release/proof.mjs node_modules/urlsum
// PACKAGE-SHA256SUMS`. Without the second argument the sums are those of this clone's own build, which anyone can repeat:
// it gives the same bytes in any folder, time zone and locale. A package that printed its own sums would show nothing.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSums, sumsOf } from './sums.mjs';

const [folder, sumsFile] = process.argv.slice(2);
if (folder === undefined || !existsSync(join(folder, 'dist'))) {
  console.error(
    'usage: node tools/release/proof.mjs FOLDER [SUMS]: FOLDER is that of an installed package, which has a dist/',
  );
  process.exit(2);
}
const published = sumsFile === undefined ? sumsOf('.') : parseSums(readFileSync(sumsFile, 'utf8'));
const installed = sumsOf(folder);

const problems = [
  ...[...published].flatMap(([path, hex]) => {
    if (!installed.has(path)) return [`${path}: missing`];
    return installed.get(path) === hex ? [] : [`${path}: differs`];
  }),
  ...[...installed.keys()].filter((path) => !published.has(path)).map((path) => `${path}: not published`),
];
if (published.size === 0) problems.push('there are no sums');
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${installed.size} files are as published`);
