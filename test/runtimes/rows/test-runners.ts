import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../../support/scratch.ts';
import type { Consumers } from '../consumer.ts';
import type { Outcome } from '../probe/outcome.ts';
import { run } from '../process.ts';
import type { Runtime } from '../runtime.ts';
import { installed, script, versionOf } from '../tool.ts';
import { HERE } from './node.ts';

/** Their own limit of 5 seconds is too short on a busy machine. */
const TEST_MILLISECONDS = 300_000;

/** Each in its two usual environments. */
export function testRunners({ module }: Consumers): Runtime[] {
  const [jest, vitest] = [`Jest ${versionOf('jest')}`, `Vitest ${versionOf('vitest')}`];
  return [
    { host: HERE, use: `${jest}, node`, kernel: 'simd', outcome: () => jested('node', module) },
    {
      host: HERE,
      use: `${jest}, jsdom given TextEncoder`,
      kernel: 'simd',
      streams: false,
      outcome: () => jested('jsdom', module),
    },
    { host: HERE, use: `${vitest}, node`, kernel: 'simd', outcome: () => vitested('node', module) },
    { host: HERE, use: `${vitest}, jsdom`, kernel: 'simd', outcome: () => vitested('jsdom', module) },
  ];
}

async function jested(environment: string, cwd: string): Promise<Outcome> {
  const config = join(cwd, `jest-${environment}.json`);
  const testEnvironment = environment === 'node' ? environment : installed('jest-environment-jsdom');
  const setupFiles = [script('hosts/jest-setup.cjs')];
  const options = {
    rootDir: cwd,
    testMatch: ['**/test-case.mjs'],
    moduleFileExtensions: ['mjs', 'js'],
    testEnvironment,
    testTimeout: TEST_MILLISECONDS,
    transform: {},
    setupFiles,
  };
  writeFileSync(config, JSON.stringify(options));
  return tested('jest', ['--config', config, '--watchman=false'], environment, cwd);
}

function vitested(environment: string, cwd: string): Promise<Outcome> {
  const config = join(cwd, 'vitest.config.mjs');
  writeFileSync(
    config,
    `export default { test: { include: ['test-case.mjs'], globals: true, testTimeout: ${TEST_MILLISECONDS} } };`,
  );
  return tested('vitest', ['run', '--config', config, '--environment', environment], environment, cwd);
}

async function tested(runner: 'jest' | 'vitest', args: string[], environment: string, cwd: string): Promise<Outcome> {
  const URLSUM_OUTCOME = join(scratchFolder('outcomes'), `${runner}-${environment}.json`);
  const NODE_OPTIONS = runner === 'jest' ? '--experimental-vm-modules' : ''; // as Jest documents it for ES modules
  await run(installed(`.bin/${runner}`), args, { cwd, env: { URLSUM_OUTCOME, NODE_OPTIONS } });
  return JSON.parse(readFileSync(URLSUM_OUTCOME, 'utf8')) as Outcome;
}
