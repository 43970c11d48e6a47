// Counts the doc comments whose subject the reader must guess: those that begin with one of WORDS in place of the noun of
// a value or the verb of a function. `npm run lint` fails where a folder has more than LIMITS; no limit rises.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WORDS = ['What', 'Of', 'As', 'In', 'More', 'Those', 'By', 'For', 'Such', 'Not'];
const COMMENT = new RegExp(String.raw`/\*\*(?:\s*\*)?\s+(?:${WORDS.join('|')})\b.*`, 'g');

/** The comments that stood in each folder when they were counted first. */
const LIMITS = {
  assembly: 0,
  'src/command': 0,
  'src/core': 0,
  'src/entries': 0,
  'src/service': 0,
  'src/specs': 0,
  'src/store': 0,
  'src/tables': 0,
  test: 227,
  tools: 0,
  bench: 56,
  demo: 47,
};

/** Returns `file:line: comment` for each. */
function commentsIn(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) =>
    /^(?!.*node_modules).*\.(?:ts|mjs)$/.test(name),
  );
  return names.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return Array.from(text.matchAll(COMMENT), ([comment]) => {
      const line = text.slice(0, text.indexOf(comment)).split('\n').length;
      return `${join(folder, name)}:${line}: ${comment.replace(/\s*\n\s*\*\s*/, ' ')}`;
    });
  });
}

for (const [folder, limit] of Object.entries(LIMITS)) {
  const comments = commentsIn(folder);
  if (comments.length > limit) {
    console.error(
      `${comments.join('\n')}\n${folder}: ${comments.length} comments begin with ${WORDS.join(', ')}; the limit is ${limit}`,
    );
    process.exitCode = 1;
  }
}
