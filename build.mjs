// Builds the project. `node build.mjs`, which is `npm run build`, makes dist/ from nothing. `node build.mjs NAME…` makes
// what tools/bundles.mjs has under these names, and before it dist/ where a source is younger, so that no test runs an
// old one. No step is an npm script: npm takes 0.3 s of the processor to start one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

if (!existsSync('node_modules/assemblyscript')) {
  console.error('The packages that build urlsum are not installed: run `npm ci`, and then this again.');
  process.exit(1);
}

/** urlsum.wasm has the parser, too. */
const MODULE_SOURCES = ['assembly', 'asconfig.json', 'src/core', 'src/specs'];
const TOOLS = readdirSync('tools').filter((name) => name.endsWith('.mjs'));
const SOURCES = [
  ...MODULE_SOURCES,
  'src',
  ...TOOLS.map((name) => `tools/${name}`),
  'build.mjs',
  'package.json',
  'tsconfig.json',
  'THIRD-PARTY-NOTICES',
];
/** Files whose time is that at which the last whole build of modules, or of dist/, began. */
const [MODULES_BEGUN, DIST_BEGUN] = ['build/modules-begun', 'build/dist-begun'];

const isServed = process.argv.at(-1) === '--serve';
const names = process.argv.slice(2, isServed ? -1 : undefined);

if (names.length === 0) for (const folder of ['dist', 'build']) rmSync(folder, { recursive: true, force: true });
if (isYounger(SOURCES, DIST_BEGUN)) await marked(DIST_BEGUN, makeDist);
if (names.length > 0) {
  const { make, serve } = await import('./tools/bundles.mjs');
  await make(names);
  if (isServed) await serve(names[0]);
}

/** Whether one of the files, or of those in the folders, is younger than another file. */
function isYounger(paths, than) {
  if (!existsSync(than)) return true;
  const { mtimeMs } = statSync(than);
  const files = paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? [path, ...readdirSync(path, { recursive: true }).map((name) => join(path, name))]
      : [path],
  );
  return files.some((file) => statSync(file).mtimeMs > mtimeMs);
}

async function marked(mark, build) {
  const start = new Date();
  await build();
  writeFileSync(mark, '');
  utimesSync(mark, start, start);
}

/** Makes the kernels and the declarations at the same time, then dist/ of them. */
async function makeDist() {
  for (const folder of ['dist', 'build/types']) rmSync(folder, { recursive: true, force: true });
  const compiler = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'src'], { stdio: 'inherit' });
  const compiled = once(compiler, 'close');
  if (isYounger(MODULE_SOURCES, MODULES_BEGUN)) await marked(MODULES_BEGUN, compileModules);
  const [status] = await compiled;
  if (status !== 0) process.exit(1);
  const { makeDist } = await import('./tools/bundles.mjs');
  await makeDist();
}

/** The suffix list for urlsum.wasm: its bytes, where a text in AssemblyScript would take two for each. */
function writeSuffixTable() {
  const bytes = readFileSync('src/specs/safe-browsing/public-suffix-table.txt');
  mkdirSync('build/module', { recursive: true });
  writeFileSync(
    'build/module/public-suffix-table.ts',
    `export const SUFFIX_TABLE: usize = memory.data<u8>([${bytes.join(',')}]);\n` +
      `export const SUFFIX_TABLE_BYTES: u32 = ${bytes.length};\n`,
  );
}

/**
 * Compiles the WebAssembly modules: every target of asconfig.json in one process, since starting the compiler costs more
 * than a target (41 s of processor time for seven processes, 10 s for one; the modules are the same bytes).
 */
async function compileModules() {
  const { default: asc } = await import('assemblyscript/asc');
  const { targets } = JSON.parse(readFileSync('asconfig.json', 'utf8'));
  writeSuffixTable();
  // a note of the optimizer's last round, which made a module no smaller
  const stderr = { write: (text) => /^Last converge was suboptimal/.test(text) || process.stderr.write(text) };
  for (const [target, { outFile }] of Object.entries(targets)) {
    const source = target === 'simd' ? 'assembly' : `assembly/${target}`;
    const { error } = await asc.main([`${source}/index.ts`, '--target', target], { stdout: process.stdout, stderr });
    if (error) throw error;
    // as text, for what imports it
    writeFileSync(outFile.replace(/wasm$/, 'hex'), readFileSync(outFile, 'hex'));
  }
}
