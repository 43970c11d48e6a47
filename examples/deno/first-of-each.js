// deno run first-of-each.js <urls.txt: the first line of each URL, however it is spelled. It needs no permission.
import { UrlHasher } from 'urlsum';

const lines = (await new Response(Deno.stdin.readable).text()).trimEnd().split('\n');
const column = new UrlHasher({ width: 16 }).hashMany(lines);
const seen = new Set();

for (const [row, line] of lines.entries()) {
  const hash = column.hex(row);
  if (hash === undefined) console.error(column.errorAt(row).message);
  else if (!seen.has(hash)) console.log(line);
  seen.add(hash);
}
