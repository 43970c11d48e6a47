// The same in CommonJS.
const { createHash } = require('node:crypto');
const { UrlHashPool } = require('urlsum/pool');

async function main() {
  const pool = new UrlHashPool({ threads: 2 });
  const hash = createHash('sha256');
  for await (const column of pool.hashFile(process.argv[2])) hash.update(column.bytes);
  await pool.close();
  console.log(hash.digest('hex'));
}

main();
