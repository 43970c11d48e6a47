// What takes longer than `npm test`, by name: `npm run test:long -- hostile rdf`, all of it before a release, which takes
// hours. `tests` are those of `npm test` with a new seed and ten times the random cases; then what must survive faults and
// load, RDF, SURTs and crawlers against other libraries, every vector in every runtime, the engines, a release installed
// as strangers do, and the forms of as many lines as an hour allows. URLSUM_SEED=… repeats a run, URLSUM_TEST_SCALE=…
// changes its length; what follows a single name goes to it: `npm run test:long -- hostile --only kills`.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const NODE = process.execPath;
const RUNTIMES = 'test/runtimes/node_modules';
const INSTALL_RUNTIMES = ['npm', 'install', '--no-save', '--prefix', 'test/runtimes', '--no-audit', '--no-fund'];

/** The parts: what `build.mjs` makes for each, what it needs besides, and how it runs. */
const PARTS = {
  tests: { bundle: 'test', run: [NODE, 'test/run.mjs'] },
  hostile: { bundle: 'hostile', run: [NODE, 'build/hostile.mjs'] },
  rdf: { bundle: 'rdf', run: [NODE, 'build/rdf.mjs'] },
  surt: { bundle: 'surt', run: [NODE, 'build/surt.mjs'] },
  crawlers: { bundle: 'crawlers', run: [NODE, 'build/crawlers.mjs'] },
  runtimes: { bundle: 'runtimes', needs: INSTALL_RUNTIMES, run: [NODE, 'build/runtimes/main.mjs'] },
  engines: { run: ['test/engines/run'] },
  coverage: { run: [NODE, 'test/coverage.mjs'] },
  module: {
    bundle: ['test', 'by-module'],
    needs: [NODE, 'tools/native.mjs', 'hosts'],
    run: [NODE, 'test/run.mjs', 'module/'],
  },
  artifacts: {
    bundle: 'artifacts',
    needs: ['npm', 'run', 'release', '--', '--dry-run'],
    run: [NODE, 'build/artifacts.mjs'],
  },
  // an hour at the most; the next run goes on where it stopped
  forms: {
    bundle: 'forms',
    needs: INSTALL_RUNTIMES,
    run: [`${RUNTIMES}/node-26/bin/node`, 'build/forms.mjs', '--seconds', '3600', '--threads', '2'],
  },
};

const optionsStart = process.argv.findIndex((argument) => argument.startsWith('--'));
const options = optionsStart === -1 ? [] : process.argv.slice(optionsStart);
const chosen = process.argv.slice(2, optionsStart === -1 ? undefined : optionsStart);
const unknown = chosen.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0 || (options.length > 0 && chosen.length !== 1)) {
  console.error(
    `usage: npm run test:long -- [NAME [OPTION…] | NAME…], each NAME one of ${Object.keys(PARTS).join(', ')}`,
  );
  process.exit(2);
}
const names = chosen.length > 0 ? chosen : Object.keys(PARTS);

const isLong = names.length > 1 || names[0] === 'tests' || names[0] === 'module';
const { URLSUM_SEED = String(randomInt(2 ** 31)), URLSUM_TEST_SCALE = isLong ? '10' : '1' } = process.env;
const env = { ...process.env, URLSUM_SEED, URLSUM_TEST_SCALE };

/** Whether the program ended well. */
function succeeds([program, ...args]) {
  console.log(`\n== ${[program, ...args].join(' ')}`);
  return spawnSync(program, args, { env, stdio: 'inherit' }).status === 0;
}

console.log(
  `URLSUM_SEED=${URLSUM_SEED} URLSUM_TEST_SCALE=${URLSUM_TEST_SCALE} npm run test:long -- ${names.join(' ')}`,
);
const bundles = names.flatMap((name) => PARTS[name].bundle ?? []);
const isBuilt = succeeds([NODE, 'build.mjs', ...bundles]);
const needed = new Map();
const failed = names.filter((name) => {
  const { needs, run } = PARTS[name];
  const key = needs?.join(' ');
  if (needs !== undefined && !needed.has(key)) needed.set(key, succeeds(needs));
  return !isBuilt || needed.get(key) === false || !succeeds([...run, ...options]);
});
console.log(`\n${names.length - failed.length} passed, ${failed.length} failed`);
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
