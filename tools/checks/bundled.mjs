// Which code of other packages is in the files of dist/, as esbuild sees it.

import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { ENTRIES } from '../entries.mjs';
import { NODE } from '../sources.mjs';

const PROGRAMS = [
  'src/command/start.ts',
  'src/command/main.ts',
  'src/command/serve/alone.ts',
  'src/store/pool/worker.ts',
];

/** The files of which something is in the bundles. */
export async function bundledFiles() {
  const { metafile } = await build({
    ...NODE,
    entryPoints: [...ENTRIES.map(({ source }) => source), ...PROGRAMS],
    external: ['*/pool-worker.txt'],
    metafile: true,
    outdir: 'build',
    write: false,
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return [...new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path))].sort();
}

/**
 * The packages that the files belong to, each with its folder: `node_modules/@noble/hashes/sha2.js` belongs to
 * @noble/hashes. One in the folder of another is a package of its own.
 */
export function packagesOf(files) {
  const folders = files.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const unique = new Set(folders.filter((folder) => folder !== undefined));
  const packages = Array.from(unique, (folder) => ({
    ...JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')),
    folder,
  }));
  return packages.sort((one, other) => (one.name < other.name ? -1 : 1));
}
