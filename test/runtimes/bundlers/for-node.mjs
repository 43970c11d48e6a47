// `node for-node.mjs BUNDLER ENTRY OUTFILE`: bundles for Node, without minifying: CommonJS into a .cjs file, an ES
// module into an .mjs file. The folder of the output is then all that a program needs, as in a Lambda function.
import { basename, dirname, extname } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import webpack from 'webpack';

const BUNDLERS = {
  esbuild: (entry, outfile, isModule) =>
    build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: isModule ? 'esm' : 'cjs' }),
  async webpack(entry, outfile, isModule) {
    const output = { path: dirname(outfile), filename: basename(outfile), module: isModule };
    const experiments = { outputModule: isModule };
    const context = dirname(entry);
    const statistics = await promisify(webpack)({
      mode: 'production',
      target: 'node20',
      context,
      entry,
      output,
      experiments,
    });
    if (statistics.hasErrors()) throw new Error(statistics.toString('errors-only'));
  },
};

const [bundler, entry, outfile] = process.argv.slice(2);
await BUNDLERS[bundler](entry, outfile, extname(outfile) === '.mjs');
