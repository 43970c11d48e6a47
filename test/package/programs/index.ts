// A look-up has one shape, rows; an index goes into a builder as a column does.
import { deepEqual, equal } from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UrlHash, UrlHasher } from 'urlsum';
import { HashIndex, HashIndexBuilder } from 'urlsum/hash-index';
import { ExpressionHasher, hashes, PrefixSet, prefix } from 'urlsum/safe-browsing';

const path = pathToFileURL(join(import.meta.dirname ?? '.', 'seen.idx'));
const hasher = new UrlHasher({ width: 8 });
for (const urls of [['https://a.example/'], ['https://b.example/', 'no URL']]) {
  const builder = new HashIndexBuilder({ width: 8 });
  if (urls.length > 1) {
    const seen = HashIndex.open(path);
    builder.add(seen);
    seen.close();
  }
  builder.add(hasher.hashMany(urls));
  builder.write(path);
}
const index = HashIndex.open(path);
const rows: Uint32Array = index.matches(
  hasher.hashMany(['https://c.example/', 'no URL', 'https://b.example/', 'https://a.example/']),
);
deepEqual([...rows], [2, 3]);
equal(index.size, 2);
equal(index.has(UrlHash.of('https://a.example/')), true);
index.close();

const set = PrefixSet.from(prefix(hashes('https://bad.example/')[0]!, 4), 4);
deepEqual([...set.matches(new ExpressionHasher().hashMany(['https://good.example/', 'https://bad.example/']))], [1]);
