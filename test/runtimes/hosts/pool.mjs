// Hashes the file given with two threads; prints the digests' own SHA-256. No top-level await: it is bundled as
// CommonJS too.
import { createHash } from 'node:crypto';
import { UrlHashPool } from 'urlsum/pool';

async function main() {
  const pool = new UrlHashPool({ threads: 2 });
  const hash = createHash('sha256');
  for await (const column of pool.hashFile(process.argv[2])) hash.update(column.bytes);
  await pool.close();
  console.log(hash.digest('hex'));
}

main();
