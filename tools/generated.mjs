// What the generated tables in src/ have in common: how they are written, and how a tool gets at the sources that read
// them.
import { writeFileSync } from 'node:fs';
import { build } from 'esbuild';

/** A text that a bundle holds as a string literal: an escape would be a character more. */
export function literal(text) {
  if (/[^ -~]|["'`\\$]/.test(text)) throw new Error('a literal would escape a character of the table');
  return text;
}

/** What a source file exports, it and its imports bundled for this process. */
export async function sourceModule(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    loader: { '.txt': 'text', '.hex': 'text' },
    alias: { punycode: 'punycode/punycode.es6.js' },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

export function write(path, text) {
  writeFileSync(path, text);
  console.log(`${path}: ${text.length} characters`);
}
