import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleByWrangler, bundleForEdge, bundleForFastly, bundleForWorkerd } from '../bundle.ts';
import type { Consumers } from '../consumer.ts';
import type { Material, Outcome } from '../probe/outcome.ts';
import { serve } from '../process.ts';
import { printed, type Runtime } from '../runtime.ts';
import { installed, script, versionOf } from '../tool.ts';
import { HERE } from './node.ts';

/** The kernels inside the JavaScript, which may not compile them here: it must still answer. */
const UNCONDITIONED = 'bundled without its condition';

/** Where nothing may be compiled while a request is answered, and where there is nothing to compile with. */
export function edges({ module }: Consumers, material: Material): Runtime[] {
  const workerd = { host: `workerd ${versionOf('workerd')}` };
  const edge = { host: `edge-runtime ${versionOf('edge-runtime')}` };
  const [worker, listener] = [join(module, 'fetch.mjs'), join(module, 'listener.mjs')];
  const inWorkerd = async (bundled: Promise<string>): Promise<Outcome> => answered('workerd', await bundled, material);
  const inEdge = async (bundled: Promise<string>): Promise<Outcome> =>
    answered('edge-runtime', await bundled, material);
  return [
    { ...workerd, use: 'module Worker', kernel: 'simd', outcome: () => inWorkerd(bundleForWorkerd('workerd', worker)) },
    {
      ...workerd,
      use: `bundled by wrangler ${versionOf('wrangler')}`,
      kernel: 'simd',
      outcome: () => inWorkerd(bundleByWrangler('wrangler', worker)),
    },
    {
      ...workerd,
      use: UNCONDITIONED,
      kernel: 'js',
      outcome: () => inWorkerd(bundleForWorkerd('workerd-inline', worker, ['browser'])),
    },
    { ...edge, use: '?module imports', kernel: 'simd', outcome: () => inEdge(bundleForEdge('edge', listener)) },
    {
      ...edge,
      use: UNCONDITIONED,
      kernel: 'js',
      outcome: () => inEdge(bundleForEdge('edge-inline', listener, ['browser'])),
    },
    {
      host: HERE,
      use: 'fastly condition, WebAssembly deleted',
      kernel: 'js',
      outcome: () => withoutWebAssembly(module),
    },
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
