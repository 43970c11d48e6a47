import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compilerErrors } from '../support/compiler.ts';
import { FOLDER as folder } from '../support/scratch.ts';
import { ENTRIES, NODE_ENTRIES } from './entries.ts';

const tests = suite('the package as installed');

function run(command: string, args: readonly string[], input = ''): string {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] });
}

function write(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

interface Tarball {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}
let packed: Tarball;

tests.before(() => {
  [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { encoding: 'utf8' }),
  ) as [Tarball];
  write('package.json', '{ "name": "consumer", "type": "module", "private": true }');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`]);
});

const EXPECTED = '0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7';
const USE = `
const hash = UrlHash.of('HTTPS://Example.com');
const column = new UrlHasher({ width: 32 }).hashMany(['https://example.com', 'bücher', 'https://bücher.example']);
console.log(hash.hex, column.hex(0), column.errorAt(1)?.reason, kernelName());`;

tests('an error that nobody catches is shown with a line of code, not with the whole file', () => {
  for (const [name, program] of [
    ['uncaught.mjs', "import { UrlHash } from 'urlsum'; UrlHash.of('example.com');"],
    ['uncaught.cjs', "require('urlsum').UrlHash.of(5);"],
    ['option.mjs', "import { UrlHasher } from 'urlsum'; new UrlHasher({ widht: 16 });"],
    ['list.mjs', "import { listEntry } from 'urlsum/safe-browsing'; listEntry('http://');"],
  ] as const) {
    const { status, stderr } = spawnSync(process.execPath, [write(name, program)], { cwd: folder, encoding: 'utf8' });
    assert.is(status, 1);
    assert.match(stderr, /^\w*Error: .+$/m);
    assert.ok(stderr.length < 2000, `${name} prints ${stderr.length} characters`);
  }
});

tests('each file exports what others import of it', async () => {
  const entryPoints = readdirSync('dist/esm').map((name) => `dist/esm/${name}`);
  const options = { bundle: true, format: 'esm', packages: 'external', platform: 'node', logLevel: 'silent' } as const;
  await build({ ...options, entryPoints, outdir: folder, write: false }); // esbuild throws where one does not
});

tests('import and require give the same module', () => {
  const esm = write(
    'use.mjs',
    `import { UrlHash, UrlHasher, kernelName } from 'urlsum';${USE} console.log(import.meta.resolve('urlsum'));`,
  );
  const cjs = write(
    'use.cjs',
    `const { UrlHash, UrlHasher, kernelName } = require('urlsum');${USE} console.log(require.resolve('urlsum'));`,
  );
  for (const script of [esm, cjs]) {
    const [result, resolved] = run(process.execPath, [script]).trim().split('\n');
    assert.is(result, `${EXPECTED} ${EXPECTED} missing-scheme-non-relative-URL simd`);
    assert.ok(resolved!.endsWith('node_modules/urlsum/dist/esm/index.js'), resolved);
  }
  const both = write(
    'both.mjs',
    `import { createRequire } from 'node:module';
    import { UrlError } from 'urlsum';
    console.log(createRequire(import.meta.url)('urlsum').UrlError === UrlError);`,
  );
  assert.is(run(process.execPath, [both]), 'true\n');
});

tests('an older Node is named, with the one that the command needs, before anything is imported', () => {
  const older = write('older.cjs', "Object.defineProperty(process.versions, 'node', { value: process.env.AS_NODE });");
  const started = (version: string) =>
    spawnSync(process.execPath, ['-r', `./${older}`, 'node_modules/urlsum/dist/esm/cli.js', '--version'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, AS_NODE: version },
    });
  for (const version of ['4.9.1', '18.20.8', '20.9.0', '20.18.3']) {
    const { status, stdout, stderr } = started(version);
    assert.equal([status, stdout, stderr], [2, '', `urlsum needs Node 20.19 or newer; this is ${version}\n`]);
  }
  for (const version of ['20.19.0', '22.12.0', '26.0.0']) assert.match(started(version).stdout, /^urlsum \d/);
  assert.equal(
    importsOf(readFileSync('dist/esm/cli.js', 'utf8')).filter((name) => name.startsWith('.')),
    [],
  );
});

tests('the public surface is the one that was reviewed', () => {
  execFileSync(process.execPath, ['tools/checks/surface.mjs', '--check'], { stdio: 'pipe' });
});

tests('every entry gives the same names to import and to require', () => {
  const names = ENTRIES.map(({ name }) => name);
  const print = 'console.log(JSON.stringify(names.map((_, index) => Object.keys(loaded[index]).sort())));';
  const esm = write(
    'names.mjs',
    `const names = ${JSON.stringify(names)}; const loaded = await Promise.all(names.map((name) => import(name))); ${print}`,
  );
  const cjs = write('names.cjs', `const names = ${JSON.stringify(names)}; const loaded = names.map(require); ${print}`);
  const [imported, required] = [esm, cjs].map((script) => JSON.parse(run(process.execPath, [script])) as string[][]);
  assert.equal(required, imported);
  imported!.forEach((exported, index) => assert.ok(exported.length > 0, `${names[index]} exports nothing`));
});

tests('the entries share their classes', () => {
  const use = `
  const pool = new UrlHashPool({ threads: 1 });
  const columns = pool.hashReadable([new TextEncoder().encode('https://example.com/\\nbad\\n')]);
  columns.next().then(({ value }) => {
    const hash = UrlHash.of('https://example.com/');
    console.log(String([value instanceof HashColumn, value.at(0) instanceof UrlHash,
      value.errorAt(1) instanceof UrlError, hash.equals(value.at(0)), hash.startsWith(value.at(0).short())]));
    return pool.close();
  });`;
  const names = '{ HashColumn, UrlError, UrlHash }';
  for (const script of [
    write('share.mjs', `import ${names} from 'urlsum'; import { UrlHashPool } from 'urlsum/pool';${use}`),
    write('share.cjs', `const ${names} = require('urlsum'); const { UrlHashPool } = require('urlsum/pool');${use}`),
  ]) {
    assert.is(run(process.execPath, [script]).trim(), 'true,true,true,true,true', script);
  }
});

tests('a host is chosen by its condition, or none by name', () => {
  const script = write(
    'host.mjs',
    `import * as host from 'urlsum'; import * as inline from 'urlsum/inline';
    console.log(host.kernelName(), inline.kernelName(), host.UrlHash.of('HTTPS://Example.com').hex);
    try { new host.UrlHasher({ kernel: 'simd' }).hashMany([]); } catch (error) { console.log(error.message); }`,
  );
  assert.is(run(process.execPath, [script]), `simd simd ${EXPECTED}\n`);
  assert.is(
    run(process.execPath, ['--conditions=fastly', script]),
    `js simd ${EXPECTED}\ncannot hash with the kernel simd: this build of urlsum carries no WebAssembly (not-started)\n`,
  );
});

/** Returns the names that a file imports. */
const importsOf = (code: string) =>
  Array.from(code.matchAll(/(?:from|import|require\()\s*"([^"\n]+)"/g), ([, name]) => name!);

/** Returns the files that an import loads, itself included; each imports by paths alone. */
function filesOf(file: string): Set<string> {
  const loaded = new Set([file]);
  for (const each of loaded) {
    for (const imported of importsOf(readFileSync(each, 'utf8'))) {
      assert.match(imported, /^\.\//, `${each} imports ${imported}`);
      loaded.add(`./${join(dirname(each), imported)}`);
    }
  }
  return loaded;
}

tests('what a browser loads as it is imports nothing by a name; `urlsum` is two files, whose bytes are limited', () => {
  const open = ENTRIES.filter(({ name }) => !NODE_ENTRIES.includes(name));
  const counts = new Map(open.map(({ name, esm }) => [name, filesOf(esm).size]));
  assert.is(counts.get('urlsum'), 2);
  assert.ok(
    [...counts.values()].every((count) => count > 1),
    'no import was found',
  );
});

/** Consoles and test tools show a value by the name of its class; bundlers change that, unless the class has its own. */
tests('each class has its name, as built and minified by a consumer', async () => {
  let count = 0;
  for (const { name, esm } of ENTRIES) {
    const outfile = join(folder, 'minified', `${name.replaceAll('/', '-')}.mjs`);
    const stdin = { contents: `export * from '${resolve(esm)}'`, resolveDir: '.' };
    await build({ stdin, bundle: true, minify: true, platform: 'node', logLevel: 'error', format: 'esm', outfile });
    const [built, minified] = await Promise.all([import(resolve(esm)), import(outfile)]);
    for (const [key, value] of Object.entries(built).filter(([, each]) => /^class\b/.test(String(each)))) {
      assert.equal([(value as { readonly name: string }).name, minified[key].name], [key, key], name);
      count++;
    }
  }
  assert.ok(count >= 15, `${count} classes`);
});

tests('a bundle of one constant holds nothing else of its entry', async () => {
  for (const [imports, limit] of [
    ["{ PROFILE } from 'urlsum'", 100],
    ["{ PUBLIC_SUFFIX_LIST as PROFILE } from 'urlsum/safe-browsing'", 100],
    ["{ NANOPUB as PROFILE } from 'urlsum/hash-uri/rdf'", 200],
  ] as const) {
    const entry = join(folder, write('constant.mjs', `import ${imports}; console.log(PROFILE);`));
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      format: 'esm',
      minify: true,
      write: false,
    });
    assert.ok(outputFiles[0]!.text.length <= limit, `${imports}: ${outputFiles[0]!.text.slice(0, 1000)}`);
  }
});

tests('the Public Suffix List stays out of a program that passes its own, and a call without one says so', async () => {
  const entry = join(
    folder,
    write(
      'own-suffixes.mjs',
      `import { expressions, SuffixList } from 'urlsum/safe-browsing';
import { SafeBrowsingChecker } from 'urlsum/safe-browsing/check';
const suffixList = SuffixList.parse('com\\n*.example\\n');
const url = 'http://a.b.c.example/';
const connection = { server: 'http://localhost/', procedure: 'no-storage', whenUnsure: 'block' };
const fetch = async () => ({ status: 503, headers: new Headers(), body: null });
const checker = new SafeBrowsingChecker({ ...connection, expressions: { suffixList }, fetch });
const { reason } = await checker.check(url);
let bundled;
try { bundled = expressions(url); } catch (error) { bundled = error.message; }
console.log(JSON.stringify([expressions(url, { suffixList }), expressions(url, { profile: 'web-risk' }).length, reason, bundled]));`,
    ),
  );
  const [whole, without] = await Promise.all(
    [{}, { URLSUM_WITHOUT_SUFFIX_LIST: 'true' }].map(async (define) => {
      const options = { bundle: true, format: 'esm', minify: true, write: false, platform: 'node', define } as const;
      const { outputFiles } = await build({ ...options, entryPoints: [entry] });
      const { text } = outputFiles[0]!;
      return { length: text.length, shown: JSON.parse(run(process.execPath, ['--input-type=module'], text)) };
    }),
  );
  const own = [['a.b.c.example/', 'b.c.example/'], 3, 'unsure: status'];
  assert.equal(whole!.shown, [...own, ['a.b.c.example/', 'b.c.example/', 'c.example/']]);
  assert.equal(without!.shown, [
    ...own,
    'the Public Suffix List was left out of this program, which must pass suffixList',
  ]);
  assert.ok(whole!.length - without!.length > 60_000, `${without!.length} of ${whole!.length} bytes`);
});

tests('the command is on the path of an installation', () => {
  assert.is(
    run(join(folder, 'node_modules/.bin/urlsum'), [], 'https://example.com\n'),
    `${EXPECTED}  https://example.com\n`,
  );
  assert.match(run(join(folder, 'node_modules/.bin/urlsum'), ['--version']), /^urlsum \d/);
});

tests('the pool starts its threads from a bundle that lies alone', async () => {
  const entry = write(
    'pool.mjs',
    `import { UrlHashPool } from 'urlsum/pool';
async function main() {
  const pool = new UrlHashPool({ threads: 2 });
  for await (const column of pool.hashFile(process.argv[2])) console.log(column.hex(0));
  await pool.close();
}
main();`,
  );
  const file = join(folder, write('one.txt', 'https://example.com\n'));
  for (const [format, name] of [
    ['cjs', 'bundle.cjs'],
    ['esm', 'bundle.mjs'],
  ] as const) {
    const outfile = join(folder, 'alone', name);
    await build({ absWorkingDir: folder, entryPoints: [entry], outfile, bundle: true, platform: 'node', format });
    for (const option of ['--no-warnings', '--disallow-code-generation-from-strings']) {
      assert.is(execFileSync(process.execPath, [option, outfile, file], { encoding: 'utf8' }), `${EXPECTED}\n`);
    }
  }
});

tests('a global installation brings the command and its manual', () => {
  const prefix = join(folder, 'global');
  run('npm', [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--offline',
    '--no-audit',
    '--no-fund',
    `./${packed.filename}`,
  ]);
  assert.match(run(join(prefix, 'bin/urlsum'), ['--version']), /^urlsum \d/);
  assert.match(readFileSync(join(prefix, 'share/man/man1/urlsum.1'), 'utf8'), /^\.TH URLSUM 1/);
});

tests('no dependencies come with it, and no sources, tests or corpora', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/urlsum/package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  assert.is(manifest['dependencies'], undefined);
  const files = packed.files.map(({ path }) => path);
  for (const file of files) {
    assert.match(
      file,
      /^(?:dist\/[\w/-]+\.(?:js|d\.ts|wasm|1)|docs\/[\w/-]+\.(?:md|svg|mjs)|examples\/[\w/-]+(?:\.(?:[jt]s|html|json|toml|md)|\/Dockerfile)|package\.json|LICENSE|THIRD-PARTY-NOTICES|[A-Z]+\.md)$/,
    );
  }
  for (const name of ['README.md', 'LICENSE', 'THIRD-PARTY-NOTICES', 'docs/runtimes.md'])
    assert.ok(files.includes(name));
  const ownFiles = files.filter((file) => !file.startsWith('docs/'));
  assert.ok(ownFiles.length <= 91, `${ownFiles.length} files; the limit is 91`);
  assert.ok(packed.size <= 8.9e5, `${packed.size} bytes packed; the limit is 890,000`);
  assert.ok(packed.unpackedSize <= 3e6, `${packed.unpackedSize} bytes unpacked; the limit is 3,000,000`);
});

const COMPILER_OPTIONS = {
  noEmit: true,
  strict: true,
  skipLibCheck: false,
  module: 'nodenext',
  target: 'es2022',
  types: [],
};

/**
 * The ways to find a package's declarations: as Node does, import and require, and as bundlers do; `node16` is the Node
 * that could not require ES modules. With one of them, the compiler's own declarations are checked beside these: half of
 * a project's time.
 */
const RESOLUTIONS = [
  { file: 'node16.mts', module: 'node16', skipDefaultLibCheck: true },
  { file: 'nodenext.mts', module: 'nodenext' },
  { file: 'nodenext-required.cts', module: 'nodenext', skipDefaultLibCheck: true },
  { file: 'bundler.ts', module: 'esnext', moduleResolution: 'bundler', skipDefaultLibCheck: true },
];

/** Programs of no host, of a browser, with Node's types, and with all that is newest. */
const HOSTS = [
  { lib: ['es2022'] },
  { lib: ['es2022', 'dom'] },
  { lib: ['es2022'], types: ['node'], typeRoots: [resolve('node_modules/@types')] },
  { lib: ['esnext', 'dom'] },
];

tests('the declarations compile whole, whatever finds them, beside the types of each host', () => {
  const program = ENTRIES.map(({ name }, index) => `export * as entry${index} from '${name}';`).join('\n');
  for (const { file } of RESOLUTIONS) write(file, program);
  compile(RESOLUTIONS.flatMap((resolution) => HOSTS.map((host) => ({ ...resolution, ...host }))));
});

/** Compiles files as programs of their own, each with the options beside its name. */
function compile(programs: readonly { readonly file: string; readonly lib: readonly string[] }[]): void {
  const projects = programs.map(({ file, ...options }, index) =>
    write(
      `program-${index}.json`,
      JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, ...options }, files: [file] }),
    ),
  );
  assert.is(compilerErrors(...projects.map((name) => join(folder, name))), '');
}

tests('a start of the command loads what it needs, and nothing large besides', () => {
  const load = `import { writeSync } from 'node:fs';
export function load(url, context, next) {
  writeSync(2, url + '\\n');
  return next(url, context);
}`;
  const hooks = write('load.mjs', load);
  const hook = write(
    'register.mjs',
    `import { register } from 'node:module'; register('./${hooks}', import.meta.url);`,
  );
  const loadedBy = (...args: string[]) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', `./${hook}`, 'node_modules/urlsum/dist/esm/cli.js', ...args],
      { cwd: folder, encoding: 'utf8', input: 'http://a.example/\n' },
    );
    assert.is(status, 0, stderr);
    return stderr.split('\n').flatMap((line) => /dist\/esm\/([\w-]+)\.js$/.exec(line)?.[1] ?? []);
  };
  assert.not(loadedBy('--version').includes('cli-main'));
  for (const args of [[], ['canon'], ['expressions'], ['list', 'build', '-o', 'one.list']]) {
    const names = loadedBy(...args);
    assert.ok(names.includes('cli-main'), `${args}`);
    assert.not(names.includes('protobuf'), `${args}`);
  }
  assert.ok(loadedBy('list', 'diff', '--out', 'update.bin', 'one.list').includes('protobuf'));
});

tests.run();
