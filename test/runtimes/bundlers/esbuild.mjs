import { build } from 'esbuild';

export function bundle(entry, outfile) {
  return build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', minify: true, logLevel: 'error' });
}
