import { join } from 'node:path';
import type { Consumers } from '../consumer.ts';
import { printed, type Runtime } from '../runtime.ts';
import { installed, script, versionOf } from '../tool.ts';

/** The least that the package promises, and the newest of each line that is kept. */
export const LINES = ['20.19', '20', '22', '24', '26'] as const;

/** The Node that runs all this; a system's own may be built otherwise than the packages of npm. */
export const HERE = `Node ${process.versions.node} (running this)`;

export function nodes(consumers: Consumers): Runtime[] {
  const { module, commonjs } = consumers;
  const node = (use: string, args: string[], cwd: string): Runtime => {
    return { host: HERE, use, kernel: 'simd', outcome: () => printed(process.execPath, args, { cwd }) };
  };
  return [
    node('ESM', ['console.mjs'], module),
    node('CommonJS', ['console.cjs'], commonjs),
    node('ESM in a package of CommonJS', ['console.mjs'], commonjs),
    node('worker thread', [script('hosts/worker-thread.mjs'), join(module, 'console.mjs')], module),
    node('--disallow-code-generation-from-strings', ['--disallow-code-generation-from-strings', 'console.mjs'], module),
    {
      ...node('--no-enable-sse4-1 (no SIMD)', ['--no-enable-sse4-1', 'console.mjs'], module),
      kernel: 'js',
    },
    { ...node('--jitless (no WebAssembly)', ['--jitless', 'console.mjs'], module), kernel: 'js' },
    ...LINES.flatMap((line) => packaged(line, consumers)),
    {
      host: `tsx ${versionOf('tsx')}`,
      use: 'CommonJS',
      kernel: 'simd',
      outcome: () => printed(installed('.bin/tsx'), ['console.cjs'], { cwd: commonjs }),
    },
  ];
}

function packaged(line: (typeof LINES)[number], { module, commonjs }: Consumers): Runtime[] {
  const host = `Node ${versionOf(`node-${line}`)}`;
  const outcome = (name: string, cwd: string) => async () =>
    printed(installed(`node-${line}/bin/node`), [name], { cwd });
  return [
    { host, use: 'ESM', kernel: 'simd', outcome: outcome('console.mjs', module) },
    { host, use: 'CommonJS', kernel: 'simd', outcome: outcome('console.cjs', commonjs) },
  ];
}
