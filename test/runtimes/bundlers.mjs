// `node bundlers.mjs BUNDLER ENTRY OUTFILE`: bundles for browsers, minified, with what each bundler does by default.
// `node bundlers.mjs BUNDLER-for-node ENTRY OUTFILE`: bundles for Node, without minifying: CommonJS into a .cjs file, an
// ES module into an .mjs file. The folder of the output is then all that a program needs, as in a Lambda function.
import { basename, dirname, extname } from 'node:path';
import { promisify } from 'node:util';

const [bundler, entry, outfile] = process.argv.slice(2);
const isModule = extname(outfile) === '.mjs';

const BUNDLERS = {
  esbuild: () => byEsbuild({ format: 'esm', minify: true }),
  'esbuild-for-node': () => byEsbuild({ format: isModule ? 'esm' : 'cjs', platform: 'node' }),
  async rollup() {
    const { default: nodeResolve } = await import('@rollup/plugin-node-resolve');
    const { rollup } = await import('rollup');
    const built = await rollup({ input: entry, plugins: [nodeResolve({ browser: true })] });
    await built.write({ file: outfile, format: 'es', inlineDynamicImports: true });
  },
  async vite() {
    const { build } = await import('vite');
    const rolldownOptions = { input: entry, output: { entryFileNames: basename(outfile) } };
    const output = { outDir: dirname(outfile), emptyOutDir: false, rolldownOptions };
    await build({ root: dirname(entry), configFile: false, logLevel: 'error', build: output });
  },
  webpack: () => byWebpack({ target: 'web', performance: false }),
  'webpack-for-node': () =>
    byWebpack({ target: 'node20', experiments: { outputModule: isModule } }, { module: isModule }),
};

async function byEsbuild(options) {
  const { build } = await import('esbuild');
  await build({ entryPoints: [entry], outfile, bundle: true, logLevel: 'error', ...options });
}

async function byWebpack(options, format) {
  const { default: webpack } = await import('webpack');
  const output = { path: dirname(outfile), filename: basename(outfile), ...format };
  const settings = { mode: 'production', context: dirname(entry), entry, output, ...options };
  const statistics = await promisify(webpack)(settings);
  if (statistics.hasErrors()) throw new Error(statistics.toString('errors-only'));
}

await BUNDLERS[bundler]();
