// The public surface, for review: what each entry exports, and the declarations without their comments, as they are
// built. `node tools/checks/surface.mjs` writes it; with --check it only compares.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { ENTRIES } from '../entries.mjs';

const FILE = 'test/package/surface.md';

/** A string, which is kept, or a comment, which is not. */
const TEXT_OR_COMMENT = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*)\n?/g;

/** Imports and exports of names that the bundler made up change with whatever is added. */
const IMPORTS = /^import [^;]*;\n/gm;
const EXPORTS = /^export \{([^}]*)\};\n/gm;

/** The type that tools/declarations.mjs writes for older compilers. */
const OWN_MEMORY = /ReturnType<typeof (\w+)\.from>/g;

function declarationsOf(file) {
  const code = readFileSync(`dist/types/${file}.d.ts`, 'utf8');
  return code.replace(TEXT_OR_COMMENT, '$1').replace(OWN_MEMORY, '$1<ArrayBuffer>');
}

function exportedNames(code) {
  const names = [...code.matchAll(EXPORTS)].flatMap(([, list]) => list.split(','));
  return names.map((name) => name.trim().replace(/^type /, '')).sort();
}

function section(title, code, names) {
  const declarations = code.replace(IMPORTS, '').replace(EXPORTS, '').trim();
  return `## ${title}\n\n\`\`\`ts\n${declarations}\n${names.length === 0 ? '' : `export { ${names.join(', ')} };\n`}\`\`\`\n`;
}

const written = [
  '# Public surface\n\nWritten by `npm run surface`: a change here is a change for users.\n',
  ...ENTRIES.map(({ name, file }) => {
    const code = declarationsOf(file);
    return section(name, code, exportedNames(code));
  }),
  section('Declared once for several entries', declarationsOf('shared'), []),
].join('\n');
const surface = execFileSync('node_modules/.bin/biome', ['format', `--stdin-file-path=${FILE}`], {
  input: written,
  encoding: 'utf8',
});

if (!process.argv.includes('--check')) writeFileSync(FILE, surface);
else if (readFileSync(FILE, 'utf8') !== surface) {
  console.error(`${FILE} is not the surface as built: run \`npm run surface\`, and look at what it changes`);
  process.exit(1);
}
