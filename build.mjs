// What esbuild makes of this project: `node build.mjs dist|test|bench|vectors|demo|runtimes`. package.json's
// `imports` choose the files behind `#kernel-module`, `#sha256` and `#idna` by the conditions given here,
// so that each runtime gets a build of its own.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build, context } from 'esbuild';

/** What runs everywhere, on the kernel that the runtime allows. */
const LIBRARY = {
  index: 'src/index.ts',
  stream: 'src/stream/index.ts',
  'safe-browsing': 'src/safe-browsing/index.ts',
  'hash-uri': 'src/hash-uri/index.ts',
};
/** SHA-1 and MD5 in JavaScript: one build serves all. */
const HASHED_URI = { 'hashed-uri': 'src/hashed-uri/index.ts' };
/** These need Node. */
const POOL = { pool: 'src/pool/index.ts', 'pool-worker': 'src/pool/worker.ts' };
const COMMAND = { cli: 'src/cli/main.ts', 'sum-worker': 'src/cli/sum-worker.ts' };
const SLIM = { slim: LIBRARY.index };

const COMMON = {
  bundle: true,
  target: 'es2022',
  mainFields: ['module', 'main'],
  alias: { punycode: 'punycode/punycode.es6.js' },
  logLevel: 'warning',
  legalComments: 'none',
};
const LIBRARY_OPTIONS = {
  ...COMMON,
  loader: { '.hex': 'text', '.wasm': 'copy' },
  assetNames: '[name]',
  external: ['node:*', 'stream', 'apache-arrow', 'hyparquet-writer'],
};
const ESM = { ...LIBRARY_OPTIONS, format: 'esm', splitting: true, chunkNames: '[name]-[hash]' };
const CJS = { ...LIBRARY_OPTIONS, format: 'cjs', outdir: 'dist/cjs' };
const NODE = {
  ...COMMON,
  format: 'esm',
  platform: 'node',
  loader: { '.hex': 'text' },
  outExtension: { '.js': '.mjs' },
};

/** Runs in a consumer of the package, which it finds there. */
const PROBE = {
  ...COMMON,
  outdir: 'build/runtimes/probe',
  external: ['urlsum', './material.json', 'node:*'],
  supported: { 'import-attributes': true },
};

const IN_CONSOLES = ['console', 'test-case'];
const probes = (...names) => names.map((name) => `test/runtimes/probe/${name}.ts`);

const BUNDLES = {
  dist: [
    { ...ESM, outdir: 'dist/esm', entryPoints: { ...LIBRARY, ...HASHED_URI, ...POOL, ...COMMAND } },
    { ...ESM, outdir: 'dist/esm', entryPoints: SLIM, conditions: ['slim'] },
    ...['workerd', 'edge-light', 'js'].flatMap((runtime) => [
      { ...ESM, outdir: `dist/${runtime}`, entryPoints: LIBRARY, conditions: [runtime] },
      { ...ESM, outdir: `dist/${runtime}`, entryPoints: SLIM, conditions: [runtime, 'slim'] },
    ]),
    { ...CJS, entryPoints: { ...LIBRARY, ...HASHED_URI } },
    { ...CJS, entryPoints: SLIM, conditions: ['slim'] },
    { ...CJS, entryPoints: { js: LIBRARY.index }, conditions: ['js'] },
    {
      ...CJS,
      entryPoints: POOL,
      define: { 'import.meta.url': 'moduleUrl' },
      banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
    },
  ],
  test: [
    {
      ...NODE,
      entryPoints: ['test/**/*.test.ts'],
      outdir: 'build/test',
      sourcemap: 'inline',
      external: ['stream', 'apache-arrow', 'hyparquet', 'hyparquet-writer', 'uvu', 'fast-check', 'whatwg-url'],
    },
  ],
  bench: [
    {
      ...NODE,
      entryPoints: ['bench/hash.ts', 'bench/allocation.ts', 'bench/hashed-uri.ts', 'bench/safe-browsing.ts'],
      outdir: 'build/bench',
      external: ['hash-wasm', '@chainsafe/as-sha256', 'whatwg-url', 'webrisk-hash'],
    },
  ],
  vectors: [{ ...NODE, entryPoints: { vectors: 'vectors/generate/main.ts' }, outdir: 'build' }],
  demo: [
    {
      ...ESM,
      minify: true,
      loader: { '.hex': 'text', '.html': 'copy', '.svg': 'copy' },
      entryPoints: [
        'demo/page.ts',
        'demo/file-worker.ts',
        'demo/benchmark-worker.ts',
        'demo/style.css',
        'demo/index.html',
        'demo/icon.svg',
      ],
      outbase: 'demo',
      outdir: 'build/demo',
    },
  ],
  runtimes: [
    { ...NODE, entryPoints: ['test/runtimes/main.ts'], outdir: 'build/runtimes', external: ['esbuild', 'whatwg-url'] },
    {
      ...PROBE,
      format: 'esm',
      entryPoints: probes(...IN_CONSOLES, 'fetch', 'listener', 'page', 'timing'),
      outExtension: { '.js': '.mjs' },
    },
    { ...PROBE, format: 'cjs', entryPoints: probes(...IN_CONSOLES), outExtension: { '.js': '.cjs' } },
  ],
};

// WebAssembly as text, for what imports it.
for (const module of ['simd', 'scalar', 'text-lines'])
  writeFileSync(`build/${module}.hex`, readFileSync(`build/${module}.wasm`, 'hex'));

const [name, flag] = process.argv.slice(2);
if (name === 'test' || name === 'demo') rmSync(`build/${name}`, { recursive: true, force: true });
await Promise.all(BUNDLES[name].map(build));
if (name === 'dist') writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
if (flag === '--serve') {
  const { port } = await (await context(BUNDLES[name][0])).serve({ servedir: `build/${name}`, host: '127.0.0.1' });
  console.log(`http://127.0.0.1:${port}/`);
}
