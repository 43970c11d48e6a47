import { cpSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { scratchFolder } from '../support/scratch.ts';
import { run } from './process.ts';
import { installed } from './tool.ts';

const COMMON = { bundle: true, format: 'esm', target: 'es2022', logLevel: 'error' } as const;

/** Bundles `entry` as the tools of a runtime do; gives the folder with index.js. */
async function bundle(name: string, entry: string, options: BuildOptions): Promise<string> {
  const folder = scratchFolder(name);
  await build({ ...COMMON, entryPoints: { index: entry }, outdir: folder, ...options });
  return folder;
}

/** Bundles as wrangler does: `.wasm` files stay files, for the platform to compile. */
export function bundleForWorkerd(
  name: string,
  entry: string,
  conditions = ['workerd', 'worker', 'browser'],
): Promise<string> {
  return bundle(name, entry, { conditions, loader: { '.wasm': 'copy' }, assetNames: '[name]' });
}

/** Bundles by wrangler itself, which uploads nothing in a dry run. */
export async function bundleByWrangler(name: string, entry: string): Promise<string> {
  const folder = scratchFolder(name);
  const args = ['deploy', '--dry-run', '--name', name, '--compatibility-date', '2026-04-01', '--outdir', folder, entry];
  await run(installed('.bin/wrangler'), args, { cwd: dirname(entry), env: { WRANGLER_SEND_METRICS: 'false' } });
  renameSync(join(folder, basename(entry).replace(/mjs$/, 'js')), join(folder, 'index.js'));
  return folder;
}

/** Bundles as Next does: what is imported with `?module` becomes a global that holds the compiled module. */
export async function bundleForEdge(
  name: string,
  entry: string,
  conditions = ['edge-light', 'browser'],
): Promise<string> {
  const folder = await bundle(name, entry, { conditions, format: 'iife', plugins: [COMPILED_MODULES] });
  for (const module of ['simd.wasm', 'expressions.wasm']) cpSync(`build/${module}`, join(folder, module));
  return folder;
}

const COMPILED_MODULES: Plugin = {
  name: '?module',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => ({ path, namespace: 'compiled' }));
    onLoad({ filter: /./, namespace: 'compiled' }, ({ path }) => ({
      contents: `export default wasm_${basename(path, '.wasm?module')}`,
    }));
  },
};

/** Bundles as @fastly/js-compute does, whose engine has none of these. */
export function bundleForFastly(name: string, entry: string): Promise<string> {
  const js = "for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Worker', 'Buffer']) delete globalThis[name];";
  const external = ['./material.json'];
  return bundle(name, entry, {
    conditions: ['fastly', 'browser'],
    external,
    supported: { 'import-attributes': true },
    banner: { js },
  });
}
