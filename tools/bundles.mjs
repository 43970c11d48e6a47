// What esbuild makes of this project, by the names that `node build.mjs NAME…` takes, and dist/, whose library
// tools/library.mjs makes.
// tsconfig.json's `paths` say that `#kernel` and `#expressions` are modules carried as text; tools/library.mjs has those
// of other hosts.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { build, context } from 'esbuild';
import { writeDeclarations } from './declarations.mjs';
import { clickhouseFunctions, engineTables, pythonTables } from './engines.mjs';
import { ENTRIES } from './entries.mjs';
import { buildCommandAndLibrary, sharedBeside } from './library.mjs';
import { COMMON, NODE } from './sources.mjs';

const START = { cli: 'src/command/start.ts' };
const COMMAND = {
  'cli-main': 'src/command/main.ts',
  'cli-check-server': 'src/service/http/check-server.ts',
  'cli-list-server': 'src/service/http/list-server.ts',
  'cli-links': 'src/command/read/links.ts',
};
const APART = Object.fromEntries(ENTRIES.filter(({ isApart }) => isApart).map(({ file, source }) => [file, source]));
/** One file, for servers on which the package is not installed: copied to what ships it for ClickHouse. */
const SERVE = { 'urlsum-serve': 'src/command/serve/alone.ts' };

const LIBRARY_OPTIONS = {
  ...COMMON,
  format: 'esm',
  loader: { '.hex': 'text', '.txt': 'text', '.wasm': 'copy' },
  assetNames: 'workerd/[name]',
  external: ['node:*', 'stream'],
};
/** Options of files that nobody imports. */
const PROGRAM = { minify: true };

/** Runs in a consumer of the package, which it finds there. */
const PROBE = {
  ...COMMON,
  outdir: 'build/runtimes/probe',
  external: ['urlsum', './material.json', 'node:*'],
  supported: { 'import-attributes': true },
};

/**
 * Files that the command loads when it needs them, by source: its second file, not for `urlsum --version`, which takes
 * from the library what it says; messages with protobuf, which only `list diff` and `list apply` need: 12 ms of a
 * start's 60; what speaks HTTP, of which the servers take the library from its entries; and parsers of HTML and XML,
 * 210 kB.
 */
const LATER = [
  { file: './cli-main.js', source: 'command/main' },
  { file: './cli-check-server.js', source: 'service/http/check-server' },
  { file: './cli-list-server.js', source: 'service/http/list-server' },
  { file: './cli-links.js', source: 'command/read/links' },
  { file: './safe-browsing-check.js', source: 'service/check/(checker|file-store)' },
  { file: './safe-browsing-lists.js', source: 'service/lists/messages/hash-list-message' },
  { file: './index.js', source: 'core/url/profile|core/kernel/open', importer: 'command/arguments/diagnostics' },
  { file: './index.js', source: 'core/bulk/hasher', importer: 'tables/outputs' },
  {
    file: './safe-browsing.js',
    source: 'specs/safe-browsing/(hasher|list-entry|suffix-list)',
    importer: 'service/http/.*',
  },
  { file: './safe-browsing-lists.js', source: 'service/lists/hash-list', importer: 'service/http/.*' },
  // not for the server of checks: the package does not export the message that it answers with
  {
    file: './safe-browsing-lists.js',
    source: 'service/lists/messages/search-responses',
    importer: 'service/http/list-server',
  },
].map(({ file, source, importer = '.*' }) => ({ file, source: inSources(source), importer: inSources(importer) }));
function inSources(name) {
  return new RegExp(`/src/(?:${name})\\.ts$`);
}
const filesLater = {
  name: 'files later',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, importer, kind }) => {
      if (kind === 'entry-point') return undefined;
      const source = resolve(resolveDir, path);
      const later = LATER.find((each) => each.source.test(source) && each.importer.test(importer));
      return later === undefined ? undefined : { path: later.file, external: true };
    });
  },
};

/** The pool's thread is given what the file that starts it holds already: `embedded` of src/store/pool/worker.ts. */
const embeddedInPool = {
  name: 'embedded in the pool',
  setup({ onLoad }) {
    const given = (contents) => ({
      contents: `import { workerData } from 'node:worker_threads';\n${contents}`,
      loader: 'js',
    });
    onLoad({ filter: /\/simd\.hex$/ }, () => given('export default workerData.embedded.simd;'));
    onLoad({ filter: /\/unicode-table\.ts$/ }, () => given('export const TABLE = workerData.embedded.table;'));
  },
};

const IN_CONSOLES = ['console', 'test-case'];
const probes = (...names) => names.map((name) => `test/runtimes/probe/${name}.ts`);

/** The files of tests, without those of packages in test/runtimes. */
const TESTS = readdirSync('test', { recursive: true })
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
  .map((path) => `test/${path}`);

/** Canonical forms of the tests of core/url by urlsum.wasm, in place of the parser in JavaScript. */
const formsByModule = {
  name: 'forms by the module',
  setup({ onLoad }) {
    onLoad({ filter: /core\/url\/canonicalize\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const others = source.replace('export function canonicalForm(', 'export function formOfLibrary(');
      if (others === source) throw new Error(`${path} has no canonicalForm`);
      const replacement = resolve('test/module/canonical-form.ts');
      const imported = `import { canonicalForm } from '${replacement}';\nexport { canonicalForm };\n`;
      return { contents: imported + others, loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

/** Tests of core/url without those of kernels, of counts and of times against the host. */
const OF_FORMS = [
  ...['canonicalize', 'growth', 'no-vary-search', 'options', 'oracle', 'parsed-url', 'parser', 'search-variance'],
  'unicode-versions',
];

const IN_LIBRARY = { ...LIBRARY_OPTIONS, ...PROGRAM, outdir: 'dist/esm', plugins: [filesLater, sharedBeside] };

const BUNDLES = {
  test: [
    {
      ...NODE,
      entryPoints: TESTS,
      outdir: 'build/test',
      // what tests share is made once: 1 s and 6 MB, where a whole program for each takes 5.5 s and 76 MB
      splitting: true,
      chunkNames: 'shared/[name]-[hash]',
      external: [
        'stream',
        'esbuild',
        '@duckdb/node-api',
        'hyparquet-writer',
        'recheck',
        'rolldown',
        'rolldown/*',
        'rdfxml-streaming-parser',
        'uvu',
        'fast-check',
        'whatwg-url',
      ],
    },
  ],
  'by-module': [
    {
      ...NODE,
      entryPoints: OF_FORMS.map((name) => `test/core/url/${name}.test.ts`),
      outdir: 'build/test/by-module',
      external: ['stream', 'uvu', 'fast-check', 'whatwg-url'],
      plugins: [formsByModule],
    },
  ],
  bench: [
    {
      ...NODE,
      entryPoints: [
        ...readdirSync('bench')
          .filter((name) => name.endsWith('.ts'))
          .map((name) => `bench/${name}`),
      ],
      outdir: 'build/bench',
      external: ['@duckdb/node-api', 'hash-wasm', '@chainsafe/as-sha256', '@chainsafe/hashtree', 'whatwg-url'],
    },
  ],
  rdf: [{ ...NODE, entryPoints: { rdf: 'test/rdf/main.ts' }, outdir: 'build', external: ['uvu', 'fast-check'] }],
  crawlers: [
    {
      ...NODE,
      entryPoints: { crawlers: 'test/crawlers/main.ts' },
      outdir: 'build',
      external: ['uvu', 'esbuild', 'fast-check', 'markdown-it', 'github-slugger', 'typescript'],
    },
  ],
  artifacts: [
    {
      ...NODE,
      entryPoints: { artifacts: 'test/artifacts/main.ts' },
      outdir: 'build',
      external: ['markdown-it', 'github-slugger'],
    },
  ],
  surt: [{ ...NODE, entryPoints: { surt: 'test/surt/main.ts' }, outdir: 'build', external: ['uvu', 'fast-check'] }],
  forms: [{ ...NODE, entryPoints: { forms: 'test/forms.ts' }, outdir: 'build', external: ['whatwg-url'] }],
  vectors: [{ ...NODE, entryPoints: { vectors: 'test/vectors/write.ts' }, outdir: 'build' }],
  demo: [
    {
      ...LIBRARY_OPTIONS,
      external: [], // a module of Node's would keep the page from starting
      splitting: true,
      chunkNames: '[name]-[hash]',
      assetNames: '[name]',
      minify: true,
      loader: { '.hex': 'text', '.txt': 'text', '.html': 'copy', '.svg': 'copy' },
      entryPoints: {
        page: 'demo/page.ts',
        'file-worker': 'demo/files/worker.ts',
        'benchmark-worker': 'demo/benchmark/worker.ts',
        style: 'demo/style.css',
        index: 'demo/index.html',
        icon: 'demo/icon.svg',
      },
      outdir: 'build/demo',
    },
  ],
  hostile: [
    { ...NODE, entryPoints: { hostile: 'test/hostile/main.ts' }, outdir: 'build', external: ['uvu', 'fast-check'] },
  ],
  runtimes: [
    {
      ...NODE,
      entryPoints: ['test/runtimes/main.ts'],
      outdir: 'build/runtimes',
      external: ['esbuild', 'whatwg-url', 'fast-check'],
    },
    {
      ...PROBE,
      format: 'esm',
      entryPoints: probes(...IN_CONSOLES, 'fetch', 'listener', 'page', 'timing'),
      outExtension: { '.js': '.mjs' },
    },
    { ...PROBE, format: 'cjs', entryPoints: probes(...IN_CONSOLES), outExtension: { '.js': '.cjs' } },
  ],
};

/** Makes the bundles of these names. The tests visit the page of demo/, which is built with them. */
export async function make(names) {
  const unknown = names.find((name) => BUNDLES[name] === undefined);
  if (unknown !== undefined) throw new Error(`build.mjs makes ${Object.keys(BUNDLES).join(', ')}, not '${unknown}'`);
  const bundles = new Set(names.flatMap((name) => (name === 'test' ? ['test', 'demo'] : [name])));
  for (const name of ['test', 'demo']) if (bundles.has(name)) rmSync(`build/${name}`, { recursive: true, force: true });
  await Promise.all(Array.from(bundles).flatMap((name) => BUNDLES[name].map((each) => build(each))));
}

/** Serves the page of a bundle until the process ends, and makes it again at each visit. */
export async function serve(name) {
  const { port } = await (await context(BUNDLES[name][0])).serve({ servedir: `build/${name}`, host: '127.0.0.1' });
  console.log(`http://127.0.0.1:${port}/`);
}

/** Makes dist/ of the sources, their declarations in build/types and the kernels, and what engines take from it. */
export async function makeDist() {
  // As text, whole: a bundler that takes `urlsum/pool` into its own file would not find the file of the pool's thread.
  // CommonJS, because every host starts that from text; Deno does not start an ES module.
  await build({
    ...LIBRARY_OPTIONS,
    minify: true,
    format: 'cjs',
    entryPoints: ['src/store/pool/worker.ts'],
    plugins: [embeddedInPool],
    outfile: 'build/pool-worker.txt',
  });
  await Promise.all([
    build({ ...IN_LIBRARY, entryPoints: START }),
    build({ ...NODE, outdir: 'dist', entryPoints: SERVE, minify: true }),
  ]);
  // whole: from the fifty files that splitting makes, a run starts no sooner
  await buildCommandAndLibrary({ ...IN_LIBRARY, entryPoints: { ...COMMAND, ...APART } });
  await writeDeclarations();
  copyFileSync('build/urlsum.wasm', 'dist/urlsum.wasm');
  writeFileSync('dist/urlsum.1', execFileSync(process.execPath, ['dist/esm/cli.js', 'help', '--man']));
  copyFileSync('dist/urlsum-serve.mjs', 'engines/clickhouse/urlsum-serve.mjs');
  copyFileSync('THIRD-PARTY-NOTICES', 'engines/python/THIRD-PARTY-NOTICES');
  const tables = await engineTables();
  writeFileSync('engines/clickhouse/udf_config.xml', clickhouseFunctions(tables));
  writeFileSync('engines/python/src/urlsum/tables.py', pythonTables(tables));
}

/** Makes the library, the command and the tests again with source maps, for `npm run test:long -- coverage`. */
export async function makeWithMaps() {
  const entries = Object.fromEntries(ENTRIES.map(({ file, source }) => [file, source]));
  const whole = { ...IN_LIBRARY, minify: false, entryPoints: { ...START, ...COMMAND, ...entries } };
  await Promise.all([whole, ...BUNDLES.test].map((each) => build({ ...each, sourcemap: true })));
}
