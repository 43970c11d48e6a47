// What package.json says of the entries. `node tools/manifest.mjs` writes it; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { ENTRIES, fileName, RUNTIMES } from './entries.mjs';

/** A file of dist/, and the declarations for its module format, by the name of their entry. */
const built = (folder, file, types = file) => ({
  types: `./dist/${folder === 'cjs' ? 'cjs' : 'esm'}/${types}.d.ts`,
  default: `./dist/${folder}/${file}.js`,
});

function exportOf(entry) {
  const file = fileName(entry);
  const types = entry.isSlim ? 'index' : file;
  const runtimes = entry.hasKernel ? Object.entries(RUNTIMES) : [];
  return {
    ...Object.fromEntries(runtimes.map(([condition, folder]) => [condition, built(folder, file, types)])),
    require: built('cjs', file, types),
    default: built('esm', file, types),
  };
}

/** For whoever's tools choose wrongly: the builds of `urlsum`, each by its name. */
const BUILDS_BY_NAME = {
  './inline': { require: built('cjs', 'index'), default: built('esm', 'index') },
  './workerd': built('workerd', 'index'),
  './edge-light': built('edge-light', 'index'),
  './js': { require: built('cjs', 'js', 'index'), default: built('js', 'index') },
};

const EXPORTS = {
  ...Object.fromEntries(ENTRIES.map((entry) => [entry.name === 'index' ? '.' : `./${entry.name}`, exportOf(entry)])),
  ...BUILDS_BY_NAME,
  './simd.wasm': './dist/workerd/simd.wasm',
  './scalar.wasm': './dist/workerd/scalar.wasm',
  './package.json': './package.json',
};

const nameOf = ({ name }) => (name === 'index' ? 'urlsum' : `urlsum/${name}`);

/** Sizes of the entries as bundlers make them, and of what is in them. The kernels go over the wire as they are. */
const SIZES = [
  ...ENTRIES.filter(({ limit }) => limit !== undefined).map((entry) => ({
    name: nameOf(entry),
    path: `dist/esm/${fileName(entry)}.js`,
    limit: entry.limit,
    ...(entry.loads && { ignore: entry.loads.map((name) => `./${fileName({ name })}.js`) }),
  })),
  ...ENTRIES.filter(({ rawLimit }) => rawLimit !== undefined).map((entry) => ({
    name: `${nameOf(entry)}, not compressed`,
    path: `dist/esm/${fileName(entry)}.js`,
    limit: entry.rawLimit,
    brotli: false,
  })),
  { name: 'urlsum, an unused import', path: 'dist/esm/index.js', import: '{}', limit: '0 B' },
  {
    name: 'urlsum/slim in workerd, without the kernels',
    path: 'dist/workerd/slim.js',
    limit: '10.5 kB',
    ignore: ['*.wasm'],
  },
  ...[
    ['the SIMD kernel', 'build/simd.wasm', '12 kB'],
    ['the scalar kernel', 'build/scalar.wasm', '5 kB'],
  ].map(([name, path, limit]) => ({ name, path, limit, brotli: false, disablePlugins: ['@size-limit/esbuild'] })),
];

const FILE = 'package.json';
const text = readFileSync(FILE, 'utf8');
const manifest = `${JSON.stringify({ ...JSON.parse(text), exports: EXPORTS, 'size-limit': SIZES }, null, 2)}\n`;
if (process.argv.includes('--check')) {
  if (manifest === text) process.exit();
  console.error(`${FILE} does not say what tools/entries.mjs does: run \`npm run manifest\``);
  process.exit(1);
}
writeFileSync(FILE, manifest);
