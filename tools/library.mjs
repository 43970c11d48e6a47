// The library in dist/: each entry as an ES module that carries the kernels as text, and once more for hosts that compile
// WebAssembly themselves or have none: there it imports `#kernel` and `#expressions`, which package.json's `imports`
// resolve by the host's condition.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { ENTRIES } from './entries.mjs';

/**
 * Sources that are large and not in every entry: the Public Suffix List, n3's parser and protobuf. Each is a file of
 * its own in dist/esm, which all ES modules of the package take it from. The tables of UTS #46 are in every entry, and
 * a file more to load is 0.5 ms of a start's 5 in Node.
 */
const SHARED = {
  'public-suffixes': 'src/specs/safe-browsing/public-suffixes.ts',
  'n3-parser': 'src/specs/hash-uri/rdf/n3-parser.ts',
  protobuf: 'src/service/lists/messages/protobuf.ts',
};
const SHARED_SOURCE = new RegExp(`/(?:${Object.keys(SHARED).join('|')})\\.ts$`);

/** A plugin for rolldown: what is shared lies in the folder `esm`, as seen from the file that is made. */
const sharedFrom = (esm) => ({
  name: 'shared files',
  resolveId: (path) => (SHARED_SOURCE.test(path) ? { id: `${esm}/${basename(path, '.ts')}.js`, external: true } : null),
});

/** A plugin for esbuild: what is shared lies beside the file that is made. */
export const sharedBeside = {
  name: 'shared beside',
  setup: ({ onResolve }) =>
    onResolve({ filter: SHARED_SOURCE }, ({ path }) => ({ path: `./${basename(path, '.ts')}.js`, external: true })),
};

/**
 * The stages: sources that several entries reach become a file for each, and what they import of earlier ones stays
 * there.
 */
const STAGES = {
  core: /\/src\/(?:core\/(?:[\w-]+\.ts$|(?:bytes|url|digest|bulk)\/|kernel\/(?!.*-expressions))|store\/node-module\.ts$)/,
  store: /\/src\/store\/[\w-]+\.ts$/,
  uris: /\/src\/specs\/hash(?:ed)?-uri\//,
  expressions:
    /\/src\/(?:specs\/safe-browsing\/|service\/lists\/(?:prefix-set|sorted-prefixes)\.ts|core\/kernel\/.*-expressions)/,
  lists: /\/src\/service\/lists\//,
};
const groups = Object.entries(STAGES).map(([name, test], index, { length }) => {
  return { name, test, minShareCount: 2, priority: length - index };
});

/** The sources of the library's files, for the test of the notices. */
const modules = new Set();

/**
 * Minified: of the time that Node takes to import an entry, more than half goes by the bytes of its code.
 *
 * @param {Record<string, string>} input the source of each file of `folder`
 */
async function bundle(folder, input, { alias, ...options }) {
  const library = await rolldown({
    input,
    platform: 'neutral',
    moduleTypes: { '.hex': 'text', '.txt': 'text' },
    // of @bufbuild/protobuf: no environment is to turn 64-bit numbers into strings
    transform: { target: 'es2022', define: { 'process.env.BUF_BIGINT_DISABLE': '"0"', ASC_TARGET: '0' } },
    resolve: { mainFields: ['module', 'main'], alias: { punycode: 'punycode/punycode.es6.js', ...alias } },
    ...options,
  });
  const { output } = await library.write({
    dir: `dist/${folder}`,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: { groups },
    comments: { legal: false, jsdoc: false },
    minify: true,
  });
  for (const { fileName, code, moduleIds = [] } of output) {
    writeFileSync(`dist/${folder}/${fileName}`, withErrorsOnLines(quickToRead(code)));
    for (const id of moduleIds) modules.add(relative('.', id));
  }
}

/**
 * Engines read ASCII in half the memory, and a string twice as fast as a template, which they keep in both its forms:
 * together 0.3 ms of a start in Node.
 */
function quickToRead(code) {
  const templates = [];
  const visit = (node, parent) => {
    if (node === null || typeof node !== 'object') return;
    const isText = node.type === 'TemplateLiteral' && node.expressions.length === 0;
    if (isText && parent.type !== 'TaggedTemplateExpression') templates.push(node);
    for (const child of Object.values(node)) visit(child, Array.isArray(node) ? parent : node);
  };
  visit(parseAst(code));
  let text = code;
  for (const { start, end, quasis } of templates.sort((one, other) => other.start - one.start))
    text = text.slice(0, start) + JSON.stringify(quasis[0].value.cooked) + text.slice(end);
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Ends lines at what makes errors: of one that nobody catches Node shows the line, which is not to be 100 kB of code.
 */
function withErrorsOnLines(code) {
  const breaks = [];
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (node.type === 'ThrowStatement' || makesError(node)) breaks.push(node.start, node.end);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(code));
  const ends = [...new Set(breaks), code.length].sort((a, b) => a - b);
  return ends.map((end, index) => code.slice(ends[index - 1] ?? 0, end)).join('\n');
}

/** A statement returns what may be an error. */
const makesError = ({ type, argument }) =>
  type === 'ReturnStatement' && (argument?.type === 'NewExpression' || /Error$/.test(argument?.callee?.name));

const sourcesOf = (entries) => Object.fromEntries(entries.map(({ file, source }) => [file, source]));
/** Modules by name, and the file that embeds each. */
const MODULES = { '#kernel': 'inline', '#expressions': 'inline-expressions' };
const INLINE = Object.fromEntries(
  Object.entries(MODULES).map(([name, file]) => [name, resolve(`src/core/kernel/${file}.ts`)]),
);

/** The files that package.json's `imports` resolve these names to, by host. */
const { imports } = JSON.parse(readFileSync('package.json', 'utf8'));
const HOSTS = [...new Set(Object.values(imports).flatMap((paths) => Object.values(paths)))].map((path) =>
  basename(path, '.js'),
);

/** A plugin for rolldown: files that export some names of several sources. */
const namesOf = (files) => ({
  name: 'names of sources',
  resolveId: (path) => (path in files || path.startsWith('all of ') ? path : null),
  load(path) {
    if (path in files) return `export { ${files[path].names} } from 'all of ${path}';`;
    const { sources = [] } = files[path.slice('all of '.length)] ?? {};
    return path.startsWith('all of ')
      ? sources.map((each) => `export * from ${JSON.stringify(each)};`).join('\n')
      : null;
  },
});

/** @param more files in dist/esm by name, with the names that each exports and the sources of these */
export async function buildLibrary(more) {
  const sources = sourcesOf(ENTRIES.filter(({ isApart }) => !isApart));
  const external = [/^node:/, 'stream'];
  const withMore = { ...sources, ...Object.fromEntries(Object.keys(more).map((file) => [file, file])) };
  await bundle('esm', withMore, {
    alias: INLINE,
    external,
    plugins: [namesOf(more), sharedFrom('.'), pureInitialisers],
  });
  for (const [file, source] of Object.entries(SHARED))
    await bundle('esm', { [file]: source }, { external, plugins: [pureInitialisers] });
  const forHosts = sourcesOf(ENTRIES.filter(({ hasKernel }) => hasKernel));
  await bundle('hosts', forHosts, {
    external: [...Object.keys(MODULES), ...external],
    plugins: [sharedFrom('../esm'), pureInitialisers],
  });
  await build({
    entryPoints: HOSTS.map((host) => `src/core/kernel/${host}.ts`),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    loader: { '.wasm': 'copy' },
    outdir: 'dist/hosts/kernel',
    assetNames: '[name]',
  });
  writeFileSync('build/modules.json', JSON.stringify([...modules], null, 1));
}

// The command's files in dist/esm, and the entries that are built with them. What they take of the URL's stages and the
// kernels stands in core.js already, and is not in them a second time. They name it; the library is built with a file
// that exports these names; and that file, which imports them from core.js, becomes a part of them.

/** Sources that are large or must be there once: the kernels, opened once, and the tables of Unicode, read once. */
const TAKEN = /\/src\/core\/(?:url|kernel)\/(?!host-hash|.*-expressions)/;
const NAMES = 'command-core';
const NAMES_FILE = `./${NAMES}.js`;

/** A plugin for esbuild: what is taken is imported from the file of names; `sources` gets its sources. */
const takenInto = (sources) => ({
  name: 'taken of the core',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
      const source = resolve(resolveDir, path);
      if (!TAKEN.test(source)) return undefined;
      sources.add(source);
      return { path: NAMES_FILE, external: true, sideEffects: false };
    });
  },
});

function namesIn({ text }) {
  const lists = Array.from(text.matchAll(/import\s*\{([^}]*)\}\s*from\s*"\.\/command-core\.js"/g), ([, list]) => list);
  if (lists.length !== text.split(NAMES_FILE).length - 1) throw new Error('the core is imported not only by names');
  return lists.flatMap((list) => list.split(',').map((each) => each.split(' as ')[0].trim()));
}

/** @param options of esbuild, with the entry points of the command's files, and the library's folder */
export async function buildCommandAndLibrary(options) {
  const sources = new Set();
  const plugins = [...options.plugins, takenInto(sources)];
  const { outputFiles } = await build({ ...options, plugins, write: false });
  const names = [...new Set(outputFiles.flatMap(namesIn))].sort();
  await buildLibrary({ [NAMES]: { names, sources: [...sources] } });
  const file = resolve(options.outdir, NAMES_FILE);
  const besides = {
    name: 'files besides',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\// }, ({ path }) => (path === NAMES_FILE ? { path: file } : { path, external: true })),
  };
  for (const { path, text } of outputFiles)
    await build({
      ...options,
      entryPoints: undefined,
      outdir: undefined,
      outfile: path,
      plugins: [besides],
      stdin: { contents: text, resolveDir: options.outdir },
    });
  rmSync(file);
}

// A plugin for rolldown. Bundlers leave out what a program does not use if they know that making it does nothing. They
// do not know it of a class with a computed name, of a spread, or of 1 << 20: for a constant alone webpack kept 85 kB.
// Nothing else runs when a file of the library is imported, so each such initialiser becomes a call marked as pure.

const MARK = '/* @__PURE__ */';

/** Expressions that every bundler knows to do nothing, with the parts that must be such. */
const INERT = {
  Literal: () => [],
  Identifier: () => [],
  FunctionExpression: () => [],
  ArrowFunctionExpression: () => [],
  UnaryExpression: ({ argument }) => [argument],
  TemplateLiteral: ({ expressions }) => expressions.map(() => undefined), // whose text may be asked of an object
  ArrayExpression: ({ elements }) => elements,
  ObjectExpression: ({ properties }) => properties,
  Property: ({ computed, value }) => [...(computed ? [undefined] : []), value],
  // one with a base is not: to a bundler, what it extends may be anything
  ClassExpression: ({ superClass, body }) => [...(superClass ? [undefined] : []), ...body.body],
  MethodDefinition: ({ computed }) => (computed ? [undefined] : []),
  PropertyDefinition: ({ computed, static: isStatic, value }) => [
    ...(computed ? [undefined] : []),
    ...(isStatic && value !== null ? [value] : []),
  ],
};

function isInert(node) {
  return node?.type in INERT && INERT[node.type](node).every(isInert);
}

/** The initialisers of a file's own variables, the last one first. */
function initialisers({ body }) {
  return body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .filter((statement) => statement?.type === 'VariableDeclaration')
    .flatMap(({ declarations }) => declarations.map(({ init }) => init))
    .filter((init) => init != null)
    .reverse();
}

/** Whether a call is marked as pure, and so are its arguments. */
function isMarked(code, { start, arguments: values }) {
  return code.slice(0, start).trimEnd().endsWith(MARK) && values?.every(isInert) === true;
}

function marked(code) {
  let text = code;
  for (const init of initialisers(parseAst(code))) {
    if (isInert(init) || isMarked(code, init)) continue;
    text = `${text.slice(0, init.start)}${MARK} (() => (${text.slice(init.start, init.end)}))()${text.slice(init.end)}`;
  }
  return text;
}

export const pureInitialisers = {
  name: 'pure initialisers',
  // not before: to minify is to take the marks away
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = marked(file.code);
  },
};
