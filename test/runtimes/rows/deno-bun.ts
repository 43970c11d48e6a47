import type { Consumers } from '../consumer.ts';
import { printed, type Runtime } from '../runtime.ts';
import { installed, versionOf } from '../tool.ts';

/** Nothing is allowed, and what asks for a permission fails. */
export const DENO = ['run', '--no-prompt', '--no-remote', '--node-modules-dir=manual', '--no-lock'];

export function denoAndBun({ module, commonjs }: Consumers): Runtime[] {
  const deno = { host: `Deno ${versionOf('deno')}`, kernel: 'simd' } as const;
  const bun = { host: `Bun ${versionOf('bun')}`, kernel: 'simd' } as const;
  return [
    {
      ...deno,
      use: 'no permissions',
      outcome: async () => printed(installed('deno/deno'), [...DENO, 'console.mjs'], { cwd: module }),
    },
    { ...bun, use: 'ESM', outcome: async () => printed(installed('bun/bin/bun'), ['console.mjs'], { cwd: module }) },
    {
      ...bun,
      use: 'CommonJS',
      outcome: async () => printed(installed('bun/bin/bun'), ['console.cjs'], { cwd: commonjs }),
    },
  ];
}
