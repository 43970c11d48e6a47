// All builds of the library's entries as one bundle, in which they share their chunks. package.json's `imports` have a
// choice of files for `#kernel-module`, `#idna` and `#sha256`. A module that reaches one of these names is bundled once
// for each choice (esbuild takes `open.ts?inline` for another file than `open.ts?workerd`), any other module once.
import { readFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * @typedef {object} Output
 * @property {string} source
 * @property {readonly string[]} conditions that choose among package.json's `imports`
 */

const IMPORTS = JSON.parse(readFileSync('package.json', 'utf8')).imports;

/**
 * Sources that an entry takes whole if it reaches a file of theirs: esbuild makes a chunk of what the same entries
 * reach, which without this would be fifty small ones.
 */
const WHOLE = [
  { sources: ['src/index.ts', 'src/stream/index.ts', 'src/hash-uri/index.ts'], file: /^src\/kernel\/open\.ts$/ },
  { sources: ['src/safe-browsing/index.ts'], file: /^src\/safe-browsing\/(?!lists\/)/ },
];

function choice(specifier, conditions) {
  const choices = Object.entries(IMPORTS[specifier]);
  return choices.find(([condition]) => condition === 'default' || conditions.includes(condition))[1];
}

/** What each source imports, itself or by what it imports: files, and names of IMPORTS. */
async function importsOf(sources, options) {
  const unresolved = {
    name: 'unresolved',
    setup: ({ onResolve }) => onResolve({ filter: /^#/ }, ({ path }) => ({ path, external: true })),
  };
  const entryPoints = [...new Set(sources)];
  const { metafile } = await build({ ...options, entryPoints, plugins: [unresolved], metafile: true, write: false });
  const reached = (path, found = new Set()) => {
    for (const { path: imported } of metafile.inputs[path]?.imports ?? [])
      if (!found.has(imported)) reached(imported, found.add(imported));
    return found;
  };
  return new Map(Object.keys(metafile.inputs).map((path) => [path, [...reached(path)]]));
}

function plugin(outputs, imports) {
  const resolved = (path, conditions) => {
    const names = (imports.get(relative('.', path)) ?? []).filter((name) => name in IMPORTS).sort();
    const choices = names.map((name) => basename(choice(name, conditions), '.ts'));
    return { path, suffix: choices.length === 0 ? '' : `?${choices.join('&')}`, pluginData: conditions };
  };
  const entries = new Set(Object.values(outputs).map(({ source }) => source));
  const takenWhole = (source) =>
    WHOLE.filter(({ file }) => entries.has(source) && imports.get(source).some((path) => file.test(path)))
      .flatMap(({ sources }) => sources)
      .filter((each) => each !== source && entries.has(each));

  function setup({ onLoad, onResolve, ...esbuild }) {
    onResolve({ filter: /./ }, ({ kind, path }) => {
      if (kind !== 'entry-point') return undefined;
      const { source, conditions } = outputs[path];
      return resolved(resolve(source), conditions);
    });
    onResolve({ filter: /^[./].*\.ts$/ }, ({ path, resolveDir, pluginData }) =>
      resolved(resolve(resolveDir, path), pluginData),
    );
    onResolve({ filter: /^#/ }, ({ path, kind, resolveDir, pluginData }) => {
      const chosen = choice(path, pluginData);
      return chosen.startsWith('.')
        ? resolved(resolve(chosen), pluginData)
        : esbuild.resolve(chosen, { kind, resolveDir });
    });
    onLoad({ filter: /\.ts$/ }, ({ path, pluginData }) => {
      const whole = takenWhole(relative('.', path)).map((source) => `import ${JSON.stringify(resolve(source))};`);
      return { contents: whole.join(' ') + readFileSync(path, 'utf8'), loader: 'ts', pluginData };
    });
  }
  return { name: 'variants', setup };
}

/**
 * esbuild's options for one bundle of all `outputs`.
 *
 * @param {Readonly<Record<string, Output>>} outputs by their names, without an ending
 */
export async function variants(outputs, options) {
  const sources = Object.values(outputs).map(({ source }) => source);
  const imports = await importsOf(sources, options);
  const entryPoints = Object.fromEntries(Object.keys(outputs).map((name) => [name, name]));
  return { ...options, splitting: true, entryPoints, plugins: [plugin(outputs, imports)] };
}
