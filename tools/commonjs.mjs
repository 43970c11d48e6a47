// esbuild splits only ES modules into chunks, so the CommonJS build is made of those: each becomes a CommonJS file
// of the same name, and `import` from a chunk becomes `require` of it, `import()` too.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';

async function toCommonJs({ path, text }, folder) {
  const { code } = await transform(text, {
    format: 'cjs',
    target: 'es2022',
    supported: { 'dynamic-import': false },
  });
  writeFileSync(join(folder, basename(path)), code);
}

/** Runs esbuild's `bundles`, which make ES modules, and writes them into `folder` as CommonJS. */
export async function buildCommonJs(folder, bundles) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  const built = await Promise.all(bundles.map((options) => build({ ...options, write: false })));
  await Promise.all(built.flatMap(({ outputFiles }) => outputFiles).map((file) => toCommonJs(file, folder)));
}
