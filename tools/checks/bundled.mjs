// Which code of other packages is in the files of dist/, as esbuild sees it.

import { build } from 'esbuild';
import { ENTRIES } from '../entries.mjs';

const PROGRAMS = [
  'src/command/start.ts',
  'src/command/main.ts',
  'src/command/serve/alone.ts',
  'src/store/pool/worker.ts',
];

/** The files of which something is in the bundles. */
export async function bundledFiles() {
  const { metafile } = await build({
    entryPoints: [...ENTRIES.map(({ source }) => source), ...PROGRAMS],
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    alias: { punycode: 'punycode/punycode.es6.js' },
    define: { ASC_TARGET: '0' },
    external: ['*/pool-worker.txt'],
    loader: { '.hex': 'text', '.txt': 'text' },
    metafile: true,
    outdir: 'build',
    write: false,
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return [...new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path))].sort();
}

/** The packages that the files belong to: `node_modules/@noble/hashes/sha2.js` belongs to @noble/hashes. */
export function packagesOf(files) {
  const names = files.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}
