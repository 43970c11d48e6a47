// Writes the tables of Unicode and of the Public Suffix List: `npm run tables`.
import { writeFileSync } from 'node:fs';
import { suffixTable } from './suffixes.mjs';
import { dataOfPackage, tableSource, tableText } from './unicode.mjs';
import { VERSIONS } from './unicode-versions.mjs';

/** Bundles hold a table as a string literal: an escape would be a character more. */
function mustBeLiteral(table) {
  if (/[^ -~\n]|["'`\\$]/.test(table)) throw new Error('a literal would escape a character of the table');
  return table;
}

function write(path, text) {
  writeFileSync(path, text);
  console.log(`${path}: ${text.length} characters`);
}

const versions = VERSIONS.map((each) => ({ ...each, ...dataOfPackage(each.tr46) }));
write('src/core/url/unicode-table.ts', tableSource(mustBeLiteral(await tableText(versions))));
write('src/specs/safe-browsing/public-suffix-table.txt', mustBeLiteral(suffixTable()));
