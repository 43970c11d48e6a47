// What the generated tables in src/ have in common: how they are written, and how a tool gets at the sources that read
// them.
import { writeFileSync } from 'node:fs';
import { build } from 'esbuild';

/** A string constant in lines of at most 120 columns. */
export function stringConstant(name, text) {
  if (/[^ -~]|["'`\\$]/.test(text)) throw new Error(`${name} holds a character that a literal would escape`);
  const pieces = text.match(/.{1,112}/g).map((piece) => `  '${piece}'`);
  return `export const ${name} =\n${pieces.join(' +\n')};\n`;
}

/** What a source file exports, it and its imports bundled for this process. */
export async function sourceModule(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    alias: { punycode: 'punycode/punycode.es6.js' },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

export function write(path, text) {
  writeFileSync(path, text);
  console.log(`${path}: ${text.length} characters`);
}
