// Writes the tables of Unicode and of the Public Suffix List: `npm run tables`. With --check it compares what the sources
// make of them with the libraries that the data are from, and the versions of Unicode with each other; that takes minutes.
import { write } from './generated.mjs';
import { checkSuffixes, suffixTable } from './suffixes.mjs';
import { tableSource, tableText, versionsWithData } from './unicode.mjs';
import { checkUnicode } from './unicode-check.mjs';

const versions = versionsWithData();
const unicodeTable = await tableText(versions);
if (process.argv.includes('--check')) {
  await checkUnicode(versions, unicodeTable);
  await checkSuffixes();
} else {
  write('src/core/url/unicode-table.ts', tableSource(unicodeTable));
  write('src/specs/safe-browsing/public-suffix-table.txt', suffixTable());
}
