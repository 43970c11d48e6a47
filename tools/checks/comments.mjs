// Finds the doc comments whose subject the reader must guess: those that begin with one of WORDS in place of the noun of
// a value or the verb of a function; and the sources that comments name and that are not there. `npm run lint` fails
// where there is one.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['assembly', 'src', 'test', 'tools', 'bench', 'demo'];
const WORDS = ['What', 'Of', 'As', 'In', 'More', 'Those', 'By', 'For', 'Such', 'Not'];
const COMMENT = new RegExp(String.raw`/\*\*(?:\s*\*)?\s+(?:${WORDS.join('|')})\b.*`, 'g');

const LINE_OF_COMMENT = /^ *(?:\/\/|\/?\*).*/gm;
const SOURCE = /(?<![\w./-])(?:assembly|src|test|tools|bench|demo)\/[\w./-]+\.(?:ts|mjs|json|txt|html|css)\b/g;

const names = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)));
const found = names
  .filter((name) => /^(?!.*node_modules).*\.(?:ts|mjs)$/.test(name))
  .flatMap((name) => {
    const text = readFileSync(name, 'utf8');
    const lineAt = (index) => text.slice(0, index).split('\n').length;
    const subjectless = Array.from(text.matchAll(COMMENT), ({ 0: comment, index }) => {
      return `${name}:${lineAt(index)}: begins with ${WORDS.join(', ')}: ${comment.replace(/\s*\n\s*\*\s*/, ' ')}`;
    });
    const lost = Array.from(text.matchAll(LINE_OF_COMMENT), ({ 0: comment, index }) => {
      const sources = comment.match(SOURCE) ?? [];
      return sources.filter((path) => !existsSync(path)).map((path) => `${name}:${lineAt(index)}: names ${path}`);
    });
    return [...subjectless, ...lost.flat()];
  });
if (found.length > 0) {
  console.error(`${found.join('\n')}\n${found.length} comments have no subject, or name a source that is not there`);
  process.exitCode = 1;
}
