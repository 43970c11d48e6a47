// What a release runs: the tests with a new seed and ten times the random cases, then what must survive faults and
// load, then RDF and SURTs against other libraries, every vector in every runtime, the engines, and the forms of as many
// lines as an hour allows. It takes hours. URLSUM_SEED=… repeats a run, URLSUM_TEST_SCALE=… changes its length.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const { URLSUM_SEED = String(randomInt(2 ** 31)), URLSUM_TEST_SCALE = '10' } = process.env;
const NODE = process.execPath;
const PARTS = [
  [NODE, 'test/run.mjs'],
  [NODE, 'build/hostile.mjs'],
  [NODE, 'build/rdf.mjs'],
  [NODE, 'build/surt.mjs'],
  [NODE, 'build/crawlers.mjs'],
  [NODE, 'build/runtimes/main.mjs'],
  ['test/engines/run'],
  // an hour at the most; the next run goes on where it stopped
  ['test/runtimes/node_modules/node-26/bin/node', 'build/forms.mjs', '--seconds', '3600', '--threads', '2'],
];

console.log(`URLSUM_SEED=${URLSUM_SEED} URLSUM_TEST_SCALE=${URLSUM_TEST_SCALE} npm run test:long repeats this run`);
const failed = PARTS.filter((part) => {
  console.log(`\n== ${part.join(' ')}`);
  const [program, ...args] = part;
  const env = { ...process.env, URLSUM_SEED, URLSUM_TEST_SCALE };
  return spawnSync(program, args, { env, stdio: 'inherit' }).status !== 0;
});
console.log(`\n${PARTS.length - failed.length} passed, ${failed.length} failed`);
if (failed.length > 0) console.log(`failed: ${failed.map((part) => part.at(-1)).join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
