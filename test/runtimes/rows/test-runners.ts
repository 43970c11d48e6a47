import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Consumers } from '../consumer.ts';
import type { Outcome } from '../probe/outcome.ts';
import { run } from '../process.ts';
import type { Runtime } from '../runtime.ts';
import { scratch } from '../scratch.ts';
import { installed, script, versionOf } from '../tool.ts';

/** Each in its two usual environments. */
export function testRunners({ module, commonjs }: Consumers): Runtime[] {
  const jest = { host: `Jest ${versionOf('jest')}`, kernel: 'simd' } as const;
  const vitest = { host: `Vitest ${versionOf('vitest')}`, kernel: 'simd' } as const;
  return [
    { ...jest, way: 'node', outcome: () => jested('node', commonjs) },
    { ...jest, way: 'jsdom given TextEncoder and TextDecoder', streams: false, outcome: () => jested('jsdom', commonjs) },
    { ...vitest, way: 'node', outcome: () => vitested('node', module) },
    { ...vitest, way: 'jsdom', outcome: () => vitested('jsdom', module) },
  ];
}

async function jested(environment: string, cwd: string): Promise<Outcome> {
  const config = join(cwd, `jest-${environment}.json`);
  const testEnvironment = environment === 'node' ? environment : installed('jest-environment-jsdom');
  writeFileSync(config, JSON.stringify({ rootDir: cwd, testMatch: ['**/test-case.cjs'], testEnvironment, testTimeout: 60_000, transform: {}, setupFiles: [script('hosts/jest-setup.cjs')] }));
  return tested('jest', ['--config', config, '--watchman=false'], environment, cwd);
}

function vitested(environment: string, cwd: string): Promise<Outcome> {
  const config = join(cwd, 'vitest.config.mjs');
  writeFileSync(config, `export default { test: { include: ['test-case.mjs'], globals: true, testTimeout: 60000 } };`);
  return tested('vitest', ['run', '--config', config, '--environment', environment], environment, cwd);
}

async function tested(runner: 'jest' | 'vitest', args: string[], environment: string, cwd: string): Promise<Outcome> {
  const URLSUM_OUTCOME = join(scratch('outcomes'), `${runner}-${environment}.json`);
  await run(installed(`.bin/${runner}`), args, { cwd, env: { URLSUM_OUTCOME } });
  return JSON.parse(readFileSync(URLSUM_OUTCOME, 'utf8')) as Outcome;
}
