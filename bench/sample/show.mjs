// What `npm run sample` shows of urls.txt: some rows, every line that is not a URL, the totals and the rate.
import { readFileSync } from 'node:fs';
import { canonicalize, kernelName, UrlHasher } from '../../dist/esm/index.js';

const FILE = 'bench/sample/urls.txt';
const SHOWN_ROWS = 8;
/** The first rounds compile; over this many the rate is that of a long file. */
const ROUNDS = 400;

const text = readFileSync(FILE);
const lines = text.toString().trimEnd().split('\n');
const hasher = new UrlHasher();
const column = hasher.hashLines(text);

const started = performance.now();
for (let round = 0; round < ROUNDS; round++) hasher.hashLines(text);
const seconds = (performance.now() - started) / 1000 / ROUNDS;

const valid = [...lines.keys()].filter((row) => column.at(row) !== undefined);
const changed = valid.filter((row) => canonicalize(lines[row]) !== lines[row]);
const hostOf = (row) => new URL(canonicalize(lines[row])).host;
const [unchanged] = valid;
const oneOfEachHost = [...new Map(changed.map((row) => [hostOf(row), row])).values()];

console.log(`\nSome of the ${column.length} lines of ${FILE}, their canonical forms and the SHA-256 of those:\n`);
for (const row of [unchanged, ...oneOfEachHost].slice(0, SHOWN_ROWS)) {
  console.log(`${row + 1}: ${lines[row]}\n  canonical  ${canonicalize(lines[row])}\n  SHA-256    ${column.hex(row)}\n`);
}

console.log('The lines that are not URLs, and why:\n');
for (const row of column.invalid) console.log(`${row + 1}: ${column.errorAt(row).message}`);

const distinct = new Set(valid.map((row) => column.hex(row))).size;
const rate = (column.length / seconds / 1e6).toFixed(1);
console.log(`
${valid.length} URLs, ${distinct} of them different, ${changed.length} not canonical as given; ${column.invalid.length} lines that are not URLs.
Hashed at ${rate} million lines a second: one thread, kernel '${kernelName()}', the file ${ROUNDS} times over.

The hash of every line, from the command:  node dist/esm/cli.js ${FILE}`);
