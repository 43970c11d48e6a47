// The SHA-256 of each file in dist/ of a folder, in the form of sha256sum: what a release publishes, and what
// tools/release/proof.mjs compares an installed package with.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Built too, but not in the package: the release has it in clickhouse/ and in the wheel. */
const NOT_PACKED = ['dist/urlsum-serve.mjs'];

export function sumsOf(folder) {
  const files = readdirSync(join(folder, 'dist'), { recursive: true })
    .map((path) => `dist/${path.replaceAll('\\', '/')}`)
    .filter((path) => statSync(join(folder, path)).isFile() && !NOT_PACKED.includes(path));
  return new Map(files.sort().map((path) => [path, sha256(join(folder, path))]));
}

export const textOf = (sums) => [...sums].map(([path, hex]) => `${hex}  ${path}\n`).join('');

/** @throws where a line is not one of sha256sum's */
export function parseSums(text) {
  return new Map(
    text.split('\n').flatMap((line) => {
      if (line === '') return [];
      const [, hex, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
      if (path === undefined) throw new Error(`not a line of sha256sum: ${JSON.stringify(line)}`);
      return [[path, hex]];
    }),
  );
}

const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
