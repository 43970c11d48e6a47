// The entries' declarations, one file each; what several of them declare lies in one file that they share, so that
// a HashColumn of `urlsum/stream` is one of `urlsum`. dist/cjs has the same files, which are CommonJS's there.
import { writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { FULL_ENTRIES, fileName, sourceOf } from './entries.mjs';

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
  const declarationsOf = (entry) => `${COMPILED}/${sourceOf(entry).replace(/\.ts$/, '.d.ts')}`;
  const bundle = await rolldown({
    input: Object.fromEntries(FULL_ENTRIES.map((entry) => [fileName(entry), declarationsOf(entry)])),
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
  const files = (await bundled()).map(([name, code]) => [
    name,
    `/// <reference path="./globals.d.ts" />\n${forOlderCompilers(withoutOrigins(code))}\n`,
  ]);
  for (const folder of ['dist/esm', 'dist/cjs'])
    for (const [name, text] of [...files, ['globals.d.ts', GLOBALS]]) writeFileSync(`${folder}/${name}`, text);
}
