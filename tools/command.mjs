// The command's files in dist/esm, and the entries that are built with them. What they take of the URL's stages and the
// kernels stands in core.js already, and is not in them a second time. They name it; the library is built with a file
// that exports these names; and that file, which imports them from core.js, becomes a part of them.
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { buildLibrary } from './library.mjs';

/** What is large, and what must be one: the kernels, opened once, and the tables of Unicode, read once. */
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
