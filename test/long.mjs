// What a release runs: the tests with a new seed and ten times the random cases, then what must survive faults and
// load, then RDF against Java's library, every vector in every runtime, and the engines. It takes hours. URLSUM_SEED=… repeats a run,
// URLSUM_TEST_SCALE=… changes its length.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const { URLSUM_SEED = String(randomInt(2 ** 31)), URLSUM_TEST_SCALE = '10' } = process.env;
const NODE = process.execPath;
const PARTS = [
  [NODE, 'test/run.mjs'],
  [NODE, 'build/hostile.mjs'],
  [NODE, 'build/rdf.mjs'],
  [NODE, 'build/runtimes/main.mjs'],
  ['test/engines/run'],
];

console.log(`URLSUM_SEED=${URLSUM_SEED} URLSUM_TEST_SCALE=${URLSUM_TEST_SCALE} npm run test:long repeats this run`);
const failed = PARTS.filter((part) => {
  console.log(`\n== ${part.at(-1)}`);
  const [program, ...args] = part;
  const env = { ...process.env, URLSUM_SEED, URLSUM_TEST_SCALE };
  return spawnSync(program, args, { env, stdio: 'inherit' }).status !== 0;
});
console.log(`\n${PARTS.length - failed.length} passed, ${failed.length} failed`);
if (failed.length > 0) console.log(`failed: ${failed.map((part) => part.at(-1)).join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
