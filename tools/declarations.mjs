// The entries' declarations, one file each; what several of them declare lies in one file that they share, so that
// a HashColumn of `urlsum/stream` is one of `urlsum`. dist/cjs has the same files, which are CommonJS's there.
import { cpSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { ENTRIES, fileName, sourceOf } from './entries.mjs';

/** Where `tsc -p src` writes a file of declarations for each source. */
const COMPILED = 'build/types';

export async function bundleDeclarations() {
  const declarationsOf = (entry) => `${COMPILED}/${sourceOf(entry).replace(/\.ts$/, '.d.ts')}`;
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [fileName(entry), declarationsOf(entry)])),
    plugins: [dts({ dtsInput: true })],
    external: /^node:/,
  });
  const codeSplitting = { groups: [{ name: 'shared', minShareCount: 2 }] };
  const { output } = await bundle.write({ dir: 'dist/esm', chunkFileNames: '[name].d.ts', codeSplitting });
  for (const { fileName: name } of output) cpSync(`dist/esm/${name}`, `dist/cjs/${name}`);
}
