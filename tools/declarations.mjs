// The entries' declarations, one file each; what several of them declare lies in one file that they share, so that
// a HashColumn of `urlsum/pool` is one of `urlsum`. The shared file refers to every entry: the declarations of a program
// that imports `urlsum/pool` alone name a HashColumn by `urlsum`, which must be in the program (TS2742).
import { mkdirSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { dts } from 'rolldown-plugin-dts';
import { ENTRIES } from './entries.mjs';

/** Where `tsc -p src` writes a file of declarations for each source. */
const COMPILED = 'build/types';

/**
 * Types that the declarations use and that a program without the types of its host (lib.dom, @types/node, …) or with an
 * older `lib` lacks: interfaces, which merge with those of programs that have them. `URL` has the methods that strings,
 * numbers and plain objects lack.
 */
const GLOBALS = `interface URL {
  toString(): string;
  toJSON(): string;
}
interface ReadableStream<R = any> {}
interface TransformStream<I = any, O = any> {}
interface SymbolConstructor {
  readonly dispose: unique symbol;
  readonly asyncDispose: unique symbol;
}
`;

/** Names and texts of the bundled files. */
async function bundled() {
  const bundle = await rolldown({
    input: Object.fromEntries(
      ENTRIES.map(({ file, source }) => [file, `${COMPILED}/${source.replace(/ts$/, 'd.ts')}`]),
    ),
    plugins: [dts({ dtsInput: true })],
    external: /^node:/,
    experimental: { attachDebugInfo: 'none' },
  });
  const codeSplitting = { groups: [{ name: 'shared', minShareCount: 2 }] };
  const { output } = await bundle.generate({ chunkFileNames: '[name].d.ts', codeSplitting });
  return output.map(({ fileName: name, code }) => [name, code]);
}

/**
 * Returns what a node becomes that is written otherwise than the bundler has it: from TypeScript 5.7 on a typed array's
 * type names its memory; before, it takes no parameter. What `from` returns is `Uint8Array<ArrayBuffer>` to the one and
 * `Uint8Array` to the other.
 */
function rewritten(node) {
  if (node.type !== 'TSTypeReference' || !node.typeName.name?.endsWith('Array')) return undefined;
  const [memory] = node.typeArguments?.params ?? [];
  return memory?.typeName?.name === 'ArrayBuffer' ? [node, `ReturnType<typeof ${node.typeName.name}.from>`] : undefined;
}

/** Where the declarations are written otherwise, in their order: [node, text]. */
function* rewritings(node) {
  if (typeof node !== 'object' || node === null) return;
  const own = Array.isArray(node) ? undefined : rewritten(node);
  if (own !== undefined) yield own;
  else for (const child of Object.values(node)) yield* rewritings(child);
}

function forConsumers(code) {
  let text = '';
  let end = 0;
  for (const [node, replacement] of rewritings(parseAst(code, { lang: 'dts' }))) {
    text += code.slice(end, node.start) + replacement;
    end = node.end;
  }
  return text + code.slice(end);
}

export async function writeDeclarations() {
  mkdirSync('dist/types', { recursive: true });
  const write = (name, text) => writeFileSync(`dist/types/${name}`, text);
  write('globals.d.ts', GLOBALS);
  for (const [name, code] of await bundled()) {
    const references = name.startsWith('shared.') ? ['globals', ...ENTRIES.map(({ file }) => file)] : ['globals'];
    const head = references.map((file) => `/// <reference path="./${file}.d.ts" />\n`).join('');
    write(name, `${head}${forConsumers(code)}\n`);
  }
}
