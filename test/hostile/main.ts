// What the command must survive, at the length that takes minutes: `npm run test:hostile`. One line per run;
// `N passed, N failed` is the last.
//   --only TEXT       only the runs whose names contain it
//   --part N          an N-th of each, to try it
//   URLSUM_SEED=…     the same cases again
import { parseArgs } from 'node:util';
import { cuts } from './cuts.ts';
import { damage } from './damage.ts';
import { fullDisks } from './full-disks.ts';
import { kills } from './kills.ts';
import { manyLines } from './many-lines.ts';

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: '' }, part: { type: 'string', default: '1' } },
});

/** Each is given how many cases it shall try, throws at the first that fails, and says what it has seen. */
const RUNS: readonly (readonly [name: string, count: number, run: (count: number) => string | Promise<string>])[] = [
  ['cuts of CSV', 400_000, cuts],
  ['damaged inputs', 400, damage],
  ['kills at random moments', 100, kills],
  ['full disks', 1, fullDisks],
  ['many lines', 100_000_000, manyLines],
];

let [passed, failed] = [0, 0];
for (const [name, count, run] of RUNS.filter(([name]) => name.includes(options.only))) {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(0)} s`;
  try {
    console.log(`passed  ${name}: ${await run(Math.ceil(count / Number(options.part)))} (${seconds()})`);
    passed++;
  } catch (error) {
    console.log(`FAILED  ${name}: ${error instanceof Error ? error.stack : String(error)} (${seconds()})`);
    failed++;
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
