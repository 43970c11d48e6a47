// Writes the files of vectors beside this folder; with --check it writes nothing, and fails where one would change.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as hashUri from '../../src/entries/hash-uri.ts';
import * as hashedUri from '../../src/entries/hashed-uri.ts';
import * as safeBrowsing from '../../src/entries/safe-browsing.ts';
import * as url from '../../src/index.ts';
import { textOfFile } from './file.ts';
import { vectorFiles } from './files.ts';

const checks = process.argv.includes('--check');

for (const [name, file] of Object.entries(vectorFiles({ url, safeBrowsing, hashedUri, hashUri }))) {
  const text = textOfFile(file);
  const path = `vectors/${name}`;
  const isSame = existsSync(path) && readFileSync(path, 'latin1') === text;
  console.log(`${path}: ${file.cases.length} cases, ${text.length} bytes, ${isSame ? 'as before' : 'changed'}`);
  if (checks && !isSame) process.exitCode = 1;
  if (!checks) writeFileSync(path, text, 'latin1');
}
