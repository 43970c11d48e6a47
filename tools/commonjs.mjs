// esbuild splits only ES modules into chunks, so the CommonJS build is made of those: each becomes a CommonJS file
// of the same name, and `import` from a chunk becomes `require` of it, `import()` too.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { build, transform } from 'esbuild';

async function toCommonJs({ path, text }) {
  const { code } = await transform(text, { format: 'cjs', target: 'es2022', supported: { 'dynamic-import': false } });
  writeFileSync(path, code);
}

/** Runs an esbuild bundle that makes ES modules, and writes them as CommonJS where it would write them. */
export async function buildCommonJs(options) {
  const { outputFiles } = await build({ ...options, write: false });
  for (const folder of new Set(outputFiles.map(({ path }) => dirname(path)))) mkdirSync(folder, { recursive: true });
  await Promise.all(outputFiles.map(toCommonJs));
  writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
}
