import { join } from 'node:path';
import type { KernelName } from '../../src/core/kernel/kernel.ts';
import { ENTRIES } from '../package/entries.ts';
import type { Consumers } from './consumer.ts';
import { run } from './process.ts';
import { script } from './tool.ts';

export const BUNDLERS = ['esbuild', 'rollup', 'webpack', 'vite'] as const;

/** A page that runs the probe. */
export interface Page {
  readonly name: string;
  readonly use: string;
  readonly kernel: KernelName;
  readonly policy?: string;
  /** Where nothing bundles: what the bare names of the package mean. */
  readonly importMap?: object;
  readonly script: string;
}

export function pathOf({ name }: Page): string {
  return `/pages/${name}`;
}

/** The page of examples/service-worker, watched. */
export const SERVICE_WORKER_PATH = '/pages/service-worker';

const importMap = {
  imports: Object.fromEntries(ENTRIES.map(({ name, esm }) => [name, join('/node_modules/urlsum', esm)])),
};

export const PAGES: readonly Page[] = [
  ...BUNDLERS.map((name) => ({ name, use: `bundled by ${name}`, kernel: 'simd', script: `/${name}.js` }) as const),
  { name: 'plain', use: 'module script, not bundled', kernel: 'simd', importMap, script: '/page.mjs' },
  { name: 'csp', use: "CSP script-src 'self'", kernel: 'js', policy: "script-src 'self'", script: '/esbuild.js' },
  {
    name: 'csp-wasm',
    use: "CSP 'self' 'wasm-unsafe-eval'",
    kernel: 'simd',
    policy: "script-src 'self' 'wasm-unsafe-eval'",
    script: '/esbuild.js',
  },
];

/** Bundles the probe's page with each bundler, and the example as its README says; the outputs are put beside them. */
export async function bundlePages({ module }: Consumers): Promise<void> {
  for (const bundler of BUNDLERS) await bundleWith(bundler, join(module, 'page.mjs'), join(module, `${bundler}.js`));
  const serviceWorker = join(module, 'examples/service-worker');
  await bundleWith('esbuild', join(serviceWorker, 'service-worker.js'), join(serviceWorker, 'bundle.js'));
}

type Bundler = (typeof BUNDLERS)[number] | 'esbuild-for-node' | 'webpack-for-node';

export async function bundleWith(bundler: Bundler, entry: string, outfile: string): Promise<void> {
  await run(process.execPath, [script('bundlers.mjs'), bundler, entry, outfile]);
}
