// The entries' declarations, one file each; what several of them declare lies in one file that they share, so that
// a HashColumn of `urlsum/pool` is one of `urlsum`. They are CommonJS's, which ES modules may import and not the other
// way round: of each entry an ES module's file exports the same.
import { mkdirSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { ENTRIES } from './entries.mjs';

/** Where `tsc -p src` writes a file of declarations for each source. */
const COMPILED = 'build/types';

/** Names of the web platform that the declarations use: interfaces, which merge with those of the program's host. */
const GLOBALS = `// Where a program has the types of its host (lib.dom, @types/node, …), these are the same
// interfaces and add nothing to them; where it has none, the declarations of urlsum still compile.
interface AbortSignal {}
interface ReadableStream<R = any> {}
interface TransformStream<I = any, O = any> {}
interface URL {}
`;

/** Names and texts of the bundled files. */
async function bundled() {
  const bundle = await rolldown({
    input: Object.fromEntries(
      ENTRIES.map(({ file, source }) => [file, `${COMPILED}/${source.replace(/ts$/, 'd.ts')}`]),
    ),
    plugins: [dts({ dtsInput: true })],
    external: /^node:/,
  });
  const codeSplitting = { groups: [{ name: 'shared', minShareCount: 2 }] };
  const { output } = await bundle.generate({ chunkFileNames: '[name].d.ts', codeSplitting });
  return output.map(({ fileName: name, code }) => [name, code]);
}

/**
 * From TypeScript 5.7 on a typed array's type names its memory; before, it takes no parameter. What `from` returns is
 * `Uint8Array<ArrayBuffer>` to the one and `Uint8Array` to the other.
 */
function forOlderCompilers(code) {
  return code.replace(/\b(\w+Array)<ArrayBuffer>/g, 'ReturnType<typeof $1.from>');
}

/** Without the bundler's notes of where things were. */
function withoutOrigins(code) {
  return code.replace(/^\/\/(?:#region.*|#endregion| build\/types\/.*)\n/gm, '');
}

export async function writeDeclarations() {
  mkdirSync('dist/types', { recursive: true });
  const write = (name, text) => writeFileSync(`dist/types/${name}`, text);
  write('globals.d.ts', GLOBALS);
  for (const [name, code] of await bundled()) {
    const text = forOlderCompilers(withoutOrigins(code)).replaceAll(/(from "\.\/[\w-]+)\.js"/g, '$1.cjs"');
    write(name.replace(/ts$/, 'cts'), `/// <reference path="./globals.d.ts" />\n${text}\n`);
  }
  for (const { file } of ENTRIES) write(`${file}.d.ts`, `export * from './${file}.cjs';\n`);
}
