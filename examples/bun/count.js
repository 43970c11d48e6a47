// bun count.js urls.txt: how many different URLs a file of any size holds, by 8 bytes of each hash.
import { hashStream } from 'urlsum';

const seen = new Set();
let lineCount = 0;
let invalidCount = 0;

for await (const { words, invalid, length } of Bun.file(Bun.argv[2])
  .stream()
  .pipeThrough(hashStream({ width: 8 }))) {
  for (const word of words) seen.add(word);
  lineCount += length;
  invalidCount += invalid.length;
}
if (invalidCount > 0) seen.delete(0n); // the rows that are not URLs
console.log(`${lineCount} lines, ${seen.size} different URLs, ${invalidCount} not URLs`);
