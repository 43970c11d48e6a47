import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleForEdge, bundleForFastly, bundleForWorkerd } from '../bundle.ts';
import type { Consumers } from '../consumer.ts';
import type { Material, Outcome } from '../probe/outcome.ts';
import { serve } from '../process.ts';
import type { Runtime } from '../runtime.ts';
import { installed, script, versionOf } from '../tool.ts';
import { HERE } from './node.ts';
import { printed } from './printed.ts';

/** Where nothing may be compiled while a request is answered, and where there is nothing to compile with. */
export function edges({ module }: Consumers, material: Material): Runtime[] {
  const workerd = { host: `workerd ${versionOf('workerd')}` };
  const edge = { host: `edge-runtime ${versionOf('edge-runtime')}` };
  const fetchEntry = join(module, 'fetch.mjs');
  const listenerEntry = join(module, 'listener.mjs');
  return [
    { ...workerd, way: 'module Worker', kernel: 'simd', outcome: async () => answered('workerd', await bundleForWorkerd('workerd', fetchEntry), material) },
    { ...workerd, way: 'bundled without its condition', kernel: 'js', outcome: async () => answered('workerd', await bundleForWorkerd('workerd-inline', fetchEntry, ['browser']), material) },
    { ...edge, way: '?module imports', kernel: 'simd', outcome: async () => answered('edge-runtime', await bundleForEdge('edge', listenerEntry), material) },
    { ...edge, way: 'bundled without its condition', kernel: 'js', outcome: async () => answered('edge-runtime', await bundleForEdge('edge-inline', listenerEntry, ['browser']), material) },
    { host: HERE, way: 'fastly condition, WebAssembly deleted', kernel: 'js', outcome: () => withoutWebAssembly(module) },
  ];
}

async function answered(host: 'workerd' | 'edge-runtime', folder: string, material: Material): Promise<Outcome> {
  installed(host);
  const server = await serve(process.execPath, [script(`hosts/${host}.mjs`), folder]);
  try {
    const response = await fetch(server.url, { method: 'POST', body: JSON.stringify(material) });
    if (!response.ok) throw new Error(`${host} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Outcome;
  } finally {
    await server.stop();
  }
}

async function withoutWebAssembly(module: string): Promise<Outcome> {
  const folder = await bundleForFastly('fastly', join(module, 'console.mjs'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  cpSync(join(module, 'material.json'), join(folder, 'material.json'));
  return printed(process.execPath, ['index.js'], { cwd: folder });
}
