import { parseArgs } from 'node:util';

/** Is given how many cases it shall try, throws at the first that fails, and says what it has seen. */
export type LongRun = readonly [name: string, count: number, run: (count: number) => string | Promise<string>];

/**
 * Runs what takes minutes, one line per run; `N passed, N failed` is the last.
 *
 *   --only TEXT       only the runs whose names contain it
 *   --part N          an N-th of each, to try it
 *   URLSUM_SEED=…     the same cases again
 */
export async function runAll(runs: readonly LongRun[]): Promise<void> {
  const { values: options } = parseArgs({
    options: { only: { type: 'string', default: '' }, part: { type: 'string', default: '1' } },
  });
  let [passed, failed] = [0, 0];
  for (const [name, count, run] of runs.filter(([each]) => each.includes(options.only))) {
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
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}
