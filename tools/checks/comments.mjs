// Finds the doc comments whose subject the reader must guess: those that begin with one of WORDS in place of the noun of
// a value or the verb of a function. `npm run lint` fails where there is one.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['assembly', 'src', 'test', 'tools', 'bench', 'demo'];
const WORDS = ['What', 'Of', 'As', 'In', 'More', 'Those', 'By', 'For', 'Such', 'Not'];
const COMMENT = new RegExp(String.raw`/\*\*(?:\s*\*)?\s+(?:${WORDS.join('|')})\b.*`, 'g');

const names = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)));
const found = names
  .filter((name) => /^(?!.*node_modules).*\.(?:ts|mjs)$/.test(name))
  .flatMap((name) => {
    const text = readFileSync(name, 'utf8');
    return Array.from(text.matchAll(COMMENT), ({ 0: comment, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${name}:${line}: ${comment.replace(/\s*\n\s*\*\s*/, ' ')}`;
    });
  });
if (found.length > 0) {
  console.error(`${found.join('\n')}\n${found.length} comments begin with ${WORDS.join(', ')}; the limit is 0`);
  process.exitCode = 1;
}
