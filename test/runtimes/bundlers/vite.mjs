import { basename, dirname } from 'node:path';
import { build } from 'vite';

export function bundle(entry, outfile) {
  const entryFileNames = basename(outfile);
  const rolldownOptions = { input: entry, output: { entryFileNames } };
  return build({ root: dirname(entry), configFile: false, logLevel: 'error', build: { outDir: dirname(outfile), emptyOutDir: false, rolldownOptions } });
}
