import { basename, dirname } from 'node:path';
import { build } from 'vite';

export function bundle(entry, outfile) {
  const entryFileNames = basename(outfile);
  const rolldownOptions = { input: entry, output: { entryFileNames } };
  const output = { outDir: dirname(outfile), emptyOutDir: false, rolldownOptions };
  return build({ root: dirname(entry), configFile: false, logLevel: 'error', build: output });
}
