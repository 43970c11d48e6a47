// Runs the packed package in every runtime that can be installed, and prints a line for each; the last line is
// `N passed, N failed`.
//   --write           writes RESULTS.md, and the sizes in docs/runtimes.md, if no row fails or is skipped
//   --only TEXT       only the rows whose names hold it
//   URLSUM_TEST_SCALE=10           all vectors, as with --write, and not some of each clause and outcome
//   URLSUM_RUNTIMES_REQUIRED=1     a row that is skipped fails
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SCALE } from '../support/seed.ts';
import { bundleSizes } from './checks/bundle-sizes.ts';
import { declarations } from './checks/declarations.ts';
import { deployedModules } from './checks/deployed.ts';
import { examples } from './checks/examples.ts';
import { importing, olderNode } from './checks/importing.ts';
import { nextProject } from './checks/next.ts';
import { scripts } from './checks/scripts.ts';
import { treeShaking } from './checks/tree-shaking.ts';
import { witness } from './checks/witness.ts';
import { type Timings, workerdTiming } from './checks/workerd-timing.ts';
import { makeConsumers } from './consumer.ts';
import { readMaterial } from './material.ts';
import type { Outcome } from './probe/outcome.ts';
import { probe } from './probe/probe.ts';
import { resultsText } from './results.ts';
import { judgeAll, printUnmet, type Row } from './row.ts';
import { browsers } from './rows/browsers.ts';
import { denoAndBun } from './rows/deno-bun.ts';
import { edges } from './rows/edge.ts';
import { nodes } from './rows/node.ts';
import { testRunners } from './rows/test-runners.ts';
import { type Runtime, runtimeRow } from './runtime.ts';

const { values: options } = parseArgs({
  options: { write: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
if (options.write && options.only !== '')
  throw new Error('--write writes the results of all rows: it does not go with --only');
/** Rows wait for processes and one another: three fill two processors. */
const ROWS_AT_ONCE = 3;
const isRequired = process.env['URLSUM_RUNTIMES_REQUIRED'] === '1' || options.write;

/** Otherwise some vectors of each clause and outcome, which is what one runtime could do otherwise than another. */
const isWhole = SCALE >= 10 || options.write;
const material = readMaterial(isWhole);
const reference = await probe(material);
const consumers = await makeConsumers(material);
const outcomes = new Map<Runtime, Outcome>();
let timings: Timings | undefined;

const visits = await browsers(consumers);
const sizes = bundleSizes(consumers);
const runtimes: Runtime[] = [
  ...nodes(consumers),
  ...denoAndBun(consumers),
  ...edges(consumers, material),
  ...visits.runtimes,
  ...testRunners(consumers),
];
const rows: Row[] = [
  ...runtimes.map((runtime) => runtimeRow(runtime, reference, (each, outcome) => outcomes.set(each, outcome))),
  ...examples(consumers),
  nextProject(consumers),
  ...visits.serviceWorkers,
  ...scripts(consumers),
  ...treeShaking(consumers),
  sizes.row,
  deployedModules(consumers),
  ...declarations(consumers),
  importing(consumers),
  olderNode(consumers),
  witness(material),
];
/** Alone, after all others: nothing may disturb it. */
const timing = workerdTiming(consumers, isWhole ? 7 : 1, (each) => (timings = each));

const isChosen = ({ name }: Row): boolean => name.includes(options.only);
const verdicts = await judgeAll(rows.filter(isChosen), ROWS_AT_ONCE);
verdicts.push(...(await judgeAll([timing].filter(isChosen), 1)));
const passed = verdicts.filter(({ state }) => state === 'ok').length;
const skipped = verdicts.filter(({ state }) => state === 'skipped').length;
const failed = verdicts.length - passed - (isRequired ? 0 : skipped);

const { count, digest } = reference.vectors;
console.log(`\nSHA-256 of the ${count} results, computed from src and the same in every row that is ok: ${digest}`);
if (options.write && failed === 0) {
  const recorded = runtimes.map((runtime) => [runtime, outcomes.get(runtime)!] as const);
  writeFileSync('test/runtimes/RESULTS.md', resultsText(material, recorded, timings!));
  sizes.write();
}
printUnmet(verdicts);
if (skipped > 0) console.log(`!!! ${skipped} skipped${isRequired ? ', which counts as failed' : ''}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
