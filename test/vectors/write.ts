// Computes the results of all cases again and writes them into the files beside this one: `npm run vectors`. A case that
// was added by hand needs no `expect`. With --check it writes nothing, and fails where a file would change.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as hashUri from '../../src/entries/hash-uri.ts';
import * as hashedUri from '../../src/entries/hashed-uri.ts';
import * as safeBrowsing from '../../src/entries/safe-browsing.ts';
import * as site from '../../src/entries/site.ts';
import * as url from '../../src/index.ts';
import { answered, textOfFile } from './file.ts';
import type { VectorFile } from './vector.ts';

const checks = process.argv.includes('--check');

for (const name of readdirSync('vectors').filter((each) => each.endsWith('.json'))) {
  const path = `vectors/${name}`;
  const before = readFileSync(path, 'latin1');
  const file = answered(JSON.parse(before) as VectorFile, { url, site, safeBrowsing, hashedUri, hashUri });
  const text = textOfFile(file);
  console.log(`${path}: ${file.cases.length} cases, ${text === before ? 'as before' : 'changed'}`);
  if (checks && text !== before) process.exitCode = 1;
  if (!checks && text !== before) writeFileSync(path, text, 'latin1');
}
