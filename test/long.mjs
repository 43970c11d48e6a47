// What a release runs: the tests with a new seed and ten times the random cases, then what must survive faults and
// load, then RDF against Java's library. It takes hours. URLSUM_SEED=… repeats a run, URLSUM_TEST_SCALE=… changes its
// length.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const { URLSUM_SEED = String(randomInt(2 ** 31)), URLSUM_TEST_SCALE = '10' } = process.env;
const PARTS = ['test/run.mjs', 'build/hostile.mjs', 'build/rdf.mjs'];

console.log(`URLSUM_SEED=${URLSUM_SEED} URLSUM_TEST_SCALE=${URLSUM_TEST_SCALE} npm run test:long repeats this run`);
const failed = PARTS.filter((part) => {
  console.log(`\n== ${part}`);
  const env = { ...process.env, URLSUM_SEED, URLSUM_TEST_SCALE };
  return spawnSync(process.execPath, [part], { env, stdio: 'inherit' }).status !== 0;
});
console.log(`\n${PARTS.length - failed.length} passed, ${failed.length} failed`);
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
